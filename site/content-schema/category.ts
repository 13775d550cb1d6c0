import { z } from "astro/zod";
import { date, formerly, names, strict, summary, title } from "./fields.ts";

/** How many different values a filter may have: as many as styles/facets.css knows in a group. */
export const MAX_FILTER_VALUES = 12;

/** content/categories/<slug>.md. The slug is also the name of the folder that holds the category's products. */
export const categorySchema = strict({
  title,
  summary,
  /** The category's place in the navigation: the smallest number comes first. */
  order: z.int({ error: "must be a whole number, for example `order: 10`." }),
  /** Specifications by which visitors filter its products; each product has them. */
  filters: names("filters: [Reads, Connection]")
    .max(5, "has more than 5 names. Keep those that buyers decide by.")
    .default([]),
  /** Specifications by which visitors sort its products: values that begin with a number, in one unit. */
  sort: names("sort: [Print speed]").max(3, "has more than 3 names. Keep those that buyers decide by.").default([]),
  /** Other words for these things, which the search finds too. */
  also_called: names("also_called: [till, cash register]").default([]),
  updated: date.optional(),
  formerly,
});

/** A specification's value as a number with its unit, by which products are sorted; the unit is empty where there is none. */
export interface Measure {
  amount: number;
  unit: string;
}

/**
 * `readMeasure("1,200 mm/s, vendor figure", "en-GB")` is 1200 in `mm/s`; undefined for a text that doesn't begin with a
 * number as the locale writes it: for `de-DE` that is `1.200 mm/s`, and `0,5 l`.
 */
export function readMeasure(value: string, locale: string): Measure | undefined {
  const { group, decimal } = signsOf(locale);
  const number = `\\d{1,3}(?:${group}\\d{3})+|\\d+(?:${decimal}\\d+)?`;
  const [, found, unit = ""] = new RegExp(`^(${number})(?![\\d.,])\\s*([^\\s,;(]*)`).exec(value) ?? [];
  if (found === undefined) return undefined;
  const plain = found.replaceAll(new RegExp(group, "g"), "").replace(new RegExp(decimal), ".");
  return { amount: Number(plain), unit };
}

// Editors type the plain one of them.
const alike = ["'’", " \u00a0\u202f"];

/** What stands between thousands and before decimals, as regular expressions. */
function signsOf(locale: string): { group: string; decimal: string } {
  const parts = new Intl.NumberFormat(locale, { useGrouping: "always" }).formatToParts(1234.5);
  const sign = (type: string) => {
    const value = parts.find((part) => part.type === type)?.value ?? "";
    return `[${alike.find((signs) => signs.includes(value)) ?? value}]`;
  };
  return { group: sign("group"), decimal: sign("decimal") };
}
