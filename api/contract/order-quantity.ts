/** The most pieces of one version in a basket. */
export const MAX_QUANTITY = 999;

/** In which numbers of pieces something is sold: `least`, and more by `step`. */
export interface OrderQuantity {
  least: number;
  step: number;
}

/** Whether so many pieces can be ordered. */
export const isSoldIn = ({ least, step }: OrderQuantity, quantity: number): boolean =>
  quantity >= least && (quantity - least) % step === 0;

/** The greatest number up to `most` that can be ordered; 0 if even the least is more. */
export const greatestQuantity = ({ least, step }: OrderQuantity, most: number): number =>
  most < least ? 0 : most - ((most - least) % step);

/** The numbers up to `most` that can be ordered and come nearest to `quantity`: itself, or at most two. */
export function nearestQuantities(sold: OrderQuantity, quantity: number, most: number): number[] {
  const below = greatestQuantity(sold, Math.min(quantity, most));
  if (below === quantity) return [below];
  const above = below === 0 ? sold.least : below + sold.step;
  return [below, above].filter((each) => each > 0 && each <= most);
}

/** How the numbers are said: each has a word of its own. */
export type QuantityRule = "any" | "from" | "packs" | "packs_from" | "steps";

/** `from` 3 pieces; in `packs` of 6, `packs_from` 12; in `steps`: 5, 11, 17 and so on. */
export function quantityRule({ least, step }: OrderQuantity): QuantityRule {
  if (step === 1) return least === 1 ? "any" : "from";
  if (least % step !== 0) return "steps";
  return least === step ? "packs" : "packs_from";
}
