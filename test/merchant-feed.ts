import { SaxesParser } from "saxes";
import type { Facts } from "./facts.ts";

/** The items of the merchant feed: the texts of their elements by name, `g:shipping g:price`. Throws where the XML is not well formed. */
export function readMerchantFeed(xml: string): Record<string, string[]>[] {
  const items: Record<string, string[]>[] = [];
  const parser = new SaxesParser({ xmlns: true });
  const open: string[] = [];
  let text = "";
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => {
    open.push(name);
    text = "";
    if (name === "item") items.push({});
  });
  parser.on("text", (piece) => {
    text += piece;
  });
  parser.on("closetag", () => {
    const name = open.slice(3).join(" ");
    const item = items.at(-1);
    if (item && name !== "") item[name] = [...(item[name] ?? []), text];
    open.pop();
  });
  parser.write(xml).close();
  return items;
}

/** What the merchant feed must say of a variant, element by element. */
export function toFeedItem({ gtin, price, currency, availability, available_from }: Facts): Record<string, string[]> {
  return {
    "g:price": [`${price} ${currency}`],
    "g:availability": [availability],
    ...(available_from && { "g:availability_date": [`${available_from}T00:00Z`] }),
    ...(gtin === null ? { "g:identifier_exists": ["no"] } : { "g:gtin": [gtin] }),
  };
}
