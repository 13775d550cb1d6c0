import { defineCollection, type SchemaContext } from "astro:content";
import { categorySchema } from "../content-schema/category.ts";
import { guideSchema, pageSchema } from "../content-schema/page.ts";
import { productSchema } from "../content-schema/product.ts";
import { contentFiles } from "./content-loader.ts";
import { store } from "./settings/shop.ts";

const product = productSchema(store.currency);

/** Astro asks for the schema anew with each file: made once, as zod takes 0.6 ms, all of it but how pictures are read. */
function productWithPictures({ image }: SchemaContext) {
  const picture = image();
  return product.transform(async ({ images, ...rest }) => {
    const read = images.map(async ({ src, alt }) => ({ src: await picture.parseAsync(src), alt }));
    return { ...rest, images: await Promise.all(read) };
  });
}

export const collections = {
  /** Known by `<category>/<slug>`. */
  products: defineCollection({ loader: contentFiles("products", "*/*.md"), schema: productWithPictures }),
  categories: defineCollection({ loader: contentFiles("categories", "*.md"), schema: categorySchema }),
  guides: defineCollection({ loader: contentFiles("guides", "*.{md,mdx}"), schema: guideSchema }),
  pages: defineCollection({ loader: contentFiles("pages", "*.{md,mdx}"), schema: pageSchema }),
};
