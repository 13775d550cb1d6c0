/** How many products stand on one page of a category. */
export const productsPerPage = 60;

/** How many pages a category with so many products has: one, even when it is empty. */
export const countPages = (products: number): number => Math.max(1, Math.ceil(products / productsPerPage));

/** Whether a category of so many products has filters and a comparison: both need all of them on one page. */
export const isCompared = (products: number): boolean => products > 1 && products <= productsPerPage;

/**
 * Which of many pages one of them links to, in their order: the first, the last, itself and its neighbours; `undefined`
 * stands for a gap of two or more. There are at most seven, so that they fit on a phone.
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
