import { expect, onTestFinished, test } from "vitest";
import { readDatabaseAddress } from "../../../api/env.ts";
import { readOffers } from "../../../api/people/search/offers.ts";
import { openDatabase } from "../../../api/platform/database/pool.ts";
import { storePrices } from "../../../api/selling/catalogue/prices.ts";
import { readShopFacts, storeShopFacts } from "../../../api/selling/shop/queries.ts";
import { readMain } from "../people/basket/page-text.ts";
import { buildTemplates } from "../platform/private-pages/pages.ts";
import { transferShop } from "../selling/mail/mail-shop.ts";
import { startAssistant } from "./assistant-shop.ts";

const SKU = "KES-C2-BK";
const OTHER = "KES-CABLE";

const NO_CONDITIONS = {
  ...{ category: null, facets: null, max_price: null, max_price_includes_tax: null, in_stock: null, limit: null },
};

test("what is sold out by counting is out of stock in search, counter, link, basket and all of the assistant's tools at once", async () => {
  const counter = {
    steps: [
      { slug: "scanners", title: "Scanners", fits: [], products: [{ summary: "It scans.", skus: [SKU, OTHER] }] },
    ],
    ...{ extras: [], relations: [], cautions: [] },
  };
  const sessionPages = await buildTemplates(transferShop(), undefined, { counter: JSON.stringify(counter) });
  const { db, app, call, customer } = await startAssistant({ sessionPages });
  const buyer = customer();
  await buyer.post("/cart/lines", { sku: SKU, quantity: "1" });
  const read = async (path: string, face: "html" | "md") => {
    const { payload } = await app.inject({ url: path, headers: { "x-face": face } });
    return face === "html" ? readMain(payload) : payload;
  };
  const ask = async (tool: string, args: object) => (await call(tool, args)).json();
  /** Whether each of them says that it's in stock, and that it isn't. */
  const look = async () => {
    const found = await ask("find_products", { query: "kestrel black", ...NO_CONDITIONS });
    const inStock = await ask("find_products", { query: "kestrel black", ...NO_CONDITIONS, in_stock: true });
    const facts = await ask("product_facts", { product: SKU });
    const compared = await ask("compare_products", { skus: [SKU, "KES-C2-WH"] });
    const quote = await call("delivery_quote", { items: [{ sku: SKU, quantity: 1 }], country: "NL" });
    const link = await call("basket_link", { items: [{ sku: SKU, quantity: 1 }] });
    const both = (texts: string[]) =>
      texts.map((text) => [/\bin stock/i.test(text), /out of stock/i.test(text)].map(Number).join(""));
    return {
      search: both([await read("/search?q=kestrel+black", "html"), await read("/search?q=kestrel+black", "md")]),
      counter: both([
        await read(`/counter?chosen=${SKU}`, "html"),
        (await read(`/counter?chosen=${SKU}`, "md")).split("\n").find((line) => line.startsWith("Chosen:")) ?? "",
      ]),
      buy: both([await read(`/buy/${SKU}:1`, "html"), await read(`/buy/${SKU}:1`, "md")]),
      basket: both([readMain((await buyer.get("/cart")).payload)]),
      found: [found.result.products[0].availability, ...both([found.say])],
      inStock: inStock.result.total,
      facts: [facts.result.versions[0].availability, ...both([facts.say])],
      compared: compared.result.products[0].availability,
      orderable: [quote.statusCode, link.statusCode],
    };
  };
  const count = (pieces: number) => db.updateTable("stock").set({ count: pieces }).where("sku", "=", SKU).execute();
  const available = {
    ...{ search: ["10", "10"], buy: ["10", "10"], basket: ["10"], inStock: 1, compared: "in_stock" },
    ...{ found: ["in_stock", "10"], facts: ["in_stock", "10"], orderable: [200, 200] },
  };
  expect(await look()).toMatchObject(available);
  await count(0);
  expect(await look()).toMatchObject({
    ...{ search: ["01", "01"], counter: ["01", "01"], buy: ["01", "01"], basket: ["01"], inStock: 0 },
    ...{ found: ["out_of_stock", "01"], facts: ["out_of_stock", "01"], compared: "out_of_stock" },
    orderable: [422, 422],
  });
  await count(1);
  expect(await look()).toMatchObject(available);
});

test("a search whose words leave it open shows the version that can be had now", async () => {
  const { db, app } = await startAssistant();
  const search = async () => readMain((await app.inject({ url: "/search?q=kestrel+c2" })).payload);
  expect(await search()).toContain("KES-C2-BK");
  await db.updateTable("stock").set({ count: 0 }).where("sku", "=", SKU).execute();
  expect(await search()).toContain("KES-C2-WH");
});

test("a search for what is in stock chooses by what is left, in its words and in the assistant's", async () => {
  const { db, app, call } = await startAssistant();
  const query = "kestrel black in stock";
  const search = async () => {
    const found = await call("find_products", { query, ...NO_CONDITIONS });
    const { payload } = await app.inject({ url: `/search?q=${query.replaceAll(" ", "+")}` });
    return [readMain(payload).includes(SKU), found.json().result.wish.is_met];
  };
  expect(await search()).toEqual([true, true]);
  await db.updateTable("stock").set({ count: 0 }).where("sku", "=", SKU).execute();
  expect((await search())[1]).toBe(false);
});

test("without the database results are as the build has them", async () => {
  const away = openDatabase(readDatabaseAddress({ DATABASE_URL: "mysql://a@127.0.0.1:1/b" }));
  onTestFinished(() => away.destroy());
  expect(await readOffers(away, [SKU])).toEqual(new Map());
});

test("the price that the partner's ERP has sent is what search and the assistant say, and go by", async () => {
  const { db, app, call } = await startAssistant();
  const shop = await readShopFacts(db);
  await storeShopFacts(db, { ...shop, erp: { owns: ["price"], books_placed: false } });
  const find = async () =>
    (await call("find_products", { query: "kestrel black", ...NO_CONDITIONS, max_price: "110.00" })).json().result;
  const search = async () =>
    (await app.inject({ url: "/search?q=kestrel+black", headers: { "x-face": "md" } })).payload;
  expect([(await find()).total, await search()]).toEqual([0, expect.not.stringContaining("100.00")]);
  const at = new Date("2026-11-01T00:00:00Z");
  await storePrices(db, [{ sku: SKU, price: "121.00", confirm: true }], {
    currency: shop.currency,
    at,
    by: "5f0d6a3a",
  });
  expect(await find()).toMatchObject({ total: 1, products: [{ sku: SKU, price_net: "100.00" }] });
  expect(await search()).toContain("100.00");
});
