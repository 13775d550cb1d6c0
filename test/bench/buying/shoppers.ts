import { Shopper } from "../../api/people/checkout/shopper.ts";
import type { BenchShop } from "./buying.ts";

/** A shopper at the last step: what the form of the review page sends. */
export interface ReadyShopper {
  cookie: string;
  form: Record<string, string>;
  shopper: Shopper;
}

/** Different baskets of three lines each. */
export const basketOf = ({ skus }: BenchShop, number: number): string =>
  [0, 1, 2].map((line) => `${skus[(number * 7 + line * 3) % skus.length]}:${1 + (number % 3)}`).join(",");

/** Each has an address of its own, by which the shop counts orders. */
const addressOf = (number: number): string => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;

let begun = 0;

/** Leads new shoppers to the review page, each with a basket of three lines. */
export async function leadToReview(shop: BenchShop, url: string, count: number): Promise<ReadyShopper[]> {
  const ready: ReadyShopper[] = [];
  const end = begun + count;
  const lead = async () => {
    while (begun < end) {
      const number = begun++;
      const shopper = new Shopper(() => url, addressOf(number));
      await shopper.fillBasket(basketOf(shop, number));
      const form = await shopper.review();
      ready.push({ cookie: shopper.cookie, form, shopper });
    }
  };
  await Promise.all(Array.from({ length: 8 }, lead));
  return ready;
}
