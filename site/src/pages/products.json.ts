import { productFeed } from "../resources/product-feed.ts";
import { shop } from "../settings/shop.ts";
import { readCatalogue } from "../shop/catalogue.ts";

export const GET = async () => Response.json(await productFeed((await readCatalogue()).products, shop));
