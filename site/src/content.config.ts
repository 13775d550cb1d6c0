import { defineCollection } from "astro:content";
import { categorySchema } from "./content/category.ts";
import { guideSchema } from "./content/guide.ts";
import { pageSchema } from "./content/page.ts";
import { productSchema } from "./content/product.ts";
import { contentFiles } from "./content-loader.ts";
import { store } from "./store.ts";

export const collections = {
  /** Known by `<category>/<slug>`. */
  products: defineCollection({
    loader: contentFiles("products", "*/*.md"),
    schema: ({ image }) => productSchema(store.currency, image()),
  }),
  categories: defineCollection({ loader: contentFiles("categories", "*.md"), schema: categorySchema }),
  guides: defineCollection({ loader: contentFiles("guides", "*.{md,mdx}"), schema: guideSchema }),
  pages: defineCollection({ loader: contentFiles("pages", "*.{md,mdx}"), schema: pageSchema }),
};
