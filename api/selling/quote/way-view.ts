import Type, { type Static } from "typebox";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { STANDARD } from "../../contract/delivery-methods.ts";
import { townLines } from "../../contract/postal-address.ts";
import { nullable } from "../../platform/http/schema-types.ts";
import type { Way } from "./quote.ts";
import { PriceView, viewPrice } from "./unit-price.ts";

/** A way to have goods delivered, or to collect them, as pages offer it. */
export const WayView = Type.Object({
  code: Type.String(),
  /** Null where it has no name but that of the only one. */
  name: nullable(Type.String()),
  price: PriceView,
  is_free: Type.Boolean(),
  /** Working days from payment to arrival, or until goods can be collected, where all is in stock. */
  days_min: Type.Integer(),
  days_max: Type.Integer(),
});

export const viewWay = ({ tax }: ShopFacts, { code, title, net, total, days }: Way): Static<typeof WayView> => ({
  code,
  name: nameOfWay(code, title),
  price: viewPrice(net, total, net !== total, tax.name),
  is_free: Number(total) === 0,
  days_min: days.min,
  days_max: days.max,
});

/** Null for the delivery of a zone with a price, whose name orders have in English. */
export const nameOfWay = (code: string, title: string): string | null =>
  code === STANDARD.code && title === STANDARD.name ? null : title;

/** Where goods are collected, and when somebody is there. */
export const PickupView = Type.Object({
  name: Type.String(),
  /** Without the country. */
  lines: Type.Array(Type.String()),
  country_code: Type.String(),
  hours: nullable(Type.String()),
});

/** Null where the shop has no such place, or none any more. */
export function viewPickup({ shipping }: ShopFacts): Static<typeof PickupView> | null {
  if (!shipping?.pickup) return null;
  const { name, street, country_code, hours } = shipping.pickup;
  return { name, lines: [street, ...townLines({ ...shipping.pickup, region: null })], country_code, hours };
}
