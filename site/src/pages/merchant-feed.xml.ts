import { writeMerchantFeed } from "../resources/merchant-feed.ts";
import { shop } from "../settings/shop.ts";
import { readCatalogue } from "../shop/catalogue.ts";

export const GET = async () => new Response(await writeMerchantFeed((await readCatalogue()).products, shop));
