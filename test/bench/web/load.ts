import { readFileSync, truncateSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { runWrk } from "../wrk.ts";
import type { Request } from "./requests.ts";
import { clientCore, type Server } from "./servers.ts";

export interface Load {
  requestsPerSecond: number;
  /** Processor time of the server's process per request, µs. */
  cpuMicroseconds: number;
}

/** Length of a turn: short, so that other load falls on all servers alike. */
const TURN_MS = 50;
/** Time for every wrk to connect. */
const CONNECT_MS = 300;

/**
 * Runs wrk against each server over 32 connections at full speed. All run at once, but one server works while the others
 * are paused (SIGSTOP), in turn, for `seconds` each. Returns their loads in the order of the servers. Throws if an answer
 * is missing or isn't a success.
 */
export async function measureLoads(servers: readonly Server[], request: Request, seconds: number): Promise<Load[]> {
  for (const { pid } of servers) process.kill(pid, "SIGSTOP");
  const before = servers.map(({ pid }) => cpuSeconds(pid));
  // A second more than all turns take.
  const wrkSeconds = servers.length * seconds + 1;
  const askOne = ({ url }: Server) =>
    runWrk({
      url: url[request.face],
      headers: request.headers,
      connections: 32,
      seconds: wrkSeconds,
      timeoutSeconds: 2 * wrkSeconds, // a paused server isn't late
      core: clientCore,
    });
  const [workedSeconds, runs] = await Promise.all([takeTurns(servers, seconds), Promise.all(servers.map(askOne))]);
  const loads = servers.map(({ pid }, index) => {
    const requests = runs[index]?.requests ?? Number.NaN;
    return {
      requestsPerSecond: requests / (workedSeconds[index] ?? Number.NaN),
      cpuMicroseconds: ((cpuSeconds(pid) - (before[index] ?? Number.NaN)) / requests) * 1e6,
    };
  });
  for (const { pid, accessLog } of servers) {
    process.kill(pid, "SIGCONT");
    // It grows by 40 MB a second, which the kernel would write to disk during another server's turn.
    if (accessLog) truncateSync(accessLog);
  }
  return loads;
}

/**
 * Returns how long each server worked, s. All are paused before and after. It ends by the clock, as wrk does, because
 * turns are longer on a busy machine.
 */
async function takeTurns(servers: readonly Server[], seconds: number): Promise<number[]> {
  await sleep(CONNECT_MS);
  const workedMs = servers.map(() => 0);
  const end = performance.now() + servers.length * seconds * 1000;
  while (performance.now() < end) {
    for (const [index, { pid }] of servers.entries()) {
      const begin = performance.now();
      process.kill(pid, "SIGCONT");
      await sleep(TURN_MS);
      process.kill(pid, "SIGSTOP");
      workedMs[index] = (workedMs[index] ?? 0) + performance.now() - begin;
    }
  }
  return workedMs.map((ms) => ms / 1000);
}

/** Processor time of a process, user and system: utime and stime of proc_pid_stat(5), 100 ticks a second. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
