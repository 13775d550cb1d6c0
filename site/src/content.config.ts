import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
import { categorySchema } from "./content/category.ts";
import { guideSchema } from "./content/guide.ts";
import { pageSchema } from "./content/page.ts";
import { productSchema } from "./content/product.ts";
import { store } from "./store.ts";

/** The files of a folder of content/, each known by its path without the extension, so that `index` and `404` stay what they are. */
const files = (folder: string, pattern: string) =>
  glob({
    base: `../content/${folder}`,
    pattern,
    generateId: ({ entry }) => entry.replace(/\.mdx?$/, ""),
  });

export const collections = {
  /** Known by `<category>/<slug>`. */
  products: defineCollection({
    loader: files("products", "*/*.md"),
    schema: ({ image }) => productSchema(store.currency, image()),
  }),
  categories: defineCollection({ loader: files("categories", "*.md"), schema: categorySchema }),
  guides: defineCollection({ loader: files("guides", "*.{md,mdx}"), schema: guideSchema }),
  pages: defineCollection({ loader: files("pages", "*.{md,mdx}"), schema: pageSchema }),
};
