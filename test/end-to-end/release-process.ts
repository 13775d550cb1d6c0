import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bareEnvironment } from "../bare-environment.ts";
import { eventually } from "../eventually.ts";
import type { ShopProcess } from "./shop-process.ts";

export interface ReleaseProcess {
  /** What it has printed so far. */
  output(): string;
  /** Resolves with its exit code; null if it was killed. */
  ended: Promise<number | null>;
  /** Kills it as soon as it has printed `text`; nothing then runs on. */
  killAfter(text: string): Promise<void>;
}

/** Starts a release or a rollback of the shop that runs from a copy of the project. */
export function startRelease(
  workspace: string,
  shop: Pick<ShopProcess, "url">,
  command: "release" | "rollback" = "release",
): ReleaseProcess {
  const child = spawn(process.execPath, [`nginx/release/${command}.ts`], {
    cwd: workspace,
    env: { ...bareEnvironment(), DATA_DIR: join(workspace, ".data"), PORT: new URL(shop.url).port },
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
      await eventually(() => {
        if (!output.includes(text)) throw new Error(`It hasn't printed ${text} yet:\n${output}`);
      });
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Runs a release or a rollback. Returns its exit code and what it printed. */
export async function runRelease(...args: Parameters<typeof startRelease>): Promise<[number | null, string]> {
  const { ended, output } = startRelease(...args);
  const code = await ended;
  return [code, output()];
}
