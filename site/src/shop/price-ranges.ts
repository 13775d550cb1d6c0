/** A range of prices: `from` belongs to it, `to` doesn't. */
export interface PriceRange {
  from?: number;
  to?: number;
}

/** How many ranges there are at most: styles/category/filter-rules.css has rules for as many. */
const MAX_RANGES = 6;

/**
 * Divides prices into ranges at round numbers, none of them empty: under 50, 50 to 100, 100 and more. The steps are as fine as
 * the number of ranges allows. A bound is a whole number, so a float compares exactly with it.
 */
export function priceRanges(prices: readonly string[]): PriceRange[] {
  const amounts = prices.map(Number).sort((a, b) => a - b);
  const candidates = [[1, 2, 5], [1, 5], [1]].map((steps) => boundsOf(amounts, steps));
  const bounds = candidates.find(({ length }) => length < MAX_RANGES) ?? [];
  return [undefined, ...bounds].map((from, index) => {
    const to = bounds[index];
    return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  });
}

/** Whether a price is in a range. */
export const isInRange = (price: string, { from = 0, to = Infinity }: PriceRange): boolean =>
  Number(price) >= from && Number(price) < to;

/** The numbers `step` × 10ⁿ between the lowest and the highest price, without those that only bound an empty range. */
function boundsOf(amounts: readonly number[], steps: readonly number[]): number[] {
  const bounds: number[] = [];
  for (let power = 1; power <= (amounts.at(-1) ?? 0); power *= 10)
    for (const bound of steps.map((step) => step * power)) {
      const below = amounts.some((amount) => amount < bound && amount >= (bounds.at(-1) ?? 0));
      if (below && amounts.some((amount) => amount >= bound)) bounds.push(bound);
    }
  return bounds;
}
