import { sql } from "kysely";
import type { FeedProduct } from "../../contract/built-files/products.ts";
import { currencyDigits, payableDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import { now, toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { inTransaction, READ_COMMITTED } from "../../platform/database/transaction.ts";
import { asOfNow, ERP_CURRENCY, OFFER_COLUMNS } from "./variants.ts";

/** A price that a partner's ERP sends, as isPrice allows it; `confirm`: it's meant, even if it's far from the one in force. */
export interface SentPrice {
  sku: string;
  price: string;
  confirm: boolean;
}

/** Which shop's currency prices are in, from when on they hold, and the beginning of the hash of the sender's token. */
export interface Sending {
  currency: string;
  at: Date;
  by: string;
}

/**
 * Why a row was left: nothing has its SKU; the ERP has sent a later price; it has sent another price of this very time; the
 * price is so far from the one in force that it may be a slip.
 */
export type PriceRejection = "unknown-sku" | "stale" | "conflict" | "confirm-needed";

interface Stored {
  stored: { sku: string; price: string; currency: string; at: string }[];
  rejected: { sku: string; type: PriceRejection }[];
}

/** Digits before the point, as in content/. */
const MOST_DIGITS = 12;
/** A change beyond so many times the price in force, or such a part of it, must be confirmed. */
const MOST_CHANGE = 5n;
/** Rows that are locked at a time, as those of a count are (../stock/counts.ts). */
const ROWS_AT_ONCE = 50;
/** Rows of a few short columns that one statement writes. */
const WRITTEN_AT_ONCE = 1_000;

/**
 * Whether a price is one that content/ may have: above zero, with exactly the currency's digits after the point, or without
 * any where nobody can pay a fraction.
 */
export function isPrice(text: string, currency: string): boolean {
  try {
    const amount = parseMoney(text, payableDigits(currency));
    const forms = [currencyDigits(currency), payableDigits(currency)].map((digits) => formatMoney(amount, digits));
    return amount > 0n && forms.includes(text) && text.replace(/\..*/, "").length <= MOST_DIGITS;
  } catch {
    return false;
  }
}

/** A stored price as programs get it, with the currency's digits. */
export const showPrice = (price: string, currency: string): string =>
  formatMoney(parseMoney(price), currencyDigits(currency));

/**
 * Stores prices of a partner's ERP, of which no SKU stands twice: from then on they are in force. A row that can't be stored
 * is left and named.
 */
export async function storePrices(db: Db, prices: readonly SentPrice[], sending: Sending): Promise<Stored> {
  const sorted = prices.toSorted((a, b) => (a.sku < b.sku ? -1 : 1)); // as rows are locked (../stock/ledger.ts)
  const all: Stored = { stored: [], rejected: [] };
  for (let first = 0; first < sorted.length; first += ROWS_AT_ONCE) {
    const chunk = sorted.slice(first, first + ROWS_AT_ONCE);
    const { stored, rejected } = await inTransaction(
      db,
      (transaction) => storeChunk(transaction, chunk, sending),
      // What is stored is read after the lock, as it is then.
      READ_COMMITTED,
    );
    all.stored.push(...stored);
    all.rejected.push(...rejected);
  }
  return all;
}

async function storeChunk(transaction: Db, prices: readonly SentPrice[], sending: Sending): Promise<Stored> {
  const { currency, at, by } = sending;
  const skus = prices.map(({ sku }) => sku);
  // Each SKU has a row here, so that of two messages about one of them the later waits for the other.
  await transaction.selectFrom("stock").select("sku").where("sku", "in", skus).orderBy("sku").forUpdate().execute();
  const known = await readKnown(transaction, skus);
  const judged = prices.map((row) => ({
    row,
    before: known.get(row.sku),
    type: judge(known.get(row.sku), row, sending),
  }));
  const rejected = judged.flatMap(({ row: { sku }, type }) => (type ? { sku, type } : []));
  const taken = judged.flatMap(({ row: { sku, price }, before, type }) =>
    type ? [] : { sku, price: toDecimal(price), before },
  );
  if (taken.length === 0) return { stored: [], rejected };
  await transaction
    .insertInto("erp_prices")
    .values(taken.map(({ sku, price }) => ({ sku, price, currency, priced_at: at, sent_by: by })))
    .onDuplicateKeyUpdate({
      price: sql`values(price)`,
      currency: sql`values(currency)`,
      priced_at: sql`values(priced_at)`,
      sent_by: sql`values(sent_by)`,
    })
    .execute();
  const changed = taken.filter(({ price, before }) => price !== before?.inForce);
  await addToHistory(
    transaction,
    changed.map(({ sku, price }) => ({ sku, price, currency, priced_at: at, sent_by: by })),
  );
  const stored = taken.map(({ sku, price }) => {
    return { sku, price: showPrice(price, currency), currency, at: at.toISOString() };
  });
  return { stored, rejected };
}

/** What the shop knows of a version's price. */
interface Known {
  /** The price that is in force. */
  inForce: string;
  /** What the ERP has sent last. */
  sent: { price: string; currency: string; at: Date } | undefined;
}

async function readKnown(transaction: Db, skus: readonly string[]): Promise<Map<string, Known>> {
  const rows = await transaction
    .selectFrom("product_variants")
    .leftJoin("stock", "stock.sku", "product_variants.sku")
    .leftJoin("erp_prices as sent", "sent.sku", "product_variants.sku")
    .selectAll("product_variants")
    .select(OFFER_COLUMNS)
    .select(["sent.price as sent_price", "sent.currency as sent_currency", "sent.priced_at"])
    .where("product_variants.sku", "in", skus)
    .execute();
  return new Map(
    rows.map(({ sent_price: price, sent_currency: currency, priced_at, ...row }) => {
      const wasSent = price !== null && currency !== null && priced_at !== null;
      const sent = wasSent ? { price, currency, at: new Date(toRfc3339(priced_at)) } : undefined;
      return [row.sku, { inForce: asOfNow(row).price, sent }];
    }),
  );
}

function judge(
  known: Known | undefined,
  { price, confirm }: SentPrice,
  { currency, at }: Sending,
): PriceRejection | undefined {
  if (!known) return "unknown-sku";
  const { inForce, sent } = known;
  const later = sent ? at.getTime() - sent.at.getTime() : 1;
  if (later < 0) return "stale";
  if (later === 0) return sent?.price === toDecimal(price) && sent.currency === currency ? undefined : "conflict";
  const [before, after] = [parseMoney(inForce), parseMoney(price)];
  const isFar = after > before * MOST_CHANGE || after * MOST_CHANGE < before;
  return isFar && !confirm ? "confirm-needed" : undefined;
}

/** As DECIMAL(19,4) is read. */
export const toDecimal = (price: string): string => formatMoney(parseMoney(price), 4);

interface PricedVersion {
  sku: string;
  price: string;
  currency: string;
  priced_at: Date;
  sent_by: string | null;
}

async function addToHistory(transaction: Db, prices: readonly PricedVersion[]): Promise<void> {
  for (let first = 0; first < prices.length; first += WRITTEN_AT_ONCE)
    await transaction
      .insertInto("price_history")
      .values(prices.slice(first, first + WRITTEN_AT_ONCE).map((price) => ({ ...price, stored_at: now() })))
      .execute();
}

/** The ERP's prices that are in force, by SKU. */
export type ErpPrices = ReadonlyMap<string, PricedVersion>;

export async function readErpPrices(db: Db): Promise<ErpPrices> {
  const rows = await db.selectFrom("erp_prices").selectAll().where("currency", "=", ERP_CURRENCY).execute();
  return new Map(rows.map((row) => [row.sku, { ...row, priced_at: new Date(toRfc3339(row.priced_at)) }]));
}

/**
 * Adds the prices of a catalogue with the ERP's, which is imported at a time, to the history, where they are others
 * than before.
 */
export async function recordPrices(
  transaction: Db,
  catalogue: readonly FeedProduct[],
  erpPrices: ErpPrices,
  at: Date,
): Promise<void> {
  const last = transaction
    .selectFrom("price_history")
    .select(({ fn }) => fn.max("id").as("id"))
    .groupBy("sku");
  const rows = await transaction
    .selectFrom("price_history")
    .select(["sku", "price", "currency"])
    .where("id", "in", last)
    .execute();
  const known = new Map(rows.map(({ sku, price, currency }) => [sku, `${price} ${currency}`]));
  const prices = catalogue.flatMap(({ variants }) =>
    variants.map(({ sku, price, currency }) => {
      const own = { sku, price: toDecimal(price), currency, priced_at: at, sent_by: null };
      return erpPrices.get(sku) ?? own;
    }),
  );
  await addToHistory(
    transaction,
    prices.filter(({ sku, price, currency }) => known.get(sku) !== `${price} ${currency}`),
  );
}
