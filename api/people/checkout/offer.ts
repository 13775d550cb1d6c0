import { createHash } from "node:crypto";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { PICKUP } from "../../contract/delivery-methods.ts";
import { type WayToPay, waysToPay } from "../../contract/ways-to-pay.ts";
import { boundsOf, type Variant } from "../../selling/catalogue/variants.ts";
import { isChargeable } from "../../selling/payments/amounts.ts";
import { canDeliver, isOrderable, type Quote, quote } from "../../selling/quote/quote.ts";
import type { Destination } from "../../selling/quote/tax.ts";
import type { BasketLine } from "../basket/queries.ts";
import type { Checkout } from "./queries.ts";

/** A line of the basket that can be ordered. */
export type OrderableLine = BasketLine & { variant: Variant };

/** What the review page shows and the customer agrees to. */
export interface Offer {
  lines: OrderableLine[];
  quote: Quote;
  /** Of everything that the page shows and the customer agrees to, and of nothing else: it differs as soon as any does. */
  hash: string;
  /** What `quote` shows, for the form to bring back (readShown). */
  shown: string;
}

export const orderableLines = (basket: readonly BasketLine[]): OrderableLine[] =>
  basket.filter((line): line is OrderableLine => line.variant !== undefined && isOrderable(line.variant));

/**
 * Prices what can be ordered of a basket for a checkout's address and its way of delivery. Undefined where no way takes
 * the goods there. Throws RangeError if there are none, or if the shop doesn't deliver there (any more).
 */
export function makeOffer(
  shop: ShopFacts,
  { details, vat_check }: Checkout,
  lines: OrderableLine[],
): Offer | undefined {
  if (!canDeliver(shop, lines, destinationOf({ details, vat_check }), details.method ?? null)) return undefined;
  const priced = quoteCheckout(shop, { details, vat_check }, lines);
  const { shipping, totals } = priced;
  const agreedLines = priced.lines.map(({ variant, quantity, unit_price }) => {
    const { sku, availability, available_from } = variant;
    return [sku, quantity, unit_price, availability, available_from];
  });
  const parts = partsOf(shop, { details, vat_check }, priced);
  const hashes = PARTS.map((part) => hashOf(parts[part]).slice(0, 6));
  // Another way to pay changes nothing for who has chosen one, nor does the order of the lines.
  const { ways, ...terms } = parts;
  const agreed = { lines: inAnyOrder(agreedLines), shipping: shipping.price, totals, ...terms };
  return { lines, quote: priced, hash: hashOf(agreed), shown: writeShown(priced, hashes) };
}

const inAnyOrder = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).sort();

const hashOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("base64url");

/** What a page shows besides quantities, amounts and availability: when the hash of one differs, the page names it. */
export const PARTS = [
  "names",
  "currency",
  "tax",
  "days",
  "address",
  "contact",
  "vat",
  "account",
  "terms",
  "ways",
  "method",
] as const;
export type Part = (typeof PARTS)[number];

function partsOf(shop: ShopFacts, { details, vat_check }: Omit<Checkout, "id">, quoted: Quote): Record<Part, unknown> {
  const { shipping_address, billing_address, vat_id, method: _, ...contact } = details;
  const { code, title, days } = quoted.shipping;
  const pickup = code === PICKUP ? (shop.shipping?.pickup ?? null) : null;
  const { account_holder, bank, iban, bic, due_days } = shop.transfer ?? {};
  return {
    names: inAnyOrder(quoted.order.lines.map(({ sku, name }) => [sku, name])),
    currency: quoted.currency,
    tax: [quoted.treatment, quoted.tax_lines.map(({ title, rate }) => [title, rate]), quoted.prices_include_tax],
    days: quoted.all_in_stock && days,
    address: [pickup ? null : shipping_address, billing_address],
    contact,
    vat: [vat_id, vat_check?.vat_id, vat_check?.result],
    account: [account_holder, bank, iban, bic],
    terms: due_days ?? null,
    ways: waysToPay(shop),
    method: [code, title, pickup],
  };
}

/** The address of delivery; null where goods are collected and none was given. */
function destinationOf({
  details: { shipping_address },
  vat_check,
}: Pick<Checkout, "details" | "vat_check">): Destination | null {
  return (
    shipping_address && {
      country: shipping_address.country_code,
      postal_code: shipping_address.postal_code,
      vat_check,
    }
  );
}

/** Whether there are more pieces of something than can be ordered. What is left isn't hashed: only too little matters. */
export const isTooMany = (shop: ShopFacts, { lines }: Offer): boolean =>
  lines.some(({ variant, quantity }) => boundsOf(shop, variant, quantity).most !== null);

/**
 * The price of one piece of each line at the prices that the basket had when the customer last changed it; none if all
 * are the same now.
 */
export function pricesWhenAdded(shop: ShopFacts, checkout: Checkout, lines: readonly OrderableLine[]): string[] {
  if (lines.every(({ variant, seen_price }) => seen_price === variant.price)) return [];
  const then = lines.map((line) => ({ ...line, variant: { ...line.variant, price: line.seen_price } }));
  return quoteCheckout(shop, checkout, then).lines.map(({ unit_price }) => unit_price);
}

/** The ways to pay an offer, the one that is suggested first: by card only what the provider can take. */
export const waysToPayOffer = (shop: ShopFacts, { quote: { totals } }: Offer): WayToPay[] =>
  waysToPay(shop).filter((way) => way !== "card" || isChargeable(totals.total, shop.currency));

const quoteCheckout = (shop: ShopFacts, checkout: Omit<Checkout, "id">, lines: readonly OrderableLine[]) =>
  quote(shop, lines, destinationOf(checkout), checkout.details.method);

/** What an earlier review page showed. */
export interface Shown {
  lines: Map<string, { quantity: number; unit_price: string; availability: string }>;
  shipping: string;
  total: string;
  /** In the order of PARTS; undefined in the form of an earlier release. */
  parts: string[] | undefined;
  /** The code of the way of delivery; undefined in the form of an earlier release. */
  method: string | undefined;
}

const AMOUNT = "(?:0|[1-9][0-9]{0,14})(?:\\.[0-9]{1,4})?";
const LINE = `[\\w-]{8}:[1-9][0-9]{0,9}:${AMOUNT}:[bip](?:[0-9]{8})?`;
const METHOD = "[a-z0-9_-]{1,64}";
/** What writeShown writes, and wrote in earlier releases, whose pages are still open somewhere. */
export const SHOWN_PATTERN = `^${LINE}(?:,${LINE})*;${AMOUNT};${AMOUNT}(?:;[\\w-]{6}(?::[\\w-]{6}){0,20}(?:;${METHOD})?)?$`;

/** Short enough for a form with 100 lines. It only marks what differs from an earlier page; the hash decides. */
const writeShown = ({ lines, shipping, totals }: Quote, parts: readonly string[]): string =>
  [
    lines
      .map(({ variant, quantity, unit_price }) =>
        [lineKey(variant.sku), quantity, unit_price, availabilityKey(variant)].join(":"),
      )
      .join(","),
    shipping.price,
    totals.total,
    parts.join(":"),
    shipping.code,
  ].join(";");

/** Reads a text that matches SHOWN_PATTERN. */
export function readShown(text: string): Shown {
  const [lines = "", shipping = "", total = "", written = "", method] = text.split(";");
  const parts = written.split(":");
  const entries = lines.split(",").map((line) => {
    const [key = "", quantity, unit_price = "", availability = ""] = line.split(":");
    return [key, { quantity: Number(quantity), unit_price, availability }] as const;
  });
  return { lines: new Map(entries), shipping, total, parts: parts.length === PARTS.length ? parts : undefined, method };
}

/** The parts that differ from those of an earlier page. */
export function changedParts({ shown }: Offer, before: Shown): Part[] {
  const now = readShown(shown).parts;
  return PARTS.filter((_part, index) => before.parts && before.parts[index] !== now?.[index]);
}

/** Stands for a SKU in a Shown. */
export const lineKey = (sku: string): string => createHash("sha256").update(sku).digest("base64url").slice(0, 8);

/** Stands for when a version can be dispatched in a Shown: `i`, or `p20270201` for a pre-order with its day. */
export const availabilityKey = ({ availability, available_from }: Variant): string =>
  availability.charAt(0) + (available_from ?? "").replaceAll("-", "");
