import type { ShopFacts } from "../../contract/built-files/store.ts";
import { nameSold, type Sold } from "./catalogue.ts";
import type { Speech } from "./speech.ts";

/** A version with its price and availability, as a part of a sentence: `Tavrel C30, €82.64 plus VAT, in stock`. */
export function speakOffer({ say, money, day }: Speech, shop: ShopFacts, sold: Sold): string {
  const { price, availability, available_from } = sold.variant;
  const { net, gross } = price;
  const stock = say(`assistant.stock.${availability}`);
  return say(gross === null ? "assistant.offer.untaxed" : "assistant.offer.taxed", {
    ...{ name: nameSold(sold), price: money(net), tax: shop.tax.name },
    stock: available_from === null ? stock : say("assistant.stock.expected", { stock, day: day(available_from) }),
  });
}
