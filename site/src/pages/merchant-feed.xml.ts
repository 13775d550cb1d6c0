import { answerInPieces } from "../resources/answer-in-pieces.ts";
import { writeMerchantFeed } from "../resources/merchant-feed.ts";
import { shop } from "../settings/shop.ts";
import { readCatalogue } from "../shop/catalogue.ts";

export const GET = async () =>
  answerInPieces(writeMerchantFeed((await readCatalogue()).products, shop), "application/xml");
