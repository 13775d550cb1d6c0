import { z } from "astro/zod";
import { categorySlug } from "./category-slug.ts";
import { date, formerly, names, strict, summary, title } from "./fields.ts";

/** How many values a filter may have: styles/category/filter-rules.css has rules for as many. */
export const MAX_FILTER_VALUES = 12;

/** How many levels of categories there may be, one below the other. */
export const MAX_LEVELS = 3;

/** content/categories/<slug>.md. The slug is also the name of the folder with the category's products. */
export const categorySchema = strict({
  title,
  summary,
  /** The category's place among those beside it, smallest number first. */
  order: z.int({ error: "must be a whole number, for example `order: 10`." }),
  /** The category above it, which lists its products too. */
  parent: categorySlug.optional(),
  /** Specifications that visitors filter by. */
  filters: names("filters: [Reads, Connection]")
    .max(5, "has more than 5 names. Keep those that buyers decide by.")
    .default([]),
  /** Specifications that visitors sort by: values that start with a number, in one unit. */
  sort: names("sort: [Print speed]").max(3, "has more than 3 names. Keep those that buyers decide by.").default([]),
  /** The file names of the products that head the category's lists. */
  recommended: names("recommended: [kestrel-c2, osprey]").default([]),
  /** Other names, which the search finds too. */
  also_called: names("also_called: [till, cash register]").default([]),
  /** Makers that the shop doesn't sell, for whose devices these products stand in. */
  instead_of: names("instead_of: [Epson, Bixolon]").default([]),
  updated: date.optional(),
  formerly,
});

/** A specification's value as a number, to sort by, with its unit or "". */
export interface Measure {
  amount: number;
  unit: string;
}

/**
 * `readMeasure("1,200 mm/s, vendor figure", "en-GB")` is 1200 in `mm/s`; undefined for text that doesn't start with a
 * number in the locale's format: `1.200 mm/s` and `0,5 l` for `de-DE`.
 */
export function readMeasure(value: string, locale: string): Measure | undefined {
  const { group, decimal } = signsOf(locale);
  const number = `(?:\\d{1,3}(?:${group}\\d{3})+|\\d+)(?:${decimal}\\d+)?`;
  const [, found, unit = ""] = new RegExp(`^(${number})(?![\\d.,])\\s*([^\\s,;(]*)`).exec(value) ?? [];
  if (found === undefined) return undefined;
  const plain = found.replaceAll(new RegExp(group, "g"), "").replace(new RegExp(decimal), ".");
  return { amount: Number(plain), unit };
}

// Editors type the first of each.
const alike = ["'’", " \u00a0\u202f"];

/** The separators of thousands and decimals, as regular expressions. */
function signsOf(locale: string): { group: string; decimal: string } {
  const parts = new Intl.NumberFormat(locale, { useGrouping: "always" }).formatToParts(1234.5);
  const sign = (type: string) => {
    const value = parts.find((part) => part.type === type)?.value ?? "";
    return `[${alike.find((signs) => signs.includes(value)) ?? value}]`;
  };
  return { group: sign("group"), decimal: sign("decimal") };
}
