/**
 * What somebody who works at /admin may do: `content` is texts, products and prices, as far as to publish them; `orders` is
 * orders and stock; `shop` is to publish what else content/ has, such as store.yaml and mails.
 */
export const RIGHTS = ["content", "orders", "shop"] as const;

export type Right = (typeof RIGHTS)[number];

/** Reads rights that are separated by commas. Names that this release doesn't know give no right. */
export function readRights(text: string): ReadonlySet<Right> {
  const names = text.split(",");
  return new Set(RIGHTS.filter((right) => names.includes(right)));
}

/** Writes rights as readRights reads them, always in the same order. */
export const writeRights = (rights: ReadonlySet<Right>): string =>
  RIGHTS.filter((right) => rights.has(right)).join(",");
