/** Number of products on one page of a category. */
export const productsPerPage = 24;

/** Number of pages of a category with this many products; an empty category has one. */
export const countPages = (products: number): number => Math.max(1, Math.ceil(products / productsPerPage));

/** What of a category's list is on one of its pages, counted from 1. */
export const onPage = <Item>(list: readonly Item[], page: number): Item[] =>
  list.slice((page - 1) * productsPerPage, page * productsPerPage);

/** True if a category with this many products has filters and a comparison. */
export const isCompared = (products: number): boolean => products > 1;

/** The paths of the other pages, before and after one of them, as scripts read them from attributes. */
export const otherPages = (page: number, pages: number, pathOf: (page: number) => string) => {
  const paths = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => pathOf(from + index)).join(" ");
  return { "data-before": paths(1, page - 1), "data-after": paths(page + 1, pages) };
};

/**
 * The page numbers that a page links to, in order: first, last, itself and its neighbours; `undefined` is a gap of two or more.
 * At most seven, so that they fit on a phone.
 *
 * @param page from 1 to `pages`
 */
export function pageNumbers(page: number, pages: number): (number | undefined)[] {
  const near = [1, page - 1, page, page + 1, pages].filter((number) => number >= 1 && number <= pages);
  const shown = [...new Set(near)].sort((a, b) => a - b);
  return shown.flatMap((number, index) => {
    const missing = number - (shown[index - 1] ?? 0) - 1;
    if (missing === 0) return [number];
    return [missing === 1 ? number - 1 : undefined, number];
  });
}
