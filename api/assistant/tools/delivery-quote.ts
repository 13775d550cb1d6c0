import Type from "typebox";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { PICKUP } from "../../contract/delivery-methods.ts";
import { parseMoney } from "../../contract/money.ts";
import { METHOD_CODE } from "../../contract/patterns.ts";
import { ApiError } from "../../platform/http/problem.ts";
import {
  canDeliver,
  describeDeliveries,
  findWays,
  nameOf,
  type Quote,
  quote,
  type Way,
  workingDayAfter,
} from "../../selling/quote/quote.ts";
import { netOf } from "../../selling/quote/tax-line-view.ts";
import { nameOfWay, viewPickup } from "../../selling/quote/way-view.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import type { Speech } from "../answers/speech.ts";
import { defineTool } from "../answers/tool.ts";
import { Country, readPlace } from "./country.ts";
import { Items, readItems } from "./items.ts";

/** Says what items cost in a country, with delivery and tax, and when they arrive. */
export const deliveryQuote = defineTool({
  name: "delivery_quote",
  description:
    "What these items cost when delivered to a country: delivery, tax, total and the days until they arrive, as the customer's basket says it. `methods` are all ways in which the customer can have them, `pickup` for collecting them; `tax` and `totals` are for the one in `method`: the one that was asked for, or else the cheapest delivery. `pickup` says where goods are collected, and is null where they can't be. The customer chooses in the basket or at the checkout. `not_delivered_to` are parts of the country that the shop doesn't deliver to. `arrives_by` is null where not everything is in stock. From a shop in the EU to another EU country, a buyer with a confirmed VAT number of another EU country pays no VAT; only the checkout confirms it.",
  arguments: Type.Object(
    {
      country: Country,
      items: Items,
      method: Type.Union([Type.String({ pattern: METHOD_CODE }), Type.Null()], {
        description: "A code of `methods`; null for the cheapest.",
      }),
    },
    { additionalProperties: false },
  ),
  example: { country: "DE", items: [{ sku: "TAV-T40-BK", quantity: 1 }], method: null },
  writes: false,
  async call(context, { country, items: given, method }) {
    const shop = await readShopFacts(context.db);
    const items = await readItems(context, shop, given);
    const place = readPlace(shop, country);
    const { unserved } = describeDeliveries(shop);
    const to = { country: place, postal_code: null, vat_check: null };
    const ways = findWays(shop, items, to);
    if (method !== null && !ways.some(({ code }) => code === method)) throw refuseMethod(ways);
    if (!canDeliver(shop, items, to, method)) throw refuseDelivery(ways);
    const quoted = quote(shop, items, to, method);
    const not_delivered_to = (unserved.get(place) ?? []).map(context.speech.place);
    return {
      result: { ...describe(shop, country, quoted), not_delivered_to },
      say: speak(context.speech, shop, place, quoted),
    };
  },
});

/** Paid today, and null if not everything is in stock. */
const arrivalOf = (shop: ShopFacts, { all_in_stock }: Quote, { days }: Way) =>
  all_in_stock ? workingDayAfter(shop, days.max) : null;

const listCodes = (ways: readonly Way[]) => ways.map(({ code, title }) => `${code} (${title})`).join(", ");

const refuseMethod = (ways: readonly Way[]) =>
  new ApiError("unprocessable", `These items can't be had in this way. There are: ${listCodes(ways) || "none"}.`, {
    errors: [{ in: "body", field: "arguments.method", detail: "Write one of these codes, or leave it out." }],
  });

/** What is heavier, or more, than any delivery takes. */
const refuseDelivery = (ways: readonly Way[]) =>
  new ApiError(
    "unprocessable",
    `No delivery to this country takes all of these items at once: they are too heavy or too many. Ask for fewer${ways.length > 0 ? `, offer the customer to collect them (${listCodes(ways)})` : ""}, or offer hand_over.`,
    { errors: [{ in: "body", field: "arguments.items", detail: "Ask for fewer pieces." }] },
  );

function describe(shop: ShopFacts, country: string, quoted: Quote) {
  const { base_url } = shop;
  const { currency, lines, shipping, ways, totals, tax_lines, treatment } = quoted;
  return {
    ...{ country, currency },
    lines: lines.map(({ variant, quantity, net_total, total }) => ({
      ...{ sku: variant.sku, name: nameOf(variant.sku, variant), quantity, total_net: net_total, total_gross: total },
      ...{ availability: variant.availability, available_from: variant.available_from, url: base_url + variant.path },
    })),
    methods: ways.map((way) => ({
      ...{ code: way.code, cost_net: way.net, cost_gross: way.total },
      ...{ working_days_min: way.days.min, working_days_max: way.days.max, arrives_by: arrivalOf(shop, quoted, way) },
      name: way.title,
    })),
    tax: { treatment, lines: tax_lines.map(({ title, rate, amount }) => ({ title, rate, amount })) },
    totals: { net: netOf(totals, currency), tax: totals.tax, gross: totals.total },
    method: shipping.code,
    pickup: viewPickup(shop),
  };
}

function speak({ say, money, day, country: nameCountry }: Speech, shop: ShopFacts, to: string, quoted: Quote) {
  const { shipping, ways, totals } = quoted;
  const { name } = shop.tax;
  const country = nameCountry(to);
  const arrival = arrivalOf(shop, quoted, shipping);
  const isTaxed = parseMoney(totals.tax) > 0n;
  const priceOf = ({ total }: Way) => (parseMoney(total) === 0n ? say("basket.free") : money(total));
  const label = ({ code, title }: Way) => nameOfWay(code, title) ?? say("basket.standard");
  const others = ways.filter(({ code }) => code !== shipping.code).map((way) => `${label(way)} (${priceOf(way)})`);
  const isFree = parseMoney(shipping.total) === 0n;
  const cost = isFree
    ? say("assistant.delivery.free", { country })
    : say("assistant.delivery.cost", { country, price: money(shipping.total) });
  const count = shipping.days.max;
  const [soon, later] =
    shipping.code === PICKUP
      ? (["assistant.delivery.ready", "assistant.delivery.ready_later"] as const)
      : (["assistant.delivery.arrives", "assistant.delivery.later"] as const);
  return [
    shipping.code === PICKUP ? say("assistant.delivery.collected", { name: shipping.title }) : cost,
    arrival === null ? say(later, { count }) : say(soon, { count, day: day(arrival) }),
    say(isTaxed ? "assistant.delivery.total" : "assistant.delivery.total_untaxed", {
      ...{ net: money(netOf(totals, quoted.currency)), amount: money(totals.tax), tax: name },
      total: money(totals.total),
    }),
    ...(others.length > 0 ? [say("assistant.delivery.others", { others: others.join("; ") })] : []),
  ].join(" ");
}
