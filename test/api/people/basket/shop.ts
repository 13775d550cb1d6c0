import type { ShopFacts } from "../../../../api/contract/built-files/store.ts";
import { makeCustomer, startShopApi } from "../../platform/private-pages/pages.ts";
import { shopFacts } from "../../selling/quote/shop.ts";
import { storeVariants } from "./variants.ts";

type Given = Parameters<typeof storeVariants>[1] | { facts: Partial<ShopFacts> };

/** A shop with these versions alone, and two browsers: one puts things into its basket. */
export async function startShop(...given: Given[]) {
  const facts = shopFacts(Object.assign({}, ...given.map((part) => ("facts" in part ? part.facts : {}))));
  const { app, db, statements } = await startShopApi({ facts });
  await db.deleteFrom("product_variants").execute();
  await storeVariants(db, ...given.flatMap((part) => ("sku" in part ? [part] : [])));
  const visitor = makeCustomer(app);
  /** The fields of the basket's page: quantities by the SKU as a link writes it. */
  const quantities = async () => {
    const { payload } = await visitor.get("/cart");
    const fields = payload.matchAll(/name="quantity:([^":]+):\d+" value="([^"]*)"/g);
    return Object.fromEntries([...fields].map(([, sku, quantity]) => [sku, quantity]));
  };
  return { app, db, statements, visitor: { ...visitor, quantities }, stranger: makeCustomer(app) };
}
