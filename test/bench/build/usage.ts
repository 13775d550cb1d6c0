import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunOptions, startChild } from "../../../nginx/local/child-process.ts";

/** What a program needed, together with all programs that it started. */
export interface Usage {
  /** From its start to its end. */
  seconds: number;
  /** Of all cores, user and system. */
  cpuSeconds: number;
  /** Resident memory at the worst moment, MB of 10^6 bytes. What two processes share counts twice. */
  peakMb: number;
  /** All that it printed. */
  output: string;
}

/** How often memory is looked at: builds swell over seconds, and a look takes less than a millisecond. */
const SAMPLE_INTERVAL_MS = 50;

/** Runs a program to its end. Throws with what it printed when it fails. */
export async function measureUsage(
  what: string,
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Usage> {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-log-"));
  const logFile = join(folder, "log");
  const cpuBefore = cpuSecondsOfChildren();
  const start = performance.now();
  const { child, ended } = startChild({ name: what, program, args, logFile, ...options });
  let peakKb = 0;
  const looks = setInterval(() => {
    if (child.pid) peakKb = Math.max(peakKb, residentKb(child.pid));
  }, SAMPLE_INTERVAL_MS);
  const end = await ended;
  const seconds = (performance.now() - start) / 1000;
  clearInterval(looks);
  const output = readFileSync(logFile, "utf8");
  rmSync(folder, { recursive: true });
  if (end !== "exit 0") throw new Error(`${what} failed (${end}).\n\n${output.trim()}`);
  if (peakKb === 0) throw new Error("The kernel does not tell the children of a process: /proc/<pid>/task/*/children");
  return { seconds, cpuSeconds: cpuSecondsOfChildren() - cpuBefore, peakMb: (peakKb * 1024) / 1e6, output };
}

/** Processor time of all our children that have ended, theirs included: cutime and cstime of proc_pid_stat(5), 100 ticks a second. */
function cpuSecondsOfChildren(): number {
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Resident memory of a process and its descendants, kB; 0 for one that has ended meanwhile. */
function residentKb(pid: number): number {
  try {
    const own = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean),
    );
    return children.reduce((sum, child) => sum + residentKb(Number(child)), own);
  } catch {
    return 0;
  }
}
