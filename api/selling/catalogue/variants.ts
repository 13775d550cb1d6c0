import { type Selectable, sql } from "kysely";
import type { Content, FeedProduct } from "../../contract/built-files/products.ts";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import {
  greatestQuantity,
  isSoldIn,
  MAX_QUANTITY,
  nearestQuantities,
  type OrderQuantity,
  type QuantityRule,
  quantityRule,
} from "../../contract/order-quantity.ts";
import { readJson, writeJson } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { Tables } from "../../platform/database/tables.ts";
import { addSkus } from "../stock/ledger.ts";

export type StoredVariant = Selectable<Tables["product_variants"]>;

/** Whether a version can be had, and when. */
type Offered = Pick<StoredVariant, "availability" | "available_from">;

/**
 * A version of a product as it can be ordered now; `price` has four digits after the point, as DECIMAL(19,4) has, and is the
 * ERP's where that is in force. Where it is counted, `availability` and `available_from` follow from what is left. Otherwise
 * they are those of content/.
 */
export interface Variant extends StoredVariant {
  /**
   * Where it is counted: the pieces that are free to sell and that its numbers allow, below 0 too, and how more of them can be
   * had.
   */
  counted?: { left: number; beyond: Offered };
}

/** In which numbers a version is sold. */
export const soldIn = ({
  order_least: least,
  order_step: step,
}: Pick<StoredVariant, "order_least" | "order_step">) => ({
  least,
  step,
});

/** The variants with these SKUs, by SKU; those that were never imported are missing. */
export async function findVariants(db: Db, skus: readonly string[]): Promise<Map<string, Variant>> {
  if (skus.length === 0) return new Map();
  const rows = await db
    .selectFrom("product_variants")
    .leftJoin("stock", "stock.sku", "product_variants.sku")
    .selectAll("product_variants")
    .select(OFFER_COLUMNS)
    .where("product_variants.sku", "in", skus)
    .execute();
  return new Map(rows.map((row) => [row.sku, asOfNow(row)]));
}

const SHOP_CURRENCY = sql`json_unquote(json_extract(facts, '$.currency'))`;
const OWNS_PRICE = sql`json_contains(facts, '"price"', '$.erp.owns')`;

/** The currency of the ERP's prices that are in force: the shop's, where store.yaml says that it owns them; else null. */
export const ERP_CURRENCY = sql<string>`(select ${SHOP_CURRENCY} from shop_facts where ${OWNS_PRICE})`;

const IS_IN_FORCE = sql`erp_prices.sku = product_variants.sku and currency = ${ERP_CURRENCY}`;

/** The ERP's price of a row of `product_variants`, where it is in force; else null. */
export const ERP_PRICE = sql<string | null>`(select erp_prices.price from erp_prices where ${IS_IN_FORCE})`;

/** What is left of a row of `product_variants`, beside which stands its row in `stock`. */
export const STOCK_COLUMNS = ["stock.count", "stock.held", "stock.restock_on"] as const;

/** What asOfNow reads beside the columns of `product_variants`. */
export const OFFER_COLUMNS = [...STOCK_COLUMNS, ERP_PRICE.as("erp_price")] as const;

export interface Counted {
  count: number | null;
  held: number | null;
  restock_on: string | null;
}

/** What the tables beside `product_variants` have of a variant. */
export interface Offer extends Counted {
  erp_price: string | null;
}

/** A variant with what is left of it, at the price that is in force. */
export function asOfNow({ count, held, restock_on, erp_price, ...variant }: StoredVariant & Offer): Variant {
  const offer = offerOf({ ...variant, soldIn: soldIn(variant) }, { count, held, restock_on });
  return { ...variant, ...offer, price: erp_price ?? variant.price };
}

/**
 * What becomes of what content/ says of a version, where it's counted. Fewer pieces than the least in which it's sold are none. A day of the count that has passed, in UTC, isn't
 * promised any more, as pages don't.
 */
export function offerOf(
  {
    availability,
    available_from,
    when_sold_out,
    soldIn,
  }: Offered & Pick<StoredVariant, "when_sold_out"> & { soldIn: OrderQuantity },
  { count, held, restock_on }: Counted,
): Offered & Pick<Variant, "counted"> {
  if (count === null || availability === "archived" || availability === "out_of_stock")
    return { availability, available_from };
  const free = count - (held ?? 0);
  const left = Math.min(free, greatestQuantity(soldIn, Math.max(free, 0)));
  const isExpected = when_sold_out === "backorder" && restock_on !== null && restock_on >= today();
  const beyond: Offered =
    availability === "in_stock"
      ? { availability: when_sold_out, available_from: isExpected ? restock_on : null }
      : { availability, available_from };
  const now: Offered = left > 0 ? { availability: "in_stock", available_from: null } : beyond;
  return { ...now, counted: { left, beyond } };
}

const today = () => new Date().toISOString().slice(0, "YYYY-MM-DD".length);

/** A variant as whoever orders so many pieces gets it: where some of them come later, all do. */
export function forPieces(variant: Variant, quantity: number): Variant {
  const { counted } = variant;
  const comesLater = counted && counted.left < quantity && counted.beyond.availability !== "out_of_stock";
  return comesLater ? { ...variant, ...counted.beyond } : variant;
}

/** How many pieces of a line there are, and how many can be ordered. */
export interface Bounds {
  /** The pieces that can be sent now, where it's counted and there are any. */
  left: number | null;
  /** The most that can be ordered, where more are wanted. */
  most: number | null;
  /** In which numbers it is sold; null for any. */
  pieces: PieceRule | null;
}

/** In which numbers of pieces a version is sold, and which come nearest to a number that isn't one. */
export interface PieceRule extends OrderQuantity {
  rule: Exclude<QuantityRule, "any">;
  /** Null where the number that is wanted is one. */
  nearest: number[] | null;
}

/** The numbers in which a version is sold, for somebody who wants `quantity` of it; null for any. */
export function pieceRuleOf(
  { most_per_order }: Pick<ShopFacts, "most_per_order">,
  variant: Variant,
  quantity: number,
): PieceRule | null {
  const sold = soldIn(variant);
  const rule = quantityRule(sold);
  if (rule === "any") return null;
  const most = Math.min(MAX_QUANTITY, most_per_order ?? MAX_QUANTITY);
  return { ...sold, rule, nearest: isSoldIn(sold, quantity) ? null : nearestQuantities(sold, quantity, most) };
}

/** The bounds of a line of an order, whose variant is as forPieces has it. */
export function boundsOf(shop: ShopFacts, variant: Variant, quantity: number): Bounds {
  const { availability, counted } = variant;
  const left = counted && counted.left > 0 ? counted.left : null;
  const bounds = [shop.most_per_order, availability === "in_stock" ? left : null].filter((bound) => bound !== null);
  const bound = Math.min(...bounds);
  const most = bound < quantity ? greatestQuantity(soldIn(variant), bound) : null;
  return { left, most, pieces: pieceRuleOf(shop, variant, quantity) };
}

/** Rows per statement, as in import.ts. */
const ROWS_AT_ONCE = 100;

/**
 * Brings the variants up to date with a catalogue whose products are stored, in their transaction. A SKU that left the
 * catalogue stays, archived, since baskets and orders name it, and isn't expected any more.
 */
export async function storeVariants(transaction: Db, catalogue: readonly FeedProduct[]): Promise<void> {
  const stored = await transaction.selectFrom("product_variants").selectAll().execute();
  const known = new Map(stored.map((row) => [row.sku, JSON.stringify(inOrder(row))]));
  const products = await transaction.selectFrom("products").select(["id", "slug"]).execute();
  const ids = new Map(products.map(({ id, slug }) => [slug, id]));
  const rows = catalogue.flatMap((product) => toVariants(product, ids.get(product.slug) ?? 0));
  const added = rows.filter(({ sku }) => !known.has(sku));
  for (let first = 0; first < added.length; first += ROWS_AT_ONCE)
    await transaction
      .insertInto("product_variants")
      .values(added.slice(first, first + ROWS_AT_ONCE))
      .execute();
  for (let first = 0; first < added.length; first += ROWS_AT_ONCE)
    await addSkus(transaction, added.slice(first, first + ROWS_AT_ONCE));
  for (const { sku, ...columns } of rows) {
    const before = known.get(sku);
    if (before === undefined || before === JSON.stringify(inOrder({ sku, ...columns }))) continue;
    await transaction.updateTable("product_variants").set(columns).where("sku", "=", sku).execute();
  }
  const current = new Set(rows.map(({ sku }) => sku));
  for (const { sku, availability } of stored) {
    if (current.has(sku) || availability === "archived") continue;
    await transaction
      .updateTable("product_variants")
      .set({ availability: "archived", available_from: null })
      .where("sku", "=", sku)
      .execute();
  }
}

/** The columns in one order, to compare two rows as text. */
const inOrder = ({ sku, product_id, product_title, title, path, picture, gtin, options, ...offer }: StoredVariant) => [
  sku,
  product_id,
  product_title,
  title,
  path,
  picture,
  gtin,
  offer.price,
  offer.availability,
  offer.available_from,
  offer.when_sold_out,
  // MySQL writes blanks into JSON.
  options && readJson(options),
  offer.weight_g,
  offer.tax_class,
  contentOf(offer.content && readJson(offer.content)),
  offer.order_least,
  offer.order_step,
];

const contentOf = (content: Content | null) => content && [content.amount, content.unit, content.pieces];

const toVariants = (
  { title: product_title, url, images, variants }: FeedProduct,
  product_id: number,
): StoredVariant[] =>
  variants.map(
    ({ sku, title, gtin, price, availability, available_from, when_sold_out, image, options, ...variant }) => ({
      sku,
      product_id,
      product_title,
      title,
      path: fromRoot(variant.url ?? url),
      picture: images[image] ? fromRoot(images[image].thumbnail) : null,
      gtin,
      price: formatMoney(parseMoney(price), 4), // as DECIMAL(19,4) is read
      availability,
      available_from,
      when_sold_out,
      options: writeJson(Object.entries(options)),
      weight_g: variant.weight_g ?? null,
      tax_class: variant.tax_class ?? null,
      content: variant.content ? writeJson(variant.content) : null,
      order_least: variant.order_quantity?.least ?? 1,
      order_step: variant.order_quantity?.step ?? 1,
    }),
  );

/** Pages show what is of their own origin, whatever its name is. */
function fromRoot(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
