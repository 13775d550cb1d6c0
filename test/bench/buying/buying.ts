import { rmSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "../../../nginx/local/child-process.ts";
import { step } from "../../../nginx/local/report.ts";
import { apiProgram } from "../../../nginx/local/services.ts";
import { ensureSystemPackages } from "../../../nginx/local/system-packages.ts";
import { addCleanup } from "../../cleanup.ts";
import { buildSite, copyWorkspace } from "../../workspace.ts";
import { type BenchDatabase, startDatabase } from "../api/database.ts";
import type { Findings, Row } from "../table.ts";
import { measureCounting } from "./counting.ts";
import { measurePages } from "./page-times.ts";
import { measurePlacing } from "./placing.ts";
import { runRush } from "./rush.ts";

/** The demo shop on a private database, with the pages of its build. */
export interface BenchShop extends BenchDatabase {
  /** Environment of its API processes. */
  settings: Record<string, string>;
  /** SKUs that can be ordered. */
  skus: readonly string[];
}

/** Buying: how fast pages come and orders are placed, and whether all is right after a rush. */
export async function benchBuying(): Promise<Findings> {
  ensureSystemPackages(["wrk"]);
  const shop = await step("shop", async () => ({
    summary: "the demo shop, built and imported",
    value: await openShop(),
  }));
  const measure = (name: string, summary: string, run: (shop: BenchShop) => Promise<Row[]>) =>
    step(name, async () => ({ summary, value: await run(shop) }));
  return {
    rows: [
      ...(await measure("rush", "2,000 checkouts, 8 processes, killed in turn", runRush)),
      ...(await measure("pages", "one and 50 shoppers at a time", measurePages)),
      ...(await measure("placing", "8 orders at a time", measurePlacing)),
      ...(await measure("counting", "10,000 SKUs, and orders meanwhile", measureCounting)),
    ],
  };
}

async function openShop(): Promise<BenchShop> {
  const copy = copyWorkspace();
  addCleanup(() => rmSync(copy, { recursive: true, force: true }));
  const { dist } = await buildSite(copy);
  const database = await startDatabase();
  const env = { DATABASE_URL: database.url };
  await runToEnd("The import", process.execPath, apiProgram("commands/import.ts", join(dist, "products.json")), {
    env,
  });
  const variants = await database.db
    .selectFrom("product_variants")
    .select("sku")
    .where("availability", "=", "in_stock")
    .orderBy("sku")
    .execute();
  const settings = { SESSION_PAGES: join(dist, ".session"), PLACEMENTS_PER_HOUR: "999999" };
  return { ...database, settings, skus: variants.map(({ sku }) => sku) };
}
