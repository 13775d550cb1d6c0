import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningChild, startChild, stopChild, waitUntilReady } from "../../nginx/local/child-process.ts";
import { findFreePort } from "../../nginx/local/ports.ts";
import { privateDatabaseAddress } from "../../nginx/local/private-database.ts";
import { expectGone, processTree } from "../end-to-end/processes.ts";
import type { ShopProcess } from "../end-to-end/shop-process.ts";

export interface TwoApis {
  /** Stops one of them as systemd does and starts it again; resolves once it answers. */
  restart(which: 0 | 1): Promise<void>;
  stop(): Promise<void>;
}

/** Puts two APIs behind the nginx of a running shop, in place of its own. */
export async function startTwoApis(workspace: string, shop: ShopProcess): Promise<TwoApis> {
  const runtime = readFileSync(join(workspace, ".data/runtime-folder"), "utf8");
  const ports = [await findFreePort(), await findFreePort()];
  const log = join(runtime, "logs", "two-apis.log");

  async function start(port: number | undefined): Promise<RunningChild> {
    const env = {
      API_PORT: String(port),
      BASE_URL: "https://test.example",
      DATABASE_URL: privateDatabaseAddress(runtime).url,
      ERP_PULL_API_TOKEN: shop.token,
      RATE_LIMIT_PER_MINUTE: "0",
      NODE_ENV: "production",
    };
    const args = ["api/server.ts"];
    const api = startChild({ name: "API", program: process.execPath, args, env, cwd: workspace, logFile: log });
    const isLive = () =>
      fetch(`http://127.0.0.1:${port}/api/health/live`).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitUntilReady(api, log, isLive, 120_000);
    return api;
  }

  const apis = await Promise.all(ports.map(start));
  const configuration = join(runtime, "nginx", "server.conf");
  const servers = ports.map((port) => `    server 127.0.0.1:${port} max_fails=0;\n`).join("");
  const written = readFileSync(configuration, "utf8");
  writeFileSync(configuration, written.replace(/^ {4}server 127\.0\.0\.1:\d+ max_fails=0;\n/gm, servers));
  const nginx = readFileSync(join(runtime, "nginx", "temp", "nginx.pid"), "utf8").trim();
  const workers = processTree(nginx).slice(1);
  process.kill(Number(nginx), "SIGHUP");
  // The reload closes connections once; it isn't what is tested.
  await expectGone(workers);
  return {
    async restart(which) {
      const api = apis[which];
      if (api) await stopChild(api, "SIGTERM", 30_000);
      apis[which] = await start(ports[which]);
    },
    async stop() {
      await Promise.all(apis.map((api) => stopChild(api, "SIGTERM", 30_000)));
    },
  };
}
