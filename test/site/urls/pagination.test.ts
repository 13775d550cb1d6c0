import { expect, test } from "vitest";
import { countPages, pageNumbers } from "../../../site/urls/pagination.ts";

const shownPages = (page: number, pages: number) =>
  pageNumbers(page, pages)
    .map((number) => number ?? "…")
    .join(" ");

test.each([
  [0, 1],
  [1, 1],
  [24, 1],
  [25, 2],
  [48, 2],
  [1000, 42],
])("a category of %i products has %i pages", (products, pages) => {
  expect(countPages(products)).toBe(pages);
});

test.each([
  [1, 1, "1"],
  [1, 2, "1 2"],
  [2, 3, "1 2 3"],
  [1, 42, "1 2 … 42"],
  [3, 42, "1 2 3 4 … 42"],
  [4, 42, "1 2 3 4 5 … 42"],
  [21, 42, "1 … 20 21 22 … 42"],
  [39, 42, "1 … 38 39 40 41 42"],
  [42, 42, "1 … 41 42"],
])("page %i of %i links to %s", (page, pages, numbers) => {
  expect(shownPages(page, pages)).toBe(numbers);
});

test("every page links to its neighbours and both ends, in order, in at most seven places", () => {
  for (const pages of [1, 2, 5, 8, 42, 167]) {
    for (let page = 1; page <= pages; page += 1) {
      const numbers = pageNumbers(page, pages);
      const linked = numbers.filter((number) => number !== undefined);
      expect(linked).toEqual([...new Set(linked)].sort((a, b) => a - b));
      expect(numbers.length).toBeLessThanOrEqual(7);
      for (const near of [1, page - 1, page, page + 1, pages])
        if (near >= 1 && near <= pages) expect(linked).toContain(near);
    }
  }
});
