import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ShopFacts } from "../../../../api/contract/built-files/store.ts";
import { currencyDigits } from "../../../../api/contract/currencies.ts";
import { formatMoney, parseMoney } from "../../../../api/contract/money.ts";
import { type Random, seededRandom } from "../../../../api/operation/demo/random.ts";
import { serializeMessage } from "../../../../api/partners/erp/message.ts";
import { orderPage } from "../../../../api/people/account/views.ts";
import { priceItems } from "../../../../api/people/basket/priced-items.ts";
import { addToBasket, readBasket } from "../../../../api/people/basket/queries.ts";
import { basketPage } from "../../../../api/people/basket/views.ts";
import { readDetails } from "../../../../api/people/checkout/details.ts";
import { makeOffer, orderableLines } from "../../../../api/people/checkout/offer.ts";
import { placeCheckout } from "../../../../api/people/checkout/place.ts";
import { findOpenCheckout, saveCheckout } from "../../../../api/people/checkout/queries.ts";
import { reviewPage, viewOffer } from "../../../../api/people/checkout/views.ts";
import { pages } from "../../../../api/people/pages.ts";
import { now } from "../../../../api/platform/database/columns.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { readMail } from "../../../../api/platform/mail/settings.ts";
import { createMetrics } from "../../../../api/platform/monitoring/metrics.ts";
import { deliveryQueue, type Queue } from "../../../../api/platform/outbox/worker.ts";
import { openBuilds } from "../../../../api/platform/private-pages/builds.ts";
import { openTemplates } from "../../../../api/platform/private-pages/templates.ts";
import { makeSender } from "../../../../api/platform/webhook/sender.ts";
import type { Variant } from "../../../../api/selling/catalogue/variants.ts";
import { mailQueue, makeMailing } from "../../../../api/selling/mail/attempt.ts";
import { openMails, viewOrderMail } from "../../../../api/selling/mail/render.ts";
import { viewOrder } from "../../../../api/selling/order-view/order-view.ts";
import { findShopOrder } from "../../../../api/selling/orders/queries.ts";
import type { Order } from "../../../../api/selling/orders/schema.ts";
import { deliveryCountries } from "../../../../api/selling/quote/quote.ts";
import { parseShop } from "../../../../site/content-schema/shop.ts";
import { shopFacts as factsOf } from "../../../../site/private-pages/store-facts.ts";
import { byDepth, seedFor } from "../../../depth.ts";
import { shops } from "../../../workspace.ts";
import { token } from "../../api.ts";
import { startShopApi } from "../../platform/private-pages/pages.ts";
import { startErp, webhookTo } from "../../platform/webhook/erp-server.ts";
import { startSmtp } from "../../selling/mail/mail-shop.ts";
import { variantAt } from "../../selling/quote/shop.ts";
import { readMain } from "../basket/page-text.ts";
import { filledForm, placeFields } from "./filled-form.ts";
import { startVies } from "./vies-server.ts";

/** Of each case, at least one to every destination. */
const BASKETS = byDepth({ usual: 33, deep: 167 });
/** So many of them by HTTP, e-mail and webhook. */
const BY_HTTP = byDepth({ usual: 4, deep: 11 });

test.each([
  { currency: "EUR", prices_include_tax: true, nth: 1 },
  { currency: "EUR", prices_include_tax: false, nth: 2 },
  { currency: "JPY", prices_include_tax: true, nth: 3 },
  { currency: "JPY", prices_include_tax: false, nth: 4 },
  { currency: "KWD", prices_include_tax: true, nth: 5 },
  { currency: "KWD", prices_include_tax: false, nth: 6 },
])(
  "fault 10: amounts are the same to the last digit on basket, review, mail, order page, API and webhook, $currency, with tax: $prices_include_tax",
  { timeout: 300_000 },
  async ({ currency, prices_include_tax, nth }) => {
    const random = seededRandom(seedFor("api") * nth);
    const facts = demoFacts(currency, prices_include_tax);
    const catalogue = inventVersions(random, currencyDigits(currency));
    const destinations = listDestinations(facts);
    expect(BASKETS).toBeGreaterThanOrEqual(destinations.length);
    const baskets = Array.from({ length: BASKETS }, (_, index) => ({
      to: destinations[index % destinations.length] as Destination,
      items: inventItems(random, catalogue),
    }));
    const vies = await startVies(true);
    const shop = await startShopApi({ facts, vatCheckUrl: vies.url, placementsPerHour: BASKETS, pushWhen: "placed" });
    await shop.db.deleteFrom("product_variants").execute();
    await shop.db.insertInto("product_variants").values(catalogue).execute();

    const bought = await buyByHttp(shop, baskets.slice(0, BY_HTTP));
    // The others by the functions that make the answers of the routes, the mails and the messages to the webhook.
    const buyByFunctions = makeBuyer(shop, facts);
    for (const basket of baskets.slice(BY_HTTP)) bought.push(await buyByFunctions(basket));

    for (const { to, order, message, seen } of bought) {
      const expected = amountsOf(order);
      // The basket knows neither the VAT number nor Northern Ireland's postal code.
      const { basket, ...others } = seen;
      const surfaces = to.postal_code || order.tax_treatment === "reverse_charge" ? others : { basket, ...others };
      expect(surfaces).toEqual(Object.fromEntries(Object.keys(surfaces).map((surface) => [surface, expected])));
      expect(message).toEqual({ type: "order.pushed", timestamp: order.updated_at, data: order });
    }
    const treatments = new Set(bought.map(({ order }) => order.tax_treatment));
    expect([...treatments].sort()).toEqual(["destination", "domestic", "export", "reverse_charge"]);
  },
);

type Shop = Awaited<ReturnType<typeof startShopApi>>;

interface Destination {
  country_code: string;
  postal_code?: string;
  vat_id?: string;
}

interface Basket {
  to: Destination;
  items: { sku: string; quantity: number }[];
}

/** The demo shop in another currency. */
function demoFacts(currency: string, prices_include_tax: boolean): ShopFacts {
  const facts = factsOf(parseShop(readFileSync(join(shops.demo, "store.yaml"), "utf8")), false);
  if (!facts.shipping) throw new Error("The demo shop delivers nowhere.");
  const convert = (amount: string) => {
    const digits = currencyDigits(currency);
    const rate = { 0: 160n, 3: 1n }[digits] ?? 1n;
    return digits === 0 ? String((parseMoney(amount) * rate) / 10_000n) : formatMoney(parseMoney(amount), digits);
  };
  const zones = facts.shipping.zones.map((zone) => {
    const methods = zone.methods.map(({ tiers, free_from, ...method }) => ({
      ...method,
      tiers: tiers.map((tier) => ({ ...tier, price: convert(tier.price) })),
      free_from: free_from && convert(free_from),
    }));
    return { ...zone, methods };
  });
  return { ...facts, currency, prices_include_tax, shipping: { ...facts.shipping, zones } };
}

/** Every country of every zone, Northern Ireland, and businesses abroad that VIES knows. */
const listDestinations = (facts: ShopFacts): Destination[] => [
  { country_code: "GB", postal_code: "BT1 5GS" },
  { country_code: "DE", vat_id: "DE123456789" },
  { country_code: "FI", vat_id: "FI12345678" },
  ...deliveryCountries(facts).map((country_code) => ({ country_code })),
];

function inventVersions({ between, chance }: Random, digits: number): Variant[] {
  return Array.from({ length: 60 }, (_, index) => {
    const units = chance(0.1) ? between(0, 9) : between(1, 10 ** between(2, 9));
    const price = formatMoney((BigInt(units) * 10_000n) / 10n ** BigInt(digits), digits);
    return variantAt(price, { sku: `SKU-${index}`, title: `Version ${index}` });
  });
}

const inventItems = ({ between, chance, pick }: Random, catalogue: Variant[]): Basket["items"] =>
  Array.from({ length: chance(0.03) ? 50 : between(1, 6) }, () => between(0, catalogue.length - 1))
    .filter((place, at, places) => places.indexOf(place) === at)
    .map((place) => {
      const quantity = pick([1, 2, 3, between(4, 20), between(21, 998), 999]);
      return { sku: (catalogue[place] as Variant).sku, quantity };
    })
    .sort((a, b) => (a.sku < b.sku ? -1 : 1));

/** What a customer can compare: lines as `quantity × price = total`, then the rows of the sum from top to bottom. */
interface Amounts {
  lines: string[];
  rows: string[];
}

interface Bought {
  to: Destination;
  order: Order;
  /** The webhook's body. */
  message: unknown;
  seen: { basket: Amounts; review: Amounts; page: Amounts; text: Amounts; html: Amounts };
}

/** What every surface has to show of an order as the API has it. */
function amountsOf({ currency, prices_include_tax, lines, shipping_lines, tax_lines, totals }: Order): Amounts {
  const money = (amount: string) =>
    new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(amount as `${number}`).replace(/\s/g, "");
  const digits = currencyDigits(currency);
  const sum = (...amounts: string[]) => amounts.reduce((all, amount) => all + parseMoney(amount), 0n);
  const add = (...amounts: string[]) => money(formatMoney(sum(...amounts), digits));
  const taxes = tax_lines.map(({ title, amount }) => `${title}: ${money(amount)}`);
  const goods = lines.map((line) => (prices_include_tax ? line.total : line.net_total));
  const [shipping] = shipping_lines;
  const delivery = prices_include_tax ? (shipping?.total ?? "") : (shipping?.net_total ?? "");
  const net = sum(totals.items_net, totals.shipping_net);
  expect(net + sum(...tax_lines.map(({ amount }) => amount))).toBe(sum(totals.total));
  return {
    lines: lines.map(
      ({ quantity, unit_price }, at) => `${quantity} × ${money(unit_price)} = ${money(goods[at] ?? "")}`,
    ),
    rows: [
      `goods: ${add(...goods)}`,
      `delivery: ${parseMoney(delivery) === 0n ? "Free" : money(delivery)}`,
      `Net: ${money(formatMoney(net, digits))}`,
      ...taxes,
      `total: ${money(totals.total)}`,
    ],
  };
}

/** The rows of a sum on any surface, in the words of amountsOf. */
const rowOf = (label: string, amount: string) =>
  `${label
    .replace(/^Goods(?: with tax)?$/, "goods")
    .replace(/^Delivery(?: with tax)?$/, "delivery")
    .replace(/^Total$/, "total")}: ${amount.replace(/\s/g, "")}`;

/** Text between tags, with blanks as one. */
const plain = (html: string) => readMain(`<main>${html}</main>`);

const all = (text: string, pattern: RegExp): string[][] => [...text.matchAll(pattern)].map(([, ...groups]) => groups);

/** Rows of a table whose label is a `th` or a `td`, or of a list of facts. */
const rowsIn = (html: string): string[] =>
  all(
    html,
    /<(?:tr|div)[^>]*><(?:th|td|dt)[^>]*>(.*?)<\/(?:th|td|dt)><(?:td|dd)[^>]*>(.*?)<\/(?:td|dd)><\/(?:tr|div)>/g,
  ).map(([label = "", amount = ""]) => rowOf(plain(label), plain(amount)));

const sliceOf = (text: string, from: string, to: string) =>
  text.slice(text.indexOf(from), text.indexOf(to, text.indexOf(from)));

/** The sum of a page, with the total last, as mails and amountsOf have it; a page has it above what is in it. */
const totalsIn = (html: string) =>
  rowsIn(/class="totals">([\s\S]*?)<\/(?:table|dl)>/.exec(html)?.[1] ?? "").toSorted(
    (a, b) => Number(a.startsWith("total: ")) - Number(b.startsWith("total: ")),
  );

/** Lines in the prices of the order: with tax where the shop's include it, although the net price stands first. */
function readBasketPage(html: string, pricesIncludeTax: boolean): Amounts {
  // A price that is the total as well may stand there once.
  const lines = html.split("<li>").flatMap((line) => {
    const prices = all(line, /class="price">(.*?)<\/strong>(?: <span class="tax">net \((.*?) with )?/g).map(
      ([net = "", gross]) => (pricesIncludeTax && gross ? gross : net),
    );
    const [[quantity] = []] = all(line, /name="quantity:[^"]*" value="(\d+)"/g);
    return quantity === undefined ? [] : [lineOf(quantity, prices[0] ?? "", prices.at(-1) ?? "")];
  });
  return { lines, rows: totalsIn(html) };
}

function readReviewPage(html: string): Amounts {
  const lines = all(html, /<p>([\d,]+) pieces? at (.*?)(?: each)?: <strong class="price">(.*?)<\/strong>/g).map(
    ([quantity, each = "", total = ""]) => lineOf(quantity, each, total),
  );
  const amounts = { lines, rows: totalsIn(html) };
  const [[button = ""] = []] = all(html, /Place order for (.*?)<\/button>/g);
  expect(amounts.rows).toContain(rowOf("Total", button));
  return amounts;
}

function readOrderPage(html: string): Amounts {
  const lines = all(html, /<td>(\d+) × (.*?)<\/td><td>(.*?)<\/td>/g).map(([quantity, each = "", total = ""]) =>
    lineOf(quantity, each, total),
  );
  const amounts = { lines, rows: totalsIn(html) };
  const [[due = ""] = []] = all(html, /<dt>To be paid<\/dt><dd>(.*?)<\/dd>/g);
  expect(amounts.rows).toContain(rowOf("Total", due));
  return amounts;
}

function readMailText(text: string): Amounts {
  const lines = all(text, /^ {2}(\d+) × (.*?) = (.*)$/gm).map(([quantity, each = "", total = ""]) =>
    lineOf(quantity, each, total),
  );
  const rows = all(sliceOf(text, "\nGoods", "\n\n"), /^(.*): (.*)$/gm).map(([label = "", amount = ""]) =>
    rowOf(label, amount),
  );
  const [[due = ""] = []] = all(text, /^To be paid: (.*)$/gm);
  expect(rows).toContain(rowOf("Total", due));
  return { lines, rows };
}

function readMailHtml(html: string): Amounts {
  // The first one says how to pay.
  const table = sliceOf(html.slice(html.indexOf("</table>")), "<table", "</table>");
  const lines = all(table, /<td[^>]*>(\d+) × ([^<]*)<\/td><td[^>]*>([^<]*)<\/td>/g).map(
    ([quantity, each = "", total = ""]) => lineOf(quantity, each, total),
  );
  const rows = all(table, /<t[dh][^>]*colspan="2"[^>]*>(.*?)<\/t[dh]><td[^>]*>(.*?)<\/td>/g).map(
    ([label = "", amount = ""]) => rowOf(plain(label), plain(amount)),
  );
  const [[due = ""] = []] = all(html, />To be paid<\/th><td><strong>(.*?)<\/strong>/g);
  expect(rows).toContain(rowOf("Total", due));
  return { lines, rows };
}

const lineOf = (quantity: string | undefined, each: string, total: string) =>
  `${quantity} × ${each} = ${total}`.replace(/\s/g, "").replace("×", " × ").replace("=", " = ");

/** Buys as a browser does, and reads the mail and the message to the webhook where they arrive. */
async function buyByHttp({ app, db, sessionPages }: Shop, baskets: readonly Basket[]): Promise<Bought[]> {
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const visited = [];
  for (const { to, items } of baskets) {
    const visit = openBrowser(`http://127.0.0.1:${port}`);
    await visit("/cart/lines", { items: items.map(({ sku, quantity }) => `${sku}:${quantity}`).join(",") });
    const basket = await visit(`/cart?country=${to.country_code}`);
    await visit("/checkout", filledForm(to) as Record<string, string>);
    const review = await visit("/checkout/review");
    const placed = await visit("/checkout/place", placeFields(review.text));
    const page = await visit(placed.location);
    const number = placed.location.replace(/.*A-/, "");
    const { id } = await db
      .selectFrom("orders")
      .select("id")
      .where("number", "=", `A-${number}`)
      .executeTakeFirstOrThrow();
    const answer = await fetch(`http://127.0.0.1:${port}/api/orders/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    visited.push({ to, order: (await answer.json()) as Order, basket, review, page });
  }
  const [smtp, erp] = [await startSmtp(), await startErp()];
  const mail = readMail({ SMTP_URL: smtp.url }, []);
  if (!mail) throw new Error("SMTP_URL is refused.");
  const quiet = { info() {}, warn() {}, error() {} };
  await work(mailQueue(makeMailing(db, mail, openMails(openBuilds(sessionPages), quiet)), quiet));
  await work(deliveryQueue({ db, send: makeSender(webhookTo(erp.url)), metrics: createMetrics() }, quiet));
  return visited.map(({ to, order, basket, review, page }) => {
    const sent = smtp.received.find(({ to: [recipient], mail }) => {
      return recipient === "ada@novak.example" && mail.subject?.endsWith(` ${order.number}`);
    });
    const pushed = erp.received.find(({ headers }) => headers["webhook-id"] === `msg_order_${order.id}_1`);
    return {
      to,
      order,
      message: JSON.parse(String(pushed?.body)),
      seen: {
        basket: readBasketPage(basket.text, order.prices_include_tax),
        review: readReviewPage(review.text),
        page: readOrderPage(page.text),
        text: readMailText(sent?.mail.text ?? ""),
        html: readMailHtml(String(sent?.mail.html)),
      },
    };
  });
}

/** A browser that keeps its cookie; with fields it sends a form. */
function openBrowser(origin: string) {
  let cookie = "";
  return async (path: string, fields?: Record<string, string>) => {
    const answer = await fetch(origin + path, {
      redirect: "manual",
      headers: { cookie, "sec-fetch-site": "same-origin" },
      ...(fields && { method: "POST", body: new URLSearchParams(fields) }),
    });
    cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    return { location: answer.headers.get("location") ?? "", text: await answer.text() };
  };
}

/** Makes every due attempt. */
async function work(queue: Queue): Promise<void> {
  for (const id of await queue.findDue(1_000)) await (await queue.claim(id))?.();
}

/** The same without the routes. */
function makeBuyer({ db, sessionPages }: Shop, facts: ShopFacts) {
  const log = { info() {}, error() {} };
  const builds = openBuilds(sessionPages);
  const templates = openTemplates({ builds, pages, log });
  const mails = openMails(builds, log);
  return async ({ to, items }: Basket): Promise<Bought> => {
    const session = await openTestSession(db);
    const variants = await db.selectFrom("product_variants").selectAll().execute();
    const known = new Map(variants.map((variant) => [variant.sku, variant]));
    await addToBasket(
      db,
      session,
      items.map(({ sku, quantity }) => ({ variant: known.get(sku) as Variant, quantity })),
    );
    const basket = await readBasket(db, session);
    const { details } = readDetails(filledForm(to), facts);
    if (!details || !facts.shipping || !facts.transfer) throw new Error("This shop doesn't sell.");
    const checked_at = "2026-11-22T12:00:00.000Z";
    const { vat_id } = to;
    const vat_check = vat_id ? { vat_id, result: "valid" as const, checked_at, consultation_number: "WAPI1" } : null;
    await saveCheckout(db, session, { details, vat_check });
    const checkout = await findOpenCheckout(db, session);
    if (!checkout) throw new Error("The checkout isn't stored.");

    const priced = priceItems(facts, basket, { country: to.country_code });
    const basketText = await templates.render(basketPage, {
      ...{ errors: [], added: null, adding: null, is_empty: false },
      lines: priced.items.map(({ offered }, index) => {
        return {
          ...offered,
          item: offered.sku,
          id: `quantity-${index}`,
          price_was: null,
          at_most: false,
          has_error: false,
        };
      }),
      ...priced.delivery,
    });
    const offer = makeOffer(facts, checkout, orderableLines(basket));
    if (!offer) throw new Error("It can't be delivered.");
    const reviewText = await templates.render(reviewPage, {
      ...{ obstacle: null, can_collect: false, sales_email: facts.sales_email, errors: [], unavailable: [] },
      offer: viewOffer(facts, checkout, offer, undefined, []),
    });
    const placing = { sessionId: session, checkout, quote: offer.quote, paymentMethod: "transfer" as const };
    const number = await placeCheckout(db, placing, async () => {});
    const { id } = await db.selectFrom("orders").select("id").where("number", "=", number).executeTakeFirstOrThrow();
    const shopOrder = await findShopOrder(db, id);
    if (!shopOrder) throw new Error("There is no order.");
    const {
      payment_method: _,
      transfer_since: _since,
      holds_counted: _holds,
      close_reason: _reason,
      ...order
    } = shopOrder;
    const pageText = await templates.render(orderPage, { ...viewOrder(shopOrder, facts), is_pro_forma: false });
    const writeMail = await mails.current();
    const mail = writeMail(
      "order_received",
      viewOrderMail(shopOrder, facts, { link: "https://shop.example/", code: "" }),
    );
    return {
      to,
      order,
      message: JSON.parse(String(serializeMessage(order, "order.pushed").body)),
      seen: {
        basket: readBasketPage(basketText, order.prices_include_tax),
        review: readReviewPage(reviewText),
        page: readOrderPage(pageText),
        text: readMailText(mail.text),
        html: readMailHtml(mail.html),
      },
    };
  };
}

async function openTestSession(db: Db): Promise<number> {
  const token_hash = crypto.randomUUID().replaceAll("-", "").padEnd(64, "0");
  const { insertId } = await db
    .insertInto("sessions")
    .values({ token_hash, created_at: now(), used_at: now() })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}
