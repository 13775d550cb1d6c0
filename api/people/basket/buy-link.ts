import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import type { Db } from "../../platform/database/pool.ts";
import { findVariants, pieceRuleOf } from "../../selling/catalogue/variants.ts";
import { nameOf } from "../../selling/quote/quote.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import { fault } from "../product/views.ts";
import { type Item, parseItems, writeItems } from "./items.ts";
import { type Asked, faultOf, priceItems } from "./priced-items.ts";
import { type BuyView, buyMarkdown, buyPage } from "./views.ts";

/** Any other parameter is allowed: people follow links to which mailing programs have added theirs. */
const Query = Type.Object({ country: Type.Optional(Type.String()), method: Type.Optional(Type.String()) });
const Params = Type.Object({ items: Type.String() });

/**
 * GET /buy/{sku}:{quantity},…: what a link offers, for anyone. It writes nothing and sets no cookie, since mail scanners
 * and crawlers open every link; only the button on its page puts something into a basket. nginx says in X-Face which
 * face the client wants, by the ending `.md`, which it takes off, or by Accept.
 */
export const buyRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get("/:items", { schema: { hide: true, params: Params, querystring: Query } }, async (request, reply) => {
    const { params, query, headers } = request;
    const { view, status } = await viewLink(db, params.items, query);
    return reply.page(headers["x-face"] === "md" ? buyMarkdown : buyPage, view, status);
  });
};

/** The path of the link that offers these items. */
export const buyLink = (items: readonly Item[]): string => `/buy/${writeItems(items)}`;

async function viewLink(db: Db, path: string, asked: Asked): Promise<{ view: BuyView; status: 200 | 404 | 422 }> {
  const shop = await readShopFacts(db);
  const wanted = parseItems(path);
  const items = wanted ?? [];
  const variants = await findVariants(
    db,
    items.map(({ sku }) => sku),
  );
  const found = items.flatMap(({ sku, quantity }) => {
    const variant = variants.get(sku);
    return variant ? [{ sku, quantity, variant }] : [];
  });
  const priced = priceItems(shop, found, asked);
  // What is wanted in a number in which it isn't sold is shown, and isn't in the totals.
  const right = found.filter(({ variant, quantity }) => !pieceRuleOf(shop, variant, quantity)?.nearest);
  const isWrong = right.length < found.length;
  const { items: offered, delivery } = isWrong ? priceItems(shop, right, asked) : priced;
  const canOrder = offered.filter(({ offered }) => offered.can_order);
  // Written anew, so that the page repeats nothing of an address that it can't read.
  const canonical = buyLink(items);
  const { country, country_choice, method, method_choice } = delivery;
  const chosen = new URLSearchParams({
    ...(country_choice === "asked" && { country }),
    ...(method_choice === "asked" && { method }),
  });
  const view = {
    is_readable: wanted !== undefined,
    path: canonical,
    url: shop.base_url + canonical + (chosen.size > 0 ? `?${chosen}` : ""),
    origin: shop.base_url,
    lines: priced.items.map(({ offered }) => offered),
    faults: items.flatMap(({ sku, quantity }) => {
      const pieces = priced.items.find((item) => item.sku === sku)?.offered.pieces ?? null;
      const name = nameOf(sku, variants.get(sku));
      const wrong = pieces?.nearest && { ...fault("pieces", name), pieces, together: quantity };
      return wrong ?? faultOf(sku, variants.get(sku)) ?? [];
    }),
    items: canOrder.length > 0 ? writeItems(canOrder) : null,
    ...delivery,
  };
  return { view, status: found.length === 0 ? 404 : isWrong ? 422 : 200 };
}
