import { readFileSync } from "node:fs";
import { runWrk } from "../wrk.ts";
import { clientCore } from "./cores.ts";

export interface Load {
  requestsPerSecond: number;
  /** Processor time that the server's process took for a request, µs. */
  cpuMicroseconds: number;
}

/**
 * Has wrk ask one address over 32 connections for some seconds, as fast as answers come.
 * Throws where an answer is missing or is an error.
 */
export async function measureLoad(
  { pid, url }: { pid: number; url: string },
  headers: Readonly<Record<string, string>>,
  seconds: number,
): Promise<Load> {
  const before = cpuSeconds(pid);
  const { requests, requestsPerSecond } = await runWrk({ url, headers, connections: 32, seconds, core: clientCore });
  const spent = cpuSeconds(pid) - before;
  return { requestsPerSecond, cpuMicroseconds: (spent / requests) * 1e6 };
}

/** Processor time of a process, user and system: utime and stime of proc_pid_stat(5), 100 ticks a second. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
