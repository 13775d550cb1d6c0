import { z } from "astro/zod";
import { editedAs, line, pageFields, strict, text } from "./fields.ts";
import { productSlug } from "./product-slug.ts";
import { questions } from "./questions.ts";

/** content/guides/<slug>.md or .mdx: advice on choosing, installing or looking after products. */
export const guideSchema = strict({ ...pageFields, questions });

/** content/pages/<slug>.md or .mdx: home, about, contact and other pages at the site's top level. */
export const pageSchema = strict({
  ...pageFields,
  questions,
  /** Adds the shop's name, address, email and telephone as structured data, as on the home page. */
  about_shop: z
    .boolean({ error: "must be `true`, without quotes, on a page about the shop itself. Leave it out elsewhere." })
    .default(false),
  /** On the home page alone: a large picture beside the title, by its path relative to the file. */
  scene: strict({
    src: editedAs("picture", text("src: ./home.svg")),
    alt: line("alt: A till, a printer and a scanner on a counter", 250),
  }).optional(),
  /** On the home page alone: the one thing to do first, in place of the counter. */
  action: strict({
    text: line("text: Build your counter", 40),
    link: line("link: /categories/pos-terminals", 250),
  }).optional(),
  /** On the home page alone: the slugs of the products that it shows first. */
  featured: z
    .array(productSlug, { error: "must be a list of products: `[kestrel-c2, osprey]`." })
    .max(12, "has more than 12 products. Keep those that carry the shop.")
    .default([]),
});

/** Slugs that the site, the API or nginx uses itself. */
export const reservedSlugs: readonly string[] = [
  "404",
  "410",
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
  "counter",
];

/** Required pages: templates link to them. */
export const requiredSlugs: readonly string[] = ["home", "contact", "shipping", "returns"];
