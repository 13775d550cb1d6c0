import type { ContentOffers } from "../../../api/contract/built-files/content-offers.ts";
import { readCatalogue, writtenVariants } from "../../src/shop/catalogue.ts";

/** `.session/content-offers.json`: what the import stores of versions of which pages say what is in force in its place. */
export const GET = async () => {
  const { products } = await readCatalogue();
  const replaced = products.flatMap((product) =>
    writtenVariants(product).flatMap(({ sku, availability, available_from, price }, index) => {
      const shown = product.variants[index];
      const isShown =
        shown?.availability === availability && shown.available_from === available_from && shown.price === price;
      return isShown ? [] : [[sku, { availability, available_from, price }] as const];
    }),
  );
  return Response.json(Object.fromEntries(replaced) satisfies ContentOffers);
};
