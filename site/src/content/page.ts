import { pageFields, strict } from "./fields.ts";

/** content/pages/<slug>.md or .mdx: home, about, contact and the rest of what stands at the top level of the site. */
export const pageSchema = strict(pageFields);

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
