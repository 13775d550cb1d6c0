import { describeUnstorable } from "../database/column-limits.ts";

/** Characters of the columns that are shorter than TEXT. */
const CHARACTERS = new Map([
  ["sku", 191],
  ["gtin", 14],
  ["external_id", 191],
  ["method", 64],
  ["reference", 255],
]);

/**
 * Throws RangeError on what an order's columns would refuse or change, before the counter is taken: half characters,
 * texts that are too long, dates that are none, numbers that are not whole. `place`: `order.lines.0.sku`.
 */
export function refuseUnstorable(value: unknown, place = "order"): void {
  const fault = describeFault(value, place.slice(place.lastIndexOf(".") + 1));
  if (fault !== undefined) throw new RangeError(`${place} ${fault}.`);
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) refuseUnstorable(part, `${place}.${name}`);
}

function describeFault(value: unknown, name: string): string | undefined {
  if (typeof value === "string") return describeUnstorable(value, CHARACTERS.get(name));
  // Of an order every number is an id or a count: money and rates are strings.
  if (typeof value === "number")
    return Number.isSafeInteger(value) && value >= 0 ? undefined : "is no whole number from 0";
  if (!(value instanceof Date)) return undefined;
  const year = value.getUTCFullYear(); // NaN when it is no date
  return year >= 1000 && year <= 9999 ? undefined : "is no date from the year 1000 to 9999";
}
