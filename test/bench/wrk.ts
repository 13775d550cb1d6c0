import { execFile } from "node:child_process";
import { promisify } from "node:util";

export interface WrkRun {
  /** The address; a script may choose other paths. */
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

interface WrkResult {
  requests: number;
  requestsPerSecond: number;
  /** Milliseconds within which half, and 99 of 100, of the answers came. */
  p50: number;
  p99: number;
}

/** Runs wrk at full speed. Throws if an answer is missing or isn't a success. */
export async function runWrk(run: WrkRun): Promise<WrkResult> {
  const { url, headers = {}, connections, seconds, timeoutSeconds, script, core } = run;
  const [program = "", ...args] = [
    ...(core === undefined ? [] : ["taskset", "-c", String(core)]),
    ...["wrk", "-t1", "--latency", `-c${connections}`, `-d${seconds}`],
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
  return { requests, requestsPerSecond, p50: readPercentile(stdout, 50), p99: readPercentile(stdout, 99) };
}

const MS = { us: 0.001, ms: 1, s: 1_000, m: 60_000 } as const;

function readPercentile(output: string, percent: number): number {
  const [, number, unit = ""] = new RegExp(`^ *${percent}%\\s+([\\d.]+)(us|ms|s|m) *$`, "m").exec(output) ?? [];
  return Number(number) * MS[unit as keyof typeof MS];
}
