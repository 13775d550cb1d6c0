import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunOptions, startChild } from "../../../nginx/local/child-process.ts";

/** What a program and its descendants used. */
export interface Usage {
  /** Wall-clock time. */
  seconds: number;
  /** User and system time on all cores. */
  cpuSeconds: number;
  /** Peak resident memory, MB of 10^6 bytes. Memory that two processes share counts twice. */
  peakMb: number;
  /** Everything it printed. */
  output: string;
}

/** Memory grows over seconds, and a sample takes less than a millisecond. */
const SAMPLE_INTERVAL_MS = 50;

/** Runs a program to its end. Throws with its output if it fails. */
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
  const sampling = setInterval(() => {
    if (child.pid) peakKb = Math.max(peakKb, residentKb(child.pid));
  }, SAMPLE_INTERVAL_MS);
  const end = await ended;
  const seconds = (performance.now() - start) / 1000;
  clearInterval(sampling);
  const output = readFileSync(logFile, "utf8");
  rmSync(folder, { recursive: true });
  if (end !== "exit 0") throw new Error(`${what} failed (${end}).\n\n${output.trim()}`);
  if (peakKb === 0)
    throw new Error("This kernel lacks /proc/<pid>/task/*/children, which the bench needs (CONFIG_PROC_CHILDREN)");
  return { seconds, cpuSeconds: cpuSecondsOfChildren() - cpuBefore, peakMb: (peakKb * 1024) / 1e6, output };
}

/** Processor time of all ended descendants. */
function cpuSecondsOfChildren(): number {
  const [, , ...ofChildren] = readTimes("self");
  return sum(ofChildren);
}

/** Processor time of a process, of those that it has started, and of all that theirs have started; 0 if it has ended. */
export function cpuSecondsOf(pid: number | undefined): number {
  try {
    return sum([...readTimes(`${pid}`), ...childrenOf(pid).map(cpuSecondsOf)]);
  } catch {
    return 0;
  }
}

/** utime, stime, cutime and cstime of proc_pid_stat(5) in seconds, 100 ticks each. */
function readTimes(process: string): number[] {
  const fields = readFileSync(`/proc/${process}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return fields.slice(11, 15).map((ticks) => Number(ticks) / 100);
}

const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0);

const childrenOf = (pid: number | undefined): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );

/** Resident memory of a process and its descendants, kB; 0 if it has ended. */
function residentKb(pid: number): number {
  try {
    const own = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
    return sum([own, ...childrenOf(pid).map(residentKb)]);
  } catch {
    return 0;
  }
}
