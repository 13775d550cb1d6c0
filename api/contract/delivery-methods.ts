import { parseMoney } from "./money.ts";

/** What a method's price depends on: grams, the value of the goods at home, or pieces. */
export const MEASURES = ["weight", "value", "pieces"] as const;
export type Measure = (typeof MEASURES)[number];

/** The method of a zone that has a price of its own, as orders name it. */
export const STANDARD = { code: "standard", name: "Standard delivery" } as const;
/** The code of goods that the customer collects. No method of a zone has it. */
export const PICKUP = "pickup";

/** Goods up to a measure, and what delivering them costs; `up_to` is inclusive, and null where there is no limit. */
interface Tier {
  up_to: string | null;
  price: string;
}

/** What of a delivery method decides its price. Amounts are at home, with tax as the shop's other prices. */
export interface DeliveryMethod {
  code: string;
  name: string;
  by: Measure;
  /** Ascending. */
  tiers: readonly Tier[];
  /** The value of goods from which it is free. */
  free_from: string | null;
}

/** What a delivery consists of; `weight_g` is null where nobody wrote a weight. */
export interface Parcel {
  weight_g: number | null;
  value: string;
  pieces: number;
}

/**
 * The price of a method for a parcel, at home; undefined where the parcel is above its last tier, or it goes by weight
 * and that isn't known.
 */
export function deliveryPrice({ by, tiers, free_from }: DeliveryMethod, parcel: Parcel): string | undefined {
  const measured = { weight: parcel.weight_g, value: parcel.value, pieces: parcel.pieces }[by];
  if (measured === null) return undefined;
  const amount = parseMoney(String(measured));
  const tier = tiers.find(({ up_to }) => up_to === null || amount <= parseMoney(up_to));
  if (tier === undefined) return undefined;
  const isFree = free_from !== null && parseMoney(parcel.value) >= parseMoney(free_from);
  return isFree ? freeOf(tier.price) : tier.price;
}

/** No money, with as many decimals as a price. */
export const freeOf = (price: string): string => price.replace(/\d/g, "0").replace(/^0+(?=0)/, "");
