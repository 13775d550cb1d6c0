import Type from "typebox";
import { buyLink } from "../../people/basket/buy-link.ts";
import { nameOf } from "../../selling/quote/quote.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import { defineTool } from "../answers/tool.ts";
import { Country, readPlace } from "./country.ts";
import { Items, readItems } from "./items.ts";

/** Makes a link with which a person fills their own basket. */
export const basketLink = defineTool({
  name: "basket_link",
  description:
    "Makes a link to a page that shows these items with their prices, from which the customer puts them into their own basket and orders. It orders nothing, and the link works for anybody, any time. Give the customer the link whole.",
  arguments: Type.Object(
    {
      country: Type.Union([Country, Type.Null()], {
        title: "Write the country's two capital letters by ISO 3166, such as DE, or null.",
        description:
          "The country of delivery as in delivery_quote, so that the page has its prices; null where nobody named one.",
      }),
      items: Items,
    },
    { additionalProperties: false },
  ),
  example: { country: "DE", items: [{ sku: "TAV-T40-BK", quantity: 1 }] },
  writes: false,
  async call(context, args) {
    const shop = await readShopFacts(context.db);
    const items = await readItems(context, shop, args.items);
    const delivered = args.country === null ? "" : `?country=${readPlace(shop, args.country)}`;
    const url = shop.base_url + buyLink(items) + delivered;
    return {
      result: {
        url,
        items: items.map(({ sku, quantity, variant }) => ({ sku, name: nameOf(sku, variant), quantity })),
      },
      say: context.speech.say("assistant.basket_link", { url }),
    };
  },
});
