import { defineCollection, type SchemaContext } from "astro:content";
import { categorySchema } from "../content-schema/category.ts";
import { guideSchema, pageSchema } from "../content-schema/page.ts";
import { productSchema } from "../content-schema/product.ts";
import { contentFiles } from "./content-loader.ts";
import { shop } from "./settings/shop.ts";

const product = productSchema(shop.currency);

/** Astro calls this for each file, so the schema without pictures is created only once. */
function productWithPictures({ image }: SchemaContext) {
  const picture = image();
  return product.transform(async ({ images, ...rest }) => {
    const read = images.map(async ({ src, alt }) => ({ src: await picture.parseAsync(src), alt }));
    return { ...rest, images: await Promise.all(read) };
  });
}

function pageWithScene({ image }: SchemaContext) {
  const picture = image();
  return pageSchema.transform(async ({ scene, ...rest }) => ({
    ...rest,
    scene: scene && { src: await picture.parseAsync(scene.src), alt: scene.alt },
  }));
}

export const collections = {
  /** An entry's id is `<category>/<slug>`. */
  products: defineCollection({ loader: contentFiles("products", "*/*.md"), schema: productWithPictures }),
  categories: defineCollection({ loader: contentFiles("categories", "*.md"), schema: categorySchema }),
  guides: defineCollection({ loader: contentFiles("guides", "*.{md,mdx}"), schema: guideSchema }),
  pages: defineCollection({ loader: contentFiles("pages", "*.{md,mdx}"), schema: pageWithScene }),
};
