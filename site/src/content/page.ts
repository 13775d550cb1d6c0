import { pageFields, strict } from "./fields.ts";
import { questions } from "./questions.ts";

/** content/pages/<slug>.md or .mdx: home, about, contact and the rest of what stands at the top level of the site. */
export const pageSchema = strict({ ...pageFields, questions });

/** Slugs that a content page can't have: the site, the API or nginx answers there. */
export const reservedSlugs: readonly string[] = [
  ...[
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
  ],
];

/** Pages that the site's own templates, the API's errors and llms.txt link to: a shop can't be without them. */
export const requiredSlugs: readonly string[] = ["home", "contact", "shipping", "returns", "developers"];
