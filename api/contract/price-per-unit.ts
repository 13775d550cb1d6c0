import { currencyDigits } from "./currencies.ts";
import { divideTo, formatMoney, parseMoney, stepOf } from "./money.ts";

/** What one piece holds: `pieces` packages of `amount` `unit`. */
export interface Held {
  amount: string;
  unit: string;
  pieces: number;
}

/** By which unit prices are compared, and how many of the written unit are one of it. */
const BASES: Readonly<Record<string, readonly [base: string, many: bigint]>> = {
  mg: ["kg", 1_000_000n],
  g: ["kg", 1_000n],
  ml: ["l", 1_000n],
  cl: ["l", 100n],
  dl: ["l", 10n],
  mm: ["m", 1_000n],
  cm: ["m", 100n],
  "cm²": ["m²", 10_000n],
};

/**
 * The unit of which pages give the price: by Directive 98/6/EC the kilogram, litre, metre, square or cubic metre, or any other as
 * it is written, such as `label`.
 */
export const baseUnit = (unit: string): string => BASES[unit]?.[0] ?? unit;

/** How much all packages of one piece hold: 6 of 0.5 are `3`. */
export const amountOf = ({ amount, pieces }: Held): string => formatMoney(parseMoney(amount) * BigInt(pieces), 0);

/**
 * Of how much pages give the price, for a net price of one piece: of one `baseUnit`, or of 100 things that cost next to nothing,
 * such as labels, since rounding would leave nothing of their price.
 */
export function unitShown(net: string, held: Held, currency: string): { many: number; text: string } {
  const unit = baseUnit(held.unit);
  const isCheap = parseMoney(pricePerUnit(net, held, currency)) < 10n * stepOf(currencyDigits(currency));
  return isCheap && !LAWFUL.includes(unit) ? { many: 100, text: `100 ${unit}` } : { many: 1, text: unit };
}

/** The units that the directive names; it allows others only where they are customary. */
const LAWFUL = ["kg", "l", "m", "m²", "m³"];

/** What `many` of one `baseUnit` cost at this price of one piece, rounded to the currency's digits. */
export function pricePerUnit(price: string, { amount, unit, pieces }: Held, currency: string, many = 1): string {
  const [, size = 1n] = BASES[unit] ?? [];
  const digits = currencyDigits(currency);
  // Both have four digits after the point, so that they cancel out.
  const held = parseMoney(amount) * BigInt(pieces);
  return formatMoney(divideTo(parseMoney(price) * size * BigInt(many) * 10_000n, held, digits), digits);
}
