import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { SERVING } from "../../api/platform/database/pool.ts";
import { bareEnvironment } from "../bare-environment.ts";
import { token } from "./api.ts";

const root = new URL("../..", import.meta.url);

/** Runs a script of the API as the npm scripts do; killed after the test. */
export function run(script: string, env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [`api/${script}`, ...args], {
    cwd: root,
    env: { ...bareEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => {
    output.stdout += data;
  });
  child.stderr.on("data", (data) => {
    output.stderr += data;
  });
  const ended = once(child, "close").then(() => child.exitCode);
  onTestFinished(() => endProcess(child));
  return { child, output, ended };
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** Calls `ask` until `wanted` is true; throws after eight minutes, which is enough on a busy machine. */
export async function until<T>(ask: () => Promise<T>, wanted: (value: T) => boolean): Promise<T> {
  for (const end = Date.now() + 480_000; Date.now() < end; await sleep(50)) {
    const value = await ask().catch(() => undefined);
    if (value !== undefined && wanted(value)) return value;
  }
  throw new Error("The condition wasn't met within eight minutes.");
}

/**
 * Waits until a server.ts with the partner's `token` answers, and holds all its connections to the database: it waits 3 s
 * for a new one, and a stalled machine takes longer.
 */
export async function untilServing(port: number | string): Promise<void> {
  const headers = { "x-ecom-api-token": token };
  const ask = async () => (await fetch(`http://127.0.0.1:${port}/api/orders?limit=1`, { headers })).ok;
  await until(ask, Boolean);
  await until(
    () => Promise.all(Array.from({ length: SERVING.connections }, ask)),
    (answers) => answers.every(Boolean),
  );
}
