import Type from "typebox";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { parseMoney } from "../../contract/money.ts";
import { describeDeliveries, nameOf, type Quote, quote, workingDayAfter } from "../../selling/quote/quote.ts";
import { netOf } from "../../selling/quote/tax-line-view.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import type { Speech } from "../answers/speech.ts";
import { defineTool } from "../answers/tool.ts";
import { Country, readPlace } from "./country.ts";
import { Items, readItems } from "./items.ts";

/** Says what items cost in a country, with delivery and tax, and when they arrive. */
export const deliveryQuote = defineTool({
  name: "delivery_quote",
  description:
    "What these items cost when delivered to a country: delivery, tax, total and the days until they arrive, as the customer's basket says it. `not_delivered_to` are parts of the country that the shop doesn't deliver to. `arrives_by` is null where not everything is in stock. From a shop in the EU to another EU country, a buyer with a confirmed VAT number of another EU country pays no VAT; only the checkout confirms it.",
  arguments: Type.Object({ country: Country, items: Items }, { additionalProperties: false }),
  example: { country: "DE", items: [{ sku: "TAV-T40-BK", quantity: 1 }] },
  writes: false,
  async call(context, { country, items: given }) {
    const shop = await readShopFacts(context.db);
    const items = await readItems(context, shop, given);
    const place = readPlace(shop, country);
    const { unserved } = describeDeliveries(shop);
    const quoted = quote(shop, items, { country: place, postal_code: null, vat_check: null });
    const not_delivered_to = (unserved.get(place) ?? []).map(context.speech.place);
    return {
      result: { ...describe(shop, country, quoted), not_delivered_to },
      say: speak(context.speech, shop, place, quoted),
    };
  },
});

/** Paid today, and null if not everything is in stock. */
const arrivalOf = ({ all_in_stock, delivery_days }: Quote) =>
  all_in_stock ? workingDayAfter(delivery_days.max) : null;

function describe({ base_url }: ShopFacts, country: string, quoted: Quote) {
  const { currency, lines, shipping, totals, tax_lines, delivery_days, treatment } = quoted;
  return {
    ...{ country, currency },
    lines: lines.map(({ variant, quantity, net_total, total }) => ({
      ...{ sku: variant.sku, name: nameOf(variant.sku, variant), quantity, total_net: net_total, total_gross: total },
      ...{ availability: variant.availability, available_from: variant.available_from, url: base_url + variant.path },
    })),
    methods: [
      {
        ...{ code: shipping.code, cost_net: totals.shipping_net, cost_gross: shipping.total },
        ...{ working_days_min: delivery_days.min, working_days_max: delivery_days.max, arrives_by: arrivalOf(quoted) },
      },
    ],
    tax: { treatment, lines: tax_lines.map(({ title, rate, amount }) => ({ title, rate, amount })) },
    totals: { net: netOf(totals, currency), tax: totals.tax, gross: totals.total },
  };
}

function speak(
  { say, money, day, country: nameCountry }: Speech,
  { tax: { name } }: ShopFacts,
  to: string,
  quoted: Quote,
) {
  const { shipping, delivery_days, totals } = quoted;
  const country = nameCountry(to);
  const isFree = parseMoney(shipping.total) === 0n;
  const arrival = arrivalOf(quoted);
  const isTaxed = parseMoney(totals.tax) > 0n;
  return [
    isFree
      ? say("assistant.delivery.free", { country })
      : say("assistant.delivery.cost", { country, price: money(shipping.total) }),
    arrival === null
      ? say("assistant.delivery.later", { count: delivery_days.max })
      : say("assistant.delivery.arrives", { count: delivery_days.max, day: day(arrival) }),
    say(isTaxed ? "assistant.delivery.total" : "assistant.delivery.total_untaxed", {
      ...{ net: money(netOf(totals, quoted.currency)), amount: money(totals.tax), tax: name },
      total: money(totals.total),
    }),
  ].join(" ");
}
