import type { ContentWords } from "../../../api/contract/built-files/content-words.ts";
import { readCatalogue, writtenVariants } from "../../src/shop/catalogue.ts";

/** `.session/content-words.json`: what the import stores of versions of which pages say what follows from a count. */
export const GET = async () => {
  const { products } = await readCatalogue();
  const replaced = products.flatMap((product) =>
    writtenVariants(product).flatMap(({ sku, availability, available_from }, index) => {
      const shown = product.variants[index];
      return shown?.availability === availability && shown.available_from === available_from
        ? []
        : [[sku, { availability, available_from }] as const];
    }),
  );
  return Response.json(Object.fromEntries(replaced) satisfies ContentWords);
};
