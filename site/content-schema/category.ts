import { z } from "astro/zod";
import { date, formerly, names, strict, summary, title } from "./fields.ts";

/** How many different values a filter may have: as many as styles/category/filter-rules.css has rules for. */
export const mostFilterValues = 12;

/** content/categories/<slug>.md. The slug is also the name of the folder that holds the category's products. */
export const categorySchema = strict({
  title,
  summary,
  /** The category's place in the navigation: the smallest number comes first. */
  order: z.int({ error: "must be a whole number, for example `order: 10`." }),
  /** Specifications by which visitors filter its products; each product has them. */
  filters: names("filters: [Reads, Connection]")
    .max(5, "has more than 5; keep those by which buyers decide.")
    .default([]),
  /** Specifications by which visitors sort its products: values that begin with a number, in one unit. */
  sort: names("sort: [Print speed]").max(3, "has more than 3; keep those by which buyers decide.").default([]),
  /** Other words for these things, which the search finds too. */
  also_called: names("also_called: [till, cash register]").default([]),
  updated: date.optional(),
  formerly,
});
