import { MAX_QUANTITY } from "../../contract/order-quantity.ts";
import { SKU } from "../../contract/patterns.ts";

/** A version and how many pieces of it. */
export interface Item {
  sku: string;
  quantity: number;
}

/** In one basket, and so in one link. */
export const MAX_LINES = 100;

/** What a page takes as a quantity, without blanks around it: 0 to 999, so neither "1e3" nor "-1" nor "²". */
export function readQuantity(text: string): number | undefined {
  return /^(0|[1-9][0-9]{0,2})$/.test(text.trim()) ? Number(text) : undefined;
}

/**
 * Reads `KES-C2-BK:2,~base64url:1`, the path of a UCP permalink: an id outside of [A-Za-z0-9._-] is written as `~` and
 * base64url of its UTF-8, canonical and without padding. A version that is named twice counts together. Undefined if
 * the text isn't such a list, or has more than 100 versions or 999 pieces of one. Whether a SKU exists isn't checked.
 */
export function parseItems(text: string): Item[] | undefined {
  const quantities = new Map<string, number>();
  for (const pair of text.split(",")) {
    const [, id = "", digits] = /^([A-Za-z0-9._-]+|~[A-Za-z0-9_-]+):([1-9][0-9]{0,2})$/.exec(pair) ?? [];
    const sku = id.startsWith("~") ? decode(id.slice(1)) : id;
    if (!sku) return undefined;
    quantities.set(sku, (quantities.get(sku) ?? 0) + Number(digits));
  }
  const items = [...quantities].map(([sku, quantity]) => ({ sku, quantity }));
  return items.length <= MAX_LINES && items.every(({ quantity }) => quantity <= MAX_QUANTITY) ? items : undefined;
}

/** Writes what parseItems reads. */
export const writeItems = (items: readonly Item[]): string =>
  items.map(({ sku, quantity }) => `${writeId(sku)}:${quantity}`).join(",");

/** A SKU as the id of a link. */
const writeId = (sku: string): string =>
  /^[A-Za-z0-9._-]+$/.test(sku) ? sku : `~${Buffer.from(sku).toString("base64url")}`;

/** Every SKU is printable ASCII. */
function decode(encoded: string): string | undefined {
  const sku = Buffer.from(encoded, "base64url").toString("latin1");
  const canonical = Buffer.from(sku, "latin1").toString("base64url") === encoded;
  return canonical && new RegExp(SKU).test(sku) ? sku : undefined;
}
