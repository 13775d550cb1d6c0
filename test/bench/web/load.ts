import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { onClientCore } from "./cores.ts";

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
  const lines = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const before = cpuSeconds(pid);
  const [program, ...args] = onClientCore(["wrk", "-t1", "-c32", `-d${seconds}`, ...lines, url]);
  const { stdout } = await promisify(execFile)(program, args);
  const spent = cpuSeconds(pid) - before;
  const requests = Number(/(\d+) requests in /.exec(stdout)?.[1]);
  const requestsPerSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  if (!(requests > 0) || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk at ${url} said:\n\n${stdout}`);
  return { requestsPerSecond, cpuMicroseconds: (spent / requests) * 1e6 };
}

/** Processor time of a process, user and system: utime and stime of proc_pid_stat(5), 100 ticks a second. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
