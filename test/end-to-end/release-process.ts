import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bareEnvironment } from "../bare-environment.ts";
import type { ShopProcess } from "./shop-process.ts";

export interface ReleaseProcess {
  /** What it has printed so far. */
  output(): string;
  /** Resolves with its exit code; null if it was killed. */
  ended: Promise<number | null>;
  /** Kills it as soon as it has printed `text`; nothing then runs on. Rejects if it ends by itself. */
  killAfter(text: string): Promise<void>;
}

/** Starts a release or a rollback of the shop that runs from a copy of the project. */
export function startRelease(
  workspace: string,
  shop: Pick<ShopProcess, "url">,
  command: "release" | "rollback" = "release",
  settings: Record<string, string> = {},
  ...args: string[]
): ReleaseProcess {
  const child = spawn(process.execPath, [`nginx/release/${command}.ts`, ...args], {
    cwd: workspace,
    env: { ...bareEnvironment(), DATA_DIR: join(workspace, ".data"), PORT: new URL(shop.url).port, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    output: () => output,
    ended,
    async killAfter(text) {
      const killIfDue = () => {
        if (output.includes(text)) child.kill("SIGKILL");
      };
      for (const stream of [child.stdout, child.stderr]) stream.on("data", killIfDue);
      killIfDue();
      if ((await ended) !== null) throw new Error(`It ended before it could be killed after ${text}:\n${output}`);
    },
  };
}

/** Runs a release or a rollback. Returns its exit code and what it printed. */
export async function runRelease(...args: Parameters<typeof startRelease>): Promise<[number | null, string]> {
  const { ended, output } = startRelease(...args);
  const code = await ended;
  return [code, output()];
}
