import { type OrderQuantity, quantityRule } from "../../../api/contract/order-quantity.ts";
import { sellsOnline as canSell, waysToPay as waysOf } from "../../../api/contract/ways-to-pay.ts";
import type { Variant } from "../../content-schema/product.ts";
import { shop, takesCards } from "../settings/shop.ts";
import { hidden } from "../words/markup.ts";
import { words } from "../words/words.ts";
import type { Product } from "./catalogue.ts";

const ways = { card: takesCards, transfer: shop.payment?.transfer };

/** The ways to pay, in words. */
export const waysToPay: readonly string[] = waysOf(ways).map((way) => words.frame[way]);

/** Whether visitors order on the site: it takes prices of delivery and a way to pay. Otherwise they order by email. */
export const sellsOnline = canSell({ ...ways, shipping: shop.shipping });

/** Whether customers can order the variant; otherwise they can ask about it. */
export const isOrderable = ({ availability }: Variant): boolean => availability !== "out_of_stock";

/** In which numbers of pieces something is sold: `Sold in packs of 6, from 12`; undefined for any. */
export function describePieces(sold: OrderQuantity): string | undefined {
  const rule = quantityRule(sold);
  return rule === "any" ? undefined : words.product.pieceRule[rule]({ least: sold.least, step: sold.step });
}

/** The email link's text: order the variant, or ask about it. */
export const describeOrderByMail = (variant: Variant): string =>
  words.product[isOrderable(variant) ? "orderByMail" : "askByMail"]({ sku: variant.sku });

/** The text of the variant's /buy link, as HTML. */
export const describeBuyLink = ({ sku }: Variant): string => words.product.buyLink({ sku, rest: hidden });

/** The text of a link to the counter with the variant chosen, as HTML. */
export const describeCounterLink = ({ sku }: Variant): string => words.product.buildCounter({ sku, rest: hidden });

/** Whether “Build your counter” can begin with the variant. */
export const beginsCounter = ({ category }: Product, variant: Variant): boolean =>
  category.slug === shop.counter?.begins_with && isOrderable(variant);

/** A mailto: link with a prepared email to the sales desk. It is short, because the Markdown face has one for every variant. */
export function mailLink(variant: Variant): string {
  const { ask, order, when, quantity } = words.letter;
  const [subject, body] = isOrderable(variant)
    ? [order({ sku: variant.sku }), `${quantity({ count: variant.order_quantity.least })}\r\n`]
    : [ask({ sku: variant.sku }), when];
  return `mailto:${shop.sales_email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
