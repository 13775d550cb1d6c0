import { z } from "astro/zod";
import { pageFields, strict } from "./fields.ts";
import { questions } from "./questions.ts";

/** content/guides/<slug>.md or .mdx: advice that helps to choose, fit or look after something. */
export const guideSchema = strict({ ...pageFields, questions });

/** content/pages/<slug>.md or .mdx: home, about, contact and the rest of what stands at the top level of the site. */
export const pageSchema = strict({
  ...pageFields,
  questions,
  /** Whether machines are told on this page, as on the home page, who the shop is: its name, address, e-mail and telephone. */
  about_shop: z
    .boolean({ error: "must be `true`, without quotes, on a page about the shop itself. Leave it out elsewhere." })
    .default(false),
});

/** Slugs that a content page can't have: the site, the API or nginx answers there. */
export const reservedSlugs: readonly string[] = [
  "404",
  "500",
  "index",
  "products",
  "categories",
  "guides",
  "search",
  "api",
  "admin",
  "cart",
  "checkout",
  "account",
];

/** Pages that the site's own templates, the API's errors and llms.txt link to: a shop can't be without them. */
export const requiredSlugs: readonly string[] = ["home", "contact", "shipping", "returns", "developers"];
