import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { Availability } from "../../api/contract/availability.ts";

/**
 * What is so of a version in place of what content/ says of it: how it can be had, where it's counted, and its price, where
 * that is the ERP's.
 */
interface StockFact {
  availability?: Availability;
  /** The expected day, YYYY-MM-DD. */
  available_from?: string | null;
  /** Whether these are its last pieces. */
  few_left?: boolean;
  /** With the currency's digits. */
  price?: string;
  currency?: string;
}

/** By SKU, of versions that are counted or priced by the ERP. */
export type StockFacts = Readonly<Record<string, StockFact>>;

/** In site/, written by `npm run refresh` (nginx/release/refresh.ts); not in content/, since it follows every sale. */
export const FACTS = ".facts.json";

/** Reads facts from a file; none if there is no such file. */
export const readFacts = (file: string): StockFacts => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {});

/** Equal for equal facts; empty without any. */
export function hashFacts(facts: StockFacts): string {
  const sorted = Object.entries(facts).sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.length === 0 ? "" : createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}

// Shared with pages, which are rendered from a bundle with another instance of this module, in the same process. So
// the dev server and previews, which share none, show what content/ says.
const shared = globalThis as { twinfrontStockFacts?: StockFacts };

/** Gives facts to the pages that this process renders. */
export function shareFacts(facts: StockFacts): void {
  shared.twinfrontStockFacts = facts;
}

export const factOf = (sku: string): StockFact | undefined => shared.twinfrontStockFacts?.[sku];
