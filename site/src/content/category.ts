import { z } from "astro/zod";
import { date, formerly, strict, summary, title } from "./fields.ts";

/** content/categories/<slug>.md. The slug is also the name of the folder that holds the category's products. */
export const categorySchema = strict({
  title,
  summary,
  /** The category's place in the navigation: the smallest number comes first. */
  order: z.int({ error: "must be a whole number, for example `order: 10`." }),
  updated: date.optional(),
  formerly,
});
