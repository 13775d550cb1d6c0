import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { interleave } from "../rounds.ts";
import { runWrk } from "../wrk.ts";
import type { BenchDatabase } from "./database.ts";
import { findLastPage, PAGE, PAGE_KINDS, pathOf } from "./page-kinds.ts";
import { AS_PARTNER, type Peer } from "./processes.ts";

export const CONCURRENCY = 16;
const SECONDS = 2;
/** Pages that are asked for in turn, spread over all orders. */
const SPREAD = 1_000;

export interface Servers {
  /** Base address of the API. */
  api: string;
  raw: Peer;
  naive: Peer;
}

/** Of each side the pages a second, in the order of the rounds. */
export type PageRates = Readonly<Record<string, number[]>>;

/** Measures all kinds of pages of a database of so many orders, ours and the peers'. */
export async function measurePages(database: BenchDatabase, servers: Servers, orders: number): Promise<PageRates> {
  const ask = async (url: string, script?: string) => {
    const load = { connections: CONCURRENCY, seconds: SECONDS, timeoutSeconds: 30 };
    return (await runWrk({ url, script, headers: AS_PARTNER, ...load })).requestsPerSecond;
  };
  const sides: Record<string, () => Promise<number>> = {};
  const starts = Array.from({ length: SPREAD }, (_, index) => Math.floor((index * (orders - PAGE)) / SPREAD));
  const script = writeScript(database.folder, starts);
  sides["http"] = () => ask(servers.api, script);
  const readRaw = async (asJson: boolean) =>
    Number(await servers.raw.ask({ starts, seconds: SECONDS, concurrency: CONCURRENCY, asJson }));
  sides["raw"] = () => readRaw(false);
  sides["raw json"] = () => readRaw(true);
  for (const kind of PAGE_KINDS) {
    const last = await findLastPage(database.connection, kind);
    sides[`first ${kind.name}`] = () => ask(servers.api + pathOf(kind, 0));
    sides[`last ${kind.name}`] = () => ask(servers.api + pathOf(kind, last));
  }
  sides["naive first"] = () => ask(`${servers.naive.said}/orders?offset=0`);
  sides["naive last"] = () => askOnce(`${servers.naive.said}/orders?offset=${orders - PAGE}`);
  await interleave(sides, 1); // a process that has just begun is slow
  return interleave(sides);
}

/** Pages a second where each of the connections asks once: a deep page may take longer than all others together. */
async function askOnce(url: string): Promise<number> {
  const begin = performance.now();
  const askWhole = async () => (await fetch(url)).arrayBuffer();
  await Promise.all(Array.from({ length: CONCURRENCY }, askWhole));
  return (CONCURRENCY * 1000) / (performance.now() - begin);
}

/** Has wrk ask for one page after the other. */
function writeScript(folder: string, starts: readonly number[]): string {
  const file = join(folder, "pages.lua");
  const paths = starts.map((since) => `"/api/orders?since_id=${since}"`);
  const next = "at = at % #paths + 1\n  return wrk.format('GET', paths[at])";
  writeFileSync(file, `local paths = {${paths}}\nlocal at = 0\nrequest = function()\n  ${next}\nend\n`);
  return file;
}
