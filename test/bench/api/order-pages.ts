import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Connection, RowDataPacket } from "mysql2/promise";
import { weightBudget } from "../../weight-budget.ts";
import { interleave } from "../rounds.ts";
import type { Row } from "../table.ts";
import { runWrk } from "../wrk.ts";
import type { BenchDatabase } from "./database.ts";
import { AS_PARTNER, type Peer } from "./processes.ts";

export const CONCURRENCY = 16;
const SECONDS = 2;
/** Number of pages requested in turn, spread over all orders. */
const SPREAD = 1_000;

export interface Servers {
  /** Base address of the API. */
  api: string;
  raw: Peer;
  naive: Peer;
}

/** Pages a second of each side, in the order of the rounds. */
export type PageRates = Readonly<Record<string, number[]>>;

/** Measures every kind of page, ours and the peers', with `orders` orders in the database. */
export async function measurePages(database: BenchDatabase, servers: Servers, orders: number): Promise<PageRates> {
  const ask = async (url: string, script?: string) => {
    const load = { connections: CONCURRENCY, seconds: SECONDS, timeoutSeconds: 30 };
    return (await runWrk({ url, script, headers: AS_PARTNER, ...load })).requestsPerSecond;
  };
  const sides: Record<string, () => Promise<number>> = {};
  const starts = Array.from({ length: SPREAD }, (_, index) => Math.floor((index * (orders - PAGE)) / SPREAD));
  const wrkScript = writeWrkScript(database.folder, starts);
  sides["http"] = () => ask(servers.api, wrkScript);
  const readRaw = async (asJson: boolean) =>
    Number(await servers.raw.ask({ starts, seconds: SECONDS, concurrency: CONCURRENCY, asJson }));
  sides["raw"] = () => readRaw(false);
  sides["raw json"] = () => readRaw(true);
  for (const kind of PAGE_KINDS) {
    const last = await findLastPage(database.connection, kind);
    sides[`first ${kind.name}`] = () => ask(servers.api + pathOf(kind, 0));
    sides[`last ${kind.name}`] = () => ask(servers.api + pathOf(kind, last));
  }
  sides["naive first"] = () => ask(`${servers.naive.firstMessage}/orders?offset=0`);
  sides["naive last"] = () => askOnce(`${servers.naive.firstMessage}/orders?offset=${orders - PAGE}`);
  await interleave(sides, 1); // warms up new processes
  return interleave(sides);
}

/** Pages a second with one request per connection, because a deep page may take seconds. */
async function askOnce(url: string): Promise<number> {
  const begin = performance.now();
  const askWhole = async () => (await fetch(url)).arrayBuffer();
  await Promise.all(Array.from({ length: CONCURRENCY }, askWhole));
  return (CONCURRENCY * 1000) / (performance.now() - begin);
}

/** Writes a wrk script that requests one page after the other. */
function writeWrkScript(folder: string, starts: readonly number[]): string {
  const file = join(folder, "pages.lua");
  const paths = starts.map((since) => `"/api/orders?since_id=${since}"`);
  const next = "at = at % #paths + 1\n  return wrk.format('GET', paths[at])";
  writeFileSync(file, `local paths = {${paths}}\nlocal at = 0\nrequest = function()\n  ${next}\nend\n`);
  return file;
}

export const PAGE = 50;

/** A way to page through the orders. */
export interface PageKind {
  name: string;
  parameter: "since_id" | "changed_after";
  column: "id" | "sequence";
  statuses: readonly string[];
}

const walks = [
  { parameter: "since_id", column: "id" },
  { parameter: "changed_after", column: "sequence" },
] as const;
const filters = [[], ["pending"], ["pending", "on_hold"]] as const;

/** All kinds: by id and by change, with no, one and two statuses. */
export const PAGE_KINDS: readonly PageKind[] = walks.flatMap((walk) =>
  filters.map((statuses) => ({
    ...walk,
    statuses,
    name: [walk.parameter, ...(statuses.length > 0 ? [`status=${statuses}`] : [])].join(", "),
  })),
);

/** The path of the page after `after`. */
const pathOf = ({ parameter, statuses }: PageKind, after: number): string =>
  `/api/orders?${parameter}=${after}${statuses.length > 0 ? `&status=${statuses}` : ""}`;

/** The id or sequence after which the last full page begins. */
async function findLastPage(connection: Connection, { column, statuses }: PageKind): Promise<number> {
  const [[row]] = await connection.query<RowDataPacket[]>(
    `select ${column} as number from orders ${statuses.length > 0 ? "where status in (?)" : ""} order by ${column} desc limit 1 offset ${PAGE}`,
    [statuses],
  );
  return row?.["number"];
}

const LIMITS = [1, 50, 250];

/** Counts the SELECTs that the server receives for each kind of page, at several limits. */
export async function countStatements({ connection }: BenchDatabase, api: string): Promise<Row> {
  const asked = async () => {
    const [[row]] = await connection.query<RowDataPacket[]>("show global status like 'Com_select'");
    return Number(row?.["Value"]);
  };
  const count = async (path: string, limit: number) => {
    const before = await asked();
    const answer = await fetch(`${api}${path}&limit=${limit}`, { headers: AS_PARTNER });
    const { orders } = (await answer.json()) as { orders: unknown[] };
    if (orders.length !== limit) throw new Error(`A page of ${limit} orders came with ${orders.length}.`);
    return (await asked()) - before;
  };
  const counts: number[] = [];
  for (const kind of PAGE_KINDS) {
    for (const limit of LIMITS) {
      const path = pathOf(kind, 0);
      // The API also polls for due deliveries; the least of three counts excludes that.
      counts.push(Math.min(await count(path, limit), await count(path, limit), await count(path, limit)));
    }
  }
  return {
    what: "Statements for a page of orders",
    unit: "statements",
    ours: { name: "API", values: [Math.max(...counts)] },
    bar: { atMost: weightBudget.statementsOfList },
    note: `the most that any kind of page took, ${LIMITS.join(", ")} orders long; counted by the server`,
  };
}
