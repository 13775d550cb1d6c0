import { defineCollection } from "astro:content";
import { collectionSchemas } from "../content-schema/collections.ts";
import { contentFiles, developersPages } from "./content-loader.ts";
import { shop } from "./settings/shop.ts";

const schemas = collectionSchemas(shop.currency);

export const collections = {
  /** An entry's id is `<category>/<slug>`. */
  products: defineCollection({ loader: contentFiles("products", "*/*.md"), schema: schemas.products }),
  categories: defineCollection({ loader: contentFiles("categories", "*.md"), schema: schemas.categories }),
  makers: defineCollection({ loader: contentFiles("makers", "*.md"), schema: schemas.makers }),
  guides: defineCollection({ loader: contentFiles("guides", "*.{md,mdx}"), schema: schemas.guides }),
  pages: defineCollection({ loader: contentFiles("pages", "*.{md,mdx}"), schema: schemas.pages }),
  developers: defineCollection({ loader: developersPages(), schema: schemas.pages }),
};
