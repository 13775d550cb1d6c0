import { appendFileSync } from "node:fs";

/**
 * What costs most of a run: builds from nothing, in the folder of an earlier one, and quick ones; builds made once for many files
 * (built-shops.ts); Node processes; and so on.
 */
export const COSTS = [
  "builds",
  "rebuilds",
  "quickBuilds",
  "builtShops",
  "processes",
  "databases",
  "pages",
  "cmsOpenings",
] as const;
export type Cost = (typeof COSTS)[number];

/**
 * Notes one `cost` of the test file that runs, and of its case. Does nothing where nobody counts, such as when vitest is run
 * by hand.
 */
export function note(cost: Cost): void {
  const { TEST_COSTS: ledger, TEST_CASE: name = "" } = process.env;
  // One short write, which the kernel appends as a whole, whoever else appends (write(2), O_APPEND).
  if (ledger) appendFileSync(ledger, `${cost}\t${name}\n`);
}
