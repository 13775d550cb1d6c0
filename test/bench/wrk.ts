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
  /** How long an answer may take; wrk's own 2 s where it isn't said. */
  timeoutSeconds?: number;
  /** A Lua script of wrk's that says what to ask for. */
  script?: string | undefined;
  /** The core that it keeps to. */
  core?: number | undefined;
}

/** Has wrk ask as fast as answers come. Throws where an answer is missing or is no success. */
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
    throw new Error(`wrk at ${url} said:\n\n${stdout}`);
  return { requests, requestsPerSecond };
}
