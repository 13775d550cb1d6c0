import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { findFreePort } from "../../nginx/local/ports.ts";
import { bareEnvironment } from "../bare-environment.ts";

/** Running shops that this process has started, to be killed when a test fails. */
export const spawned = new Set<ChildProcess>();

export interface ShopProcess {
  url: string;
  /** The partner token that it printed. */
  token: string;
  process: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  /** Resolves with the exit code once it has ended. */
  ended: Promise<number | null>;
  /** Stops it as Ctrl-C does. Resolves with the exit code once everything has stopped. */
  stop(): Promise<number | null>;
}

/** Starts the shop as `npm start` does, in a copy of the project. Returns once it is ready; rejects with its output if it exits. */
export async function startShop(workspace: string, env: Record<string, string> = {}): Promise<ShopProcess> {
  const shop = await spawnShop(workspace, env);
  await Promise.race([
    shop.ended.then((code) => {
      throw new Error(`The shop ended with code ${code}:\n${shop.output()}`);
    }),
    shop.ready,
  ]);
  const token = /Bearer ([^"'\s]+)/.exec(shop.output())?.[1] ?? "";
  return { ...shop, token };
}

/** Starts the shop without waiting. `ready` resolves once it is ready. */
export async function spawnShop(workspace: string, env: Record<string, string> = {}, script = "start.ts") {
  const port = env["PORT"] ?? String(await findFreePort());
  const child = spawn("setpriv", ["--pdeathsig", "TERM", "--", process.execPath, `nginx/local/${script}`], {
    cwd: workspace,
    env: { ...userEnvironment(), DATA_DIR: join(workspace, ".data"), ...env, PORT: port },
    stdio: ["ignore", "pipe", "pipe"],
  });
  spawned.add(child);
  child.once("close", () => spawned.delete(child));
  let output = "";
  const ended = once(child, "close").then(([code]) => code as number | null);
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
        if (output.includes("Ctrl-C stops everything")) resolve();
      });
    }
  });
  const stop = () => {
    child.kill("SIGINT");
    return ended;
  };
  return { url: `http://127.0.0.1:${port}`, process: child, output: () => output, ready, ended, stop };
}

/** An ordinary user's, with Debian's PATH for one, which lacks the folders of servers. */
function userEnvironment(): NodeJS.ProcessEnv {
  const { LANG, CI } = process.env;
  return { ...bareEnvironment(), LANG, CI, PATH: "/usr/local/bin:/usr/bin:/bin" };
}

/** Stops every shop that this process has started, as Ctrl-C does; resolves when all have ended. */
export async function stopShops(): Promise<void> {
  const closed = [...spawned].map((shop) => once(shop, "close"));
  for (const shop of spawned) shop.kill("SIGINT");
  await Promise.all(closed);
}
