import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

/** Debian's wrk, for ensureSystemPackages. */
export const WRK = { wrk: () => existsSync("/usr/bin/wrk") };

export interface Load {
  url: string;
  /** Header lines. */
  headers?: readonly string[];
  connections: number;
  seconds: number;
  /** A Lua script of wrk's that says what to ask for. */
  script?: string;
}

/** Asks as fast as answers come. Returns requests/s; throws on any answer that is none or no success. */
export async function measureRequests({ url, headers = [], connections, seconds, script }: Load): Promise<number> {
  const { stdout } = await promisify(execFile)("wrk", [
    "-t1",
    `-c${connections}`,
    `-d${seconds}`,
    "--timeout",
    "30s",
    ...headers.flatMap((line) => ["-H", line]),
    ...(script === undefined ? [] : ["-s", script]),
    url,
  ]);
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  if (!(rate > 0) || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk at ${url} said:\n\n${stdout}`);
  return rate;
}
