import { expect, test } from "vitest";
import { placeOf } from "../../../../api/contract/territories.ts";
import { seededRandom } from "../../../../api/operation/demo/random.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { readMail } from "../../../../api/platform/mail/settings.ts";
import { createMetrics } from "../../../../api/platform/monitoring/metrics.ts";
import { deliveryQueue, type Queue } from "../../../../api/platform/outbox/worker.ts";
import { openBuilds } from "../../../../api/platform/private-pages/builds.ts";
import { makeSender } from "../../../../api/platform/webhook/sender.ts";
import { mailQueue, makeMailing } from "../../../../api/selling/mail/attempt.ts";
import { openMails } from "../../../../api/selling/mail/render.ts";
import type { Order } from "../../../../api/selling/orders/schema.ts";
import { storeShopFacts } from "../../../../api/selling/shop/queries.ts";
import { byDepth, seedFor } from "../../../depth.ts";
import { assistantToken, callTool } from "../../assistant/assistant-shop.ts";
import { startShopApi } from "../../platform/private-pages/pages.ts";
import { startErp, webhookTo } from "../../platform/webhook/erp-server.ts";
import { startSmtp } from "../../selling/mail/mail-shop.ts";
import {
  addUp,
  type Basket,
  CURRENCIES,
  type Fraction,
  fraction,
  inventBasket,
  isLess,
  minus,
  priceByRules,
  shopOf,
  times,
  variantsOf,
  written,
} from "../../selling/quote/by-the-rules.ts";
import { readMain } from "../basket/page-text.ts";
import { filledForm, placeFields } from "./filled-form.ts";
import { startVies } from "./vies-server.ts";

/** Baskets of each currency, from so many that are invented. */
const [BASKETS, INVENTED] = byDepth({ usual: [12, 300], deep: [500, 500] });

test.each(CURRENCIES)(
  "fault 10: amounts are those of the rules to the last digit on basket, link, review, mail, order page, API, webhook and assistant, $currency",
  { timeout: byDepth({ usual: 120_000, deep: 1_800_000 }) },
  async (currency) => {
    const random = seededRandom(seedFor("api") + currency.decimals * 10 + currency.smallest);
    const nth = (index: number) => index * CURRENCIES.length + CURRENCIES.indexOf(currency);
    const invented = Array.from({ length: INVENTED }, (_, index) => inventBasket(random, nth(index)));
    const baskets = ofEachKind(invented).slice(0, BASKETS);
    const shop = await startShop(baskets[0] as Basket);
    for (const [place, basket] of baskets.entries()) {
      const expected = priceByRules(basket);
      // Neither a basket nor an assistant knows a VAT number.
      const before = priceByRules({ ...basket, number: null });
      const { seen, said } = await shop.visit(basket, place);
      if (!expected || !before) {
        expect({ basket, ...seen, said }).toEqual({ basket, ...refused });
        continue;
      }
      const bought = amountsOf(basket, expected);
      const cart = { ...amountsOf(basket, before), ways: waysOf(basket, before) };
      // Who collects the goods has given no address to deliver them to.
      const review = { ...bought, ways: expected.way === "pickup" ? [] : waysOf(basket, expected) };
      expect({ basket, ...seen }).toEqual({ basket, cart, link: cart, markdown: cart, review });
      expect({ basket, said }).toEqual({ basket, said: spoken(before) });
      const { order, message, pages } = await shop.place(basket);
      expect({ basket, ...pages }).toEqual({ basket, page: bought, text: bought, html: bought });
      const { ways: _, ...priced } = expected;
      expect({ basket, order: pricedIn(order) }).toEqual({ basket, order: priced });
      expect(taxMistakes(order, currency.smallest)).toEqual([]);
      expect(message).toEqual({ type: "order.pushed", timestamp: order.updated_at, data: order });
    }
    const kinds = new Set(baskets.map(kindOf));
    expect(kinds).toEqual(new Set(invented.map(kindOf)));
    for (const kind of [
      "domestic",
      "destination",
      "reverse_charge",
      "export",
      "collected in spite of a number",
      "refused",
    ])
      expect(kinds).toContain(kind);
  },
);

type Priced = NonNullable<ReturnType<typeof priceByRules>>;

/** Of the buyer and the way. */
function kindOf(basket: Basket): string {
  const priced = priceByRules(basket);
  if (priced?.way !== "pickup") return priced?.treatment ?? "refused";
  const delivered = priceByRules({ ...basket, chosen: null });
  return delivered?.treatment === "reverse_charge" ? "collected in spite of a number" : "collected";
}

/** First one of each kind, then a second one of each, and so on. */
const ofEachKind = (baskets: readonly Basket[]): Basket[] => {
  const kinds = [...Map.groupBy(baskets, kindOf).values()];
  return baskets.flatMap((_, nth) => kinds.flatMap((some) => some[nth] ?? []));
};

/** What a customer can compare: lines as `quantity × price = total`, then the rows of the sum from top to bottom. */
interface Amounts {
  lines: string[];
  rows: string[];
}

/** Where the way of delivery can be chosen. */
interface Offered extends Amounts {
  ways: string[];
}

/** An amount as pages and mails write it, without blanks. */
const show = ({ currency }: Basket, amount: string): string =>
  new Intl.NumberFormat("en-GB", { style: "currency", currency: currency.currency })
    .format(amount as `${number}`)
    .replace(/\s/g, "");

/** Ways of delivery to choose from, each with its price with tax; one way is no choice. */
const waysOf = (basket: Basket, { ways }: Priced): string[] =>
  ways.length === 1
    ? []
    : ways.map(([code, total = ""]) => `${code}: ${Number(total) === 0 ? "Free" : show(basket, total)}`);

/** What every surface has to show of it. */
function amountsOf(basket: Basket, priced: Priced): Amounts {
  const { currency, includesTax, lines } = basket;
  const money = (amount: string) => show(basket, amount);
  const add = (...amounts: string[]) => money(written(addUp(amounts.map(fraction)), currency.decimals));
  const goods = priced.lines.map(([, net = "", , total = ""]) => (includesTax ? total : net));
  const [delivery = ""] = priced.shipping;
  return {
    lines: priced.lines.map(([unit = ""], at) => `${lines[at]?.quantity} × ${money(unit)} = ${money(goods[at] ?? "")}`),
    rows: [
      `goods: ${add(...goods)}`,
      `delivery: ${Number(delivery) === 0 ? "Free" : money(delivery)}`,
      `Net: ${add(priced.totals.items_net, priced.totals.shipping_net)}`,
      ...priced.taxes.map(([title, amount = ""]) => `${title}: ${money(amount)}`),
      `total: ${money(priced.totals.total)}`,
    ],
  };
}

/** What the assistant's delivery_quote has of it. */
const spoken = ({ treatment, way, ways, lines, taxes, totals }: Priced) => ({
  status: 200,
  ...{ treatment, way, ways },
  lines: lines.map(([, net, , total]) => [net, total]),
  taxes: taxes.map(([title, amount]) => [title, amount]),
  totals: [totals.tax, totals.total],
});

/** An order as the rules have it. */
function pricedIn({ prices_include_tax, lines, shipping_lines, tax_lines, tax_treatment, totals }: Order) {
  const [way] = shipping_lines;
  const { refunded: _, due: _due, ...sums } = totals;
  return {
    treatment: tax_treatment,
    way: way?.code,
    lines: lines.map((line) => [line.unit_price, line.net_total, line.tax_total, line.total]),
    shipping: [prices_include_tax ? way?.total : way?.net_total, way?.total],
    taxes: tax_lines.map(({ title, amount, taxable }) => [title, amount, taxable]),
    totals: sums,
  };
}

/**
 * Where an order's taxes aren't the sums of those of its lines and delivery, or further from the rate of what they are
 * computed on than each line and each class of the delivery may round.
 */
function taxMistakes({ lines, shipping_lines, tax_lines }: Order, decimals: number): string[] {
  const parts = [...lines, ...shipping_lines].flatMap((each) => each.tax_lines);
  const sum = (some: Order["tax_lines"], field: "amount" | "taxable") =>
    addUp(some.map((each) => fraction(each[field] ?? "")));
  const isEqual = (a: Fraction, b: Fraction) => !isLess(a, b) && !isLess(b, a);
  return tax_lines
    .filter(({ title, rate, amount, taxable }) => {
      const same = parts.filter((part) => part.title === title && part.rate === rate);
      const exact = times(sum(same, "taxable"), fraction(rate));
      const [more, less] = [minus(fraction(amount), exact), minus(exact, fraction(amount))];
      const most = { top: BigInt(same.length + 2), bottom: 10n ** BigInt(decimals) };
      return (
        isLess(most, more) ||
        isLess(most, less) ||
        !isEqual(sum(same, "amount"), fraction(amount)) ||
        !isEqual(sum(same, "taxable"), fraction(taxable ?? ""))
      );
    })
    .map(({ title }) => title);
}

/** The rows of a sum on any surface, in the words of amountsOf. */
const rowOf = (label: string, amount: string) =>
  `${label
    .replace(/^Goods(?: with tax)?$/, "goods")
    .replace(/^(?:Delivery|Collection)(?: \(?(?:method-\d|Here)\)?)?(?: with tax)?$/, "delivery")
    .replace(/^Total$/, "total")}: ${amount.replace(/\s/g, "")}`;

/** Expects the total as what is to be paid; of an order of nothing none is. */
function expectDue(rows: string[], [found]: string[][]): void {
  const due = found?.[0];
  if (due === undefined) expect(rows.at(-1)).toMatch(/^total: [^1-9]*$/);
  else expect(rows).toContain(rowOf("Total", due));
}

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

/** The ways of delivery to choose from on a page, as in waysOf. */
const waysIn = (html: string): string[] =>
  all(html, /name="method" value="([^"]*)"[^>]*> <span>[^:]*: (.*?)<(?:br|\/span)>/g).map(([code, price = ""]) =>
    wayOf(code, price),
  );

const wayOf = (code: string | undefined, price: string) =>
  `${code}: ${(/ net \((.*) with /.exec(price)?.[1] ?? price).replace(/\s/g, "")}`;

/** Lines in the prices of the order: with tax where the shop's include it, although the net price stands first. */
function readBasketPage(html: string, pricesIncludeTax: boolean): Offered {
  // A price that is the total as well may stand there once.
  const lines = html.split("<li>").flatMap((line) => {
    const prices = all(line, /class="price">(.*?)<\/strong>(?: <span class="tax">net \((.*?) with )?/g).map(
      ([net = "", gross]) => (pricesIncludeTax && gross ? gross : net),
    );
    const [[inBasket, inLink] = []] = all(
      line,
      /name="quantity:[^"]*" value="(\d+)"|"line-quantity">Quantity: (\d+)</g,
    );
    const quantity = inBasket ?? inLink;
    return quantity === undefined ? [] : [lineOf(quantity, prices[0] ?? "", prices.at(-1) ?? "")];
  });
  return { lines, rows: totalsIn(html), ways: waysIn(html) };
}

/** The Markdown of a link. */
function readMarkdown(text: string, pricesIncludeTax: boolean): Offered {
  const priceOf = (shown: string) => {
    const [net = "", gross] = shown.split(" net (");
    return pricesIncludeTax && gross !== undefined ? gross.replace(/ with .*/, "") : net.replace(/ net$/, "");
  };
  const lines = all(text, /^\|.*\| SKU-\d+ \|.*?\| (.*?) \| (\d+) \| (.*?) \|$/gm).map(
    ([each = "", quantity, total = ""]) => lineOf(quantity, priceOf(each), priceOf(total)),
  );
  const rows = all(sliceOf(text, "\n- Goods", "\n\n"), /^- (.*): (.*?)(?:\. .*)?$/gm).map(([label = "", amount = ""]) =>
    rowOf(label, amount),
  );
  const ways = all(text, /^- .* \((method-\d|pickup)\): (.*?)(?:, [\d a-z]* working days?)?$/gm).map(
    ([code, price = ""]) => wayOf(code, price),
  );
  return { lines, rows, ways };
}

function readReviewPage(html: string): Offered {
  const lines = all(html, /<p>([\d,]+) pieces? at (.*?)(?: each)?: <strong class="price">(.*?)<\/strong>/g).map(
    ([quantity, each = "", total = ""]) => lineOf(quantity, each, total),
  );
  const amounts = { lines, rows: totalsIn(html), ways: waysIn(html) };
  const [[button = ""] = []] = all(html, /Place order for (.*?)<\/button>/g);
  expect(amounts.rows).toContain(rowOf("Total", button));
  return amounts;
}

function readOrderPage(html: string): Amounts {
  const lines = all(html, /<td>(\d+) × (.*?)<\/td><td>(.*?)<\/td>/g).map(([quantity, each = "", total = ""]) =>
    lineOf(quantity, each, total),
  );
  const amounts = { lines, rows: totalsIn(html) };
  expectDue(amounts.rows, all(html, /<dt>To be paid<\/dt><dd>(.*?)<\/dd>/g));
  return amounts;
}

function readMailText(text: string): Amounts {
  const lines = all(text, /^ {2}(\d+) × (.*?) = (.*)$/gm).map(([quantity, each = "", total = ""]) =>
    lineOf(quantity, each, total),
  );
  const rows = all(sliceOf(text, "\nGoods", "\n\n"), /^(.*): (.*)$/gm).map(([label = "", amount = ""]) =>
    rowOf(label, amount),
  );
  expectDue(rows, all(text, /^To be paid: (.*)$/gm));
  return { lines, rows };
}

function readMailHtml(html: string): Amounts {
  // Others say how to pay.
  const table = html.split("<table").find((each) => each.includes('colspan="2"')) ?? "";
  const lines = all(table, /<td[^>]*>(\d+) × ([^<]*)<\/td><td[^>]*>([^<]*)<\/td>/g).map(
    ([quantity, each = "", total = ""]) => lineOf(quantity, each, total),
  );
  const rows = all(table, /<t[dh][^>]*colspan="2"[^>]*>(.*?)<\/t[dh]><td[^>]*>(.*?)<\/td>/g).map(
    ([label = "", amount = ""]) => rowOf(plain(label), plain(amount)),
  );
  expectDue(rows, all(html, />To be paid<\/th><td><strong>(.*?)<\/strong>/g));
  return { lines, rows };
}

const lineOf = (quantity: string | undefined, each: string, total: string) =>
  `${quantity} × ${each} = ${total}`.replace(/\s/g, "").replace("×", " × ").replace("=", " = ");

const TOO_MUCH = "too heavy or too many for one delivery";
/** What is seen of a basket that no delivery takes. */
const refused = {
  ...{ cart: TOO_MUCH, link: TOO_MUCH, markdown: TOO_MUCH, review: TOO_MUCH },
  said: { status: 422 },
};

/** A shop that is another one for each basket, with its mails and its webhook. */
async function startShop(basket: Basket) {
  const vies = await startVies(true);
  const { app, db, get, sessionPages, customer } = await startShopApi({
    ...{ facts: shopOf(basket), vatCheckUrl: vies.url, placementsPerHour: BASKETS, pushWhen: "placed" },
    assistant: { tokens: [assistantToken], identitySecrets: [] },
  });
  const [smtp, erp] = [await startSmtp(), await startErp()];
  const mail = readMail({ SMTP_URL: smtp.url }, []);
  if (!mail) throw new Error("SMTP_URL is refused.");
  const quiet = { info() {}, warn() {}, error() {} };
  const mails = mailQueue(makeMailing(db, mail, openMails(openBuilds(sessionPages), quiet)), quiet);
  const webhook = deliveryQueue({ db, send: makeSender(webhookTo(erp.url)), metrics: createMetrics() }, quiet);
  let browser = customer();
  let review = "";

  return {
    /** As a customer goes to the review page, and what the assistant says before. */
    async visit(basket: Basket, nth: number) {
      const { place, number, chosen, lines, includesTax } = basket;
      const variants = variantsOf(basket);
      await storeShopFacts(db, shopOf(basket));
      await db.deleteFrom("product_variants").execute();
      await db.insertInto("product_variants").values(variants).execute();
      vies.valid = number?.result === "valid" || undefined;
      browser = customer();
      // VIES is asked 30 times an hour for one address.
      const from = { "x-forwarded-for": `10.0.${nth >> 8}.${nth & 255}` };
      const country = placeOf(place.country, place.postal_code) ?? "";
      const items = variants.map(({ sku }, at) => ({ sku, quantity: lines[at]?.quantity ?? 0 }));
      const link = items.map(({ sku, quantity }) => `${sku}:${quantity}`).join(",");
      const query = new URLSearchParams({ country, ...(chosen !== null && { method: chosen }) });
      await browser.post("/cart/lines", { items: link });
      const cart = (await browser.get(`/cart?${query}`)).payload;
      const page = (await browser.get(`/buy/${link}?${query}`)).payload;
      const markdown = (await browser.get(`/buy/${link}?${query}`, { "x-face": "md" })).payload;
      const form = filledForm({
        ...{ country_code: place.country, postal_code: place.postal_code ?? "", vat_id: number?.vat_id ?? "" },
        ...{ method: chosen ?? "", ...(chosen === "pickup" && { collects: "yes" }) },
      });
      const entered = await browser.post("/checkout", form as Record<string, string>, from);
      expect({
        basket,
        location: entered.headers.location,
        page: entered.statusCode === 303 || readMain(entered.payload),
      }).toEqual({
        ...{ basket, location: "/checkout/review", page: true },
      });
      review = (await browser.get("/checkout/review")).payload;
      const ways = priceByRules({ ...basket, number: null })?.ways.map(([code]) => code) ?? [];
      const method = chosen !== null && ways.includes(chosen) && { method: chosen };
      const answer = await callTool(
        app,
        "delivery_quote",
        { country, items, ...method },
        { conversation: `chat-${nth}` },
      );
      const or = (text: string, read: (text: string) => Offered) => (text.includes(TOO_MUCH) ? TOO_MUCH : read(text));
      return {
        seen: {
          cart: or(cart, (text) => readBasketPage(text, includesTax)),
          link: or(page, (text) => readBasketPage(text, includesTax)),
          markdown: or(markdown, (text) => readMarkdown(text, includesTax)),
          review: or(review, readReviewPage),
        },
        said: readAnswer(answer),
      };
    },

    /** Places what the review page shows, and reads the mail and the message to the webhook where they arrive. */
    async place(basket: Basket) {
      const [, method] = /name="method" value="([^"]*)"[^>]* checked/.exec(review) ?? [];
      const placed = await browser.post("/checkout/place", { ...placeFields(review), ...(method && { method }) });
      const location = String(placed.headers.location);
      expect({ basket, location }).toEqual({ basket, location: expect.stringMatching(/^\/account\/orders\/A-\d+$/) });
      const page = await browser.get(location);
      await Promise.all([work(mails), work(webhook)]);
      const order = await findOrder(db, location, get);
      const sent = smtp.received.find(({ to: [recipient], mail }) => {
        return recipient === "ada@novak.example" && mail.subject?.endsWith(` ${order.number}`);
      });
      const pushed = erp.received.find(({ headers }) => headers["webhook-id"] === `msg_order_${order.id}_1`);
      return {
        order,
        message: JSON.parse(String(pushed?.body)),
        pages: {
          page: readOrderPage(page.payload),
          text: readMailText(sent?.mail.text ?? ""),
          html: readMailHtml(String(sent?.mail.html)),
        },
      };
    },
  };
}

async function findOrder(db: Db, location: string, get: (url: string) => Promise<{ json(): unknown }>): Promise<Order> {
  const { id } = await db
    .selectFrom("orders")
    .select("id")
    .where("number", "=", location.slice(location.lastIndexOf("/") + 1))
    .executeTakeFirstOrThrow();
  return (await get(`/api/orders/${id}`)).json() as Order;
}

function readAnswer({ statusCode, json }: Awaited<ReturnType<typeof callTool>>) {
  if (statusCode !== 200) return { status: statusCode };
  const { tax, method, methods, lines, totals } = json().result;
  type Fields = Record<string, string>;
  return {
    status: 200,
    ...{ treatment: tax.treatment, way: method },
    ways: methods.map(({ code, cost_gross }: Fields) => [code, cost_gross]),
    lines: lines.map(({ total_net, total_gross }: Fields) => [total_net, total_gross]),
    taxes: tax.lines.map(({ title, amount }: Fields) => [title, amount]),
    totals: [totals.tax, totals.gross],
  };
}

/** Makes every due attempt. */
async function work(queue: Queue): Promise<void> {
  const due = await queue.findDue(1_000);
  await Promise.all(due.map(async (id) => (await queue.claim(id))?.()));
}
