import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

/** Debian's wrk, for ensureSystemPackages. */
export const WRK = { wrk: () => existsSync("/usr/bin/wrk") };

export interface WrkRun {
  url: string;
  headers?: Readonly<Record<string, string>>;
  connections: number;
  seconds: number;
  /** Longest wait for an answer; wrk's default is 2 s. */
  timeoutSeconds?: number;
  /** A wrk Lua script that chooses the requests. */
  script?: string | undefined;
  /** The core to run on. */
  core?: number | undefined;
}

/** Runs wrk at full speed. Throws if an answer is missing or isn't a success. */
export async function runWrk(run: WrkRun): Promise<{ requests: number; requestsPerSecond: number }> {
  const { url, headers = {}, connections, seconds, timeoutSeconds, script, core } = run;
  const [program = "", ...args] = [
    ...(core === undefined ? [] : ["taskset", "-c", String(core)]),
    ...["wrk", "-t1", `-c${connections}`, `-d${seconds}`],
    ...(timeoutSeconds === undefined ? [] : ["--timeout", `${timeoutSeconds}s`]),
    ...(script === undefined ? [] : ["-s", script]),
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    url,
  ];
  const { stdout } = await promisify(execFile)(program, args);
  const requests = Number(/(\d+) requests in /.exec(stdout)?.[1]);
  const requestsPerSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  if (!(requests > 0 && requestsPerSecond > 0) || /Non-2xx|Socket errors/.test(stdout))
    throw new Error(`wrk at ${url} printed:\n\n${stdout}`);
  return { requests, requestsPerSecond };
}
