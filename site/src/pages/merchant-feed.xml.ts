import { writeMerchantFeed } from "../resources/merchant-feed.ts";
import { store } from "../settings/shop.ts";
import { readCatalogue } from "../shop/catalogue.ts";

export const GET = async () => new Response(await writeMerchantFeed((await readCatalogue()).products, store));
