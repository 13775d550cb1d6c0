import { step } from "../../../nginx/local/report.ts";
import { ensureSystemPackages } from "../../../nginx/local/system-packages.ts";
import type { Findings } from "../table.ts";
import { type BenchDatabase, startDatabase } from "./database.ts";
import { measureImports } from "./imports.ts";
import { measureMemory } from "./memory.ts";
import { type Measured, toPagePlots, toPageRows } from "./order-page-rows.ts";
import { countStatements, measurePages } from "./order-pages.ts";
import { checkCopies, columnsWithoutCopies, growOrders, placeTemplates, saveTemplates, TEMPLATES } from "./orders.ts";
import { startApiProcess, startPeer } from "./processes.ts";
import { measureQueue } from "./queue.ts";

/** Numbers of orders, ascending, multiples of 10,000. */
const SIZES = [10_000, 100_000, 1_000_000];

/** Measures imports, order pages at growing sizes, the queue and memory, on a private database. */
export async function benchApi(): Promise<Findings> {
  ensureSystemPackages(["wrk"]);
  const database = await step("database", async () => ({
    summary: "a private MariaDB",
    value: await startDatabase(),
  }));
  const imports = await report("import", "1,000, 3,000 and 10,000 products", () => measureImports(database));
  const pages = await benchPages(database);
  const queue = await report("queue", "1, 2 and 4 processes", () => measureQueue(database));
  const memory = await report("memory", "an hour in two minutes", () => measureMemory(database));
  const parts = [pages, queue, memory, imports];
  return { rows: parts.flatMap(({ rows }) => rows), plots: parts.flatMap(({ plots }) => plots) };
}

const report = <T>(name: string, summary: string, measure: () => Promise<T>): Promise<T> =>
  step(name, async () => ({ summary, value: await measure() }));

/** Grows the table of orders, and measures its pages at each size. */
async function benchPages(database: BenchDatabase): Promise<Required<Findings>> {
  await report("orders", `${TEMPLATES} placed by the API's own code`, async () => {
    await placeTemplates(database.db);
    await saveTemplates(database.connection);
  });
  const columns = await columnsWithoutCopies(database.connection);
  const [raw, naive] = [
    await startPeer("raw-pages.ts", database.socketPath, columns),
    await startPeer("naive-server.ts", database.socketPath, columns),
  ];
  const api = await startApiProcess(database);
  const measured: [number, Measured[number][1]][] = [];
  let present = TEMPLATES;
  for (const orders of SIZES) {
    const summary = orders.toLocaleString("en-GB");
    await report("orders", summary, () => growOrders(database.connection, present, orders));
    present = orders;
    await checkCopies(api.url, orders);
    measured.push([
      orders,
      await report("pages", summary, () => measurePages(database, { api: api.url, raw, naive }, orders)),
    ]);
  }
  const statements = await countStatements(database, api.url);
  for (const { child } of [raw, naive]) child.kill("SIGKILL");
  await api.stop();
  const largest = measured.at(-1);
  return { rows: [...(largest ? toPageRows(largest) : []), statements], plots: toPagePlots(measured) };
}
