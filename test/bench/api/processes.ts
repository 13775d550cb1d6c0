import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type RunningChild, stopChild } from "../../../nginx/local/child-process.ts";
import { findFreePort } from "../../../nginx/local/ports.ts";
import { startApi } from "../../../nginx/local/services.ts";
import { addCleanup } from "../../cleanup.ts";
import type { BenchDatabase } from "./database.ts";

const TOKEN = "a-partner-token-that-only-the-bench-has";
export const AS_PARTNER = { authorization: `Bearer ${TOKEN}` };

export interface ApiProcess {
  url: string;
  running: RunningChild;
  stop(): Promise<void>;
}

/** Starts the API as it is deployed, without a rate limit. */
export async function startApiProcess(
  { folder, url }: BenchDatabase,
  settings: Readonly<Record<string, string>> = {},
): Promise<ApiProcess> {
  const port = await findFreePort();
  const running = await startApi(folder, {
    API_PORT: String(port),
    METRICS_PORT: String(await findFreePort()),
    BASE_URL: "https://shop.example",
    DATABASE_URL: url,
    ERP_PULL_API_TOKEN: TOKEN,
    RATE_LIMIT_PER_MINUTE: "0",
    ...settings,
  });
  const stop = () => stopChild(running, "SIGKILL", 0);
  addCleanup(stop);
  return { url: `http://127.0.0.1:${port}`, running, stop };
}

/** A program of this folder in its own process. */
export interface Peer {
  child: ChildProcess;
  /** Its first message, sent when it is ready. */
  firstMessage: unknown;
  /** Sends a message and returns the answer. Rejects if the process has ended. */
  ask(message: object): Promise<unknown>;
}

/** Starts a program of this folder; returns when it is ready. It ends with the bench. */
export async function startPeer(file: string, ...args: string[]): Promise<Peer> {
  const child = fork(join(import.meta.dirname, file), args);
  addCleanup(() => {
    child.kill("SIGKILL");
  });
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`${file} ended (${signal ?? `exit ${code}`}).`);
  });
  ended.catch(() => {}); // when it ends as asked
  const hear = async () => (await Promise.race([once(child, "message"), ended]))[0];
  const ask = (message: object) => {
    child.send(message);
    return hear();
  };
  return { child, firstMessage: await hear(), ask };
}
