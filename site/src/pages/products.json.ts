import { readCatalogue } from "../catalogue.ts";
import { productFeed } from "../resources/product-feed.ts";
import { store } from "../store.ts";

export const GET = async () => Response.json(productFeed((await readCatalogue()).products, store));
