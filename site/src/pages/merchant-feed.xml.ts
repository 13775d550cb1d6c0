import { readCatalogue } from "../catalogue.ts";
import { writeMerchantFeed } from "../resources/merchant-feed.ts";
import { store } from "../store.ts";

export const GET = async () => new Response(await writeMerchantFeed((await readCatalogue()).products, store));
