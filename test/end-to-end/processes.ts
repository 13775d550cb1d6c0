import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

/** A process and all its descendants, as process ids. */
export function processTree(root: string): string[] {
  const parents = new Map<string, string>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const status = readProcess(pid, "status");
    parents.set(pid, /^PPid:\s+(\d+)/m.exec(status)?.[1] ?? "");
  }
  const below = (pid: string): string[] => [
    pid,
    ...[...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => below(child)),
  ];
  return below(root);
}

/** Returns "" if the process has ended. */
export function readProcess(pid: string, file: "status" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

const isAlive = (pid: string) => /^State:\s+[^ZX]/m.test(readProcess(pid, "status"));

/** Waits up to 60 s: the kernel ends killed processes and their children with a delay. */
export async function expectGone(pids: string[]): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (pids.some(isAlive) && Date.now() < deadline) await sleep(50);
  expect(pids.filter(isAlive)).toEqual([]);
}
