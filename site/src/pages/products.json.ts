import { answerInPieces } from "../resources/answer-in-pieces.ts";
import { writeProductFeed } from "../resources/product-feed.ts";
import { shop } from "../settings/shop.ts";
import { readCatalogue } from "../shop/catalogue.ts";

export const GET = async () =>
  answerInPieces(writeProductFeed((await readCatalogue()).products, shop), "application/json");
