import type { SchemaContext } from "astro:content";
import { categorySchema } from "./category.ts";
import { makerSchema } from "./maker.ts";
import { guideSchema, pageSchema } from "./page.ts";
import { productSchema } from "./product.ts";

/** The schemas of Astro's collections, by their folders in content/. Pictures are read by Astro's own schema. */
export function collectionSchemas(currency: string) {
  const product = productSchema(currency);
  return {
    // Astro calls this for each file, so the schema without pictures is created only once.
    products({ image }: SchemaContext) {
      const picture = image();
      return product.transform(async ({ images, ...rest }) => {
        const read = images.map(async ({ src, alt }) => ({ src: await picture.parseAsync(src), alt }));
        return { ...rest, images: await Promise.all(read) };
      });
    },
    categories: categorySchema,
    makers: makerSchema,
    guides: guideSchema,
    pages({ image }: SchemaContext) {
      const picture = image();
      return pageSchema.transform(async ({ scene, ...rest }) => ({
        ...rest,
        scene: scene && { src: await picture.parseAsync(scene.src), alt: scene.alt },
      }));
    },
  };
}
