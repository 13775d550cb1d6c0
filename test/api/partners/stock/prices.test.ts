import { expect, test } from "vitest";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { followOffers } from "../../../../api/selling/catalogue/effective-offers.ts";
import { importProducts } from "../../../../api/selling/catalogue/import.ts";
import { isPrice } from "../../../../api/selling/catalogue/prices.ts";
import { findVariants } from "../../../../api/selling/catalogue/variants.ts";
import { storeShopFacts } from "../../../../api/selling/shop/queries.ts";
import { price as contentPrice } from "../../../../site/content-schema/money.ts";
import { startApi, token } from "../../api.ts";
import { readMain } from "../../people/basket/page-text.ts";
import { place, review, startCheckout } from "../../people/checkout/start-checkout.ts";
import { product, variant } from "../../selling/catalogue/catalogue.ts";
import { shopFacts } from "../../selling/quote/shop.ts";

const AT = "2026-10-19T08:13:02Z";
const catalogue = [product("a", { variants: [variant("A-1"), variant("A-2")] }), product("b")];

const letOwn = (db: Db, ...owns: ("stock" | "price")[]) =>
  storeShopFacts(db, shopFacts({ erp: { owns, books_placed: false } }));

/** A shop of two products at 189.00, of which the partner's system sets the prices. */
async function startPriced() {
  const api = await startApi();
  await letOwn(api.db, "price");
  await importProducts(api.db, catalogue, new Date("2026-10-01T00:00:00Z"));
  const send = (prices: object[], at = AT) =>
    api.app.inject({
      method: "POST",
      url: "/api/prices",
      headers: { authorization: `Bearer ${token}` },
      payload: { at, prices },
    });
  const readInForce = async () =>
    Object.fromEntries(
      [...(await findVariants(api.db, ["A-1", "A-2", "SKU-b"]))].map(([sku, { price }]) => [sku, price]),
    );
  return { ...api, send, readInForce };
}

const row = (sku: string, price: string, more: object = {}) => ({ sku, price, currency: "EUR", ...more });

const readHistory = async (db: Db, sku: string) =>
  (await db.selectFrom("price_history").selectAll().where("sku", "=", sku).orderBy("id").execute()).map(
    ({ price, currency, priced_at, sent_by }) => [price, currency, priced_at, sent_by === null ? "content" : "ERP"],
  );

test("a price is in force at once, and the same again changes nothing", async () => {
  const { db, send, readInForce } = await startPriced();
  const prices = [row("SKU-b", "199.00"), row("A-1", "179.50")];
  const sent = await send(prices);
  expect([sent.statusCode, sent.json()]).toEqual([
    200,
    {
      stored: [
        { sku: "A-1", price: "179.50", currency: "EUR", at: "2026-10-19T08:13:02.000Z" },
        { sku: "SKU-b", price: "199.00", currency: "EUR", at: "2026-10-19T08:13:02.000Z" },
      ],
      rejected: [],
    },
  ]);
  expect(await readInForce()).toEqual({ "A-1": "179.5000", "A-2": "189.0000", "SKU-b": "199.0000" });
  const tables = async () =>
    Promise.all([
      db.selectFrom("erp_prices").selectAll().orderBy("sku").execute(),
      db.selectFrom("price_history").selectAll().orderBy("id").execute(),
    ]);
  const before = await tables();
  expect((await send(prices)).json()).toEqual(sent.json());
  expect(await tables()).toEqual(before);
});

test("each row that can't be stored is named with its reason, and the others are stored", async () => {
  const { send, readInForce } = await startPriced();
  await send([row("A-1", "100.00")]);
  const typesOf = async (prices: object[], at: string) => {
    const { stored, rejected } = (await send(prices, at)).json();
    for (const { detail } of rejected) expect(detail).toMatch(/^\S.*[.]$/);
    return [
      stored.map(({ sku }: { sku: string }) => sku),
      rejected.map(({ sku, type }: { sku: string; type: string }) => `${sku} ${type}`),
    ];
  };
  const later = "2026-10-19T08:13:03Z";
  expect(await typesOf([row("A-1", "101.00"), row("A-2", "150.00"), row("NONE", "1.00")], AT)).toEqual([
    ["A-2"],
    ["A-1 conflict", "NONE unknown-sku"],
  ]);
  expect(await typesOf([row("A-1", "101.00"), row("a-2", "150.00")], "2026-10-19T08:13:01Z")).toEqual([
    [],
    ["A-1 stale", "a-2 unknown-sku"],
  ]);
  expect(await typesOf([row("A-1", "500.01"), row("A-2", "29.99")], later)).toEqual([
    [],
    ["A-1 confirm-needed", "A-2 confirm-needed"],
  ]);
  // Content's price is the one in force of what the ERP hasn't sent yet.
  expect(await typesOf([row("SKU-b", "945.01", { confirm: false })], later)).toEqual([[], ["SKU-b confirm-needed"]]);
  expect(await readInForce()).toEqual({ "A-1": "100.0000", "A-2": "150.0000", "SKU-b": "189.0000" });
  expect(await typesOf([row("A-1", "500.00"), row("A-2", "30.00")], later)).toEqual([["A-1", "A-2"], []]);
  expect(await typesOf([row("SKU-b", "9450.10", { confirm: true })], later)).toEqual([["SKU-b"], []]);
  // Neither is a confirmed price sent twice asked for again, nor does it overrule a later one.
  expect(await typesOf([row("SKU-b", "9450.10")], later)).toEqual([["SKU-b"], []]);
  expect(await typesOf([row("SKU-b", "9.00", { confirm: true })], AT)).toEqual([[], ["SKU-b stale"]]);
});

test.each([
  ["zero", row("A-1", "0.00")],
  ["a negative price", row("A-1", "-1.00")],
  ["a number", { ...row("A-1", ""), price: 179.5 }],
  ["too few digits", row("A-1", "179.5")],
  ["too many digits", row("A-1", "179.500")],
  ["a comma", row("A-1", "179,50")],
  ["too much", row("A-1", "1000000000000.00")],
  ["another currency", { ...row("A-1", "179.50"), currency: "USD" }],
  ["no currency", { sku: "A-1", price: "179.50" }],
  ["no SKU", { price: "179.50", currency: "EUR" }],
  ["an unknown field", row("A-1", "179.50", { list: "B2B" })],
  ["a confirmation as a text", row("A-1", "179.50", { confirm: "true" })],
  ["the SKU of another row", row("A-2", "179.50")],
])("%s in a row is refused, and nothing of the request is stored", async (_, malformed) => {
  const { db, send } = await startPriced();
  const answer = await send([row("A-2", "150.00"), malformed]);
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([400, "application/problem+json"]);
  expect(answer.json().errors[0].detail).toMatch(/\.$/);
  expect(await db.selectFrom("erp_prices").select("sku").execute()).toEqual([]);
});

test("a thousand rows are stored, more are refused, and so is a time that hasn't come", async () => {
  const { db, send } = await startPriced();
  const variants = Array.from({ length: 1_001 }, (_, index) => variant(`S-${index}`));
  await importProducts(db, [product("many", { variants })]);
  const rows = variants.map(({ sku }) => row(sku, "190.00"));
  expect((await send(rows)).statusCode).toBe(400);
  const ahead = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  expect((await send(rows.slice(1), ahead(6))).statusCode).toBe(400);
  const answer = await send(rows.slice(1), ahead(4));
  expect([answer.statusCode, answer.json().stored.length, answer.json().rejected]).toEqual([200, 1_000, []]);
});

test("a shop that sets its prices itself refuses a partner's, whatever else the partner owns", async () => {
  const { db, send } = await startPriced();
  await letOwn(db, "stock");
  const answer = await send([row("A-1", "179.50")]);
  expect([answer.statusCode, answer.json().type]).toEqual([409, "https://shop.example/developers#not-owned"]);
});

test.each(["EUR", "JPY", "HUF", "KWD", "IQD"])("a price in %s is one that content/ may have", (currency) => {
  const wholes = ["0", "1", "12", "999", "012", "-1", "", "1000", "999999999999", "1000000000000"];
  const fractions = ["", ".", ".0", ".00", ".000", ".0000", ".5", ".50", ".500", ".005", ",50"];
  const rule = contentPrice(currency);
  const texts = wholes.flatMap((whole) => fractions.map((fraction) => whole + fraction));
  expect(texts.filter((text) => isPrice(text, currency))).toEqual(texts.filter((text) => rule.safeParse(text).success));
});

test("products, refreshed pages and the next import have the price that is in force, and a sequence moves once", async () => {
  const { db, get, send } = await startPriced();
  const read = async () =>
    (await get("/api/products"))
      .json()
      .products.map(({ sequence, variants }: { sequence: number; variants: { price: string }[] }) => [
        sequence,
        ...variants.map(({ price }) => price),
      ]);
  await send([row("A-1", "179.50"), row("SKU-b", "189.00")]);
  const { changed, facts } = await followOffers(db);
  expect([changed, facts]).toEqual([
    1,
    { "A-1": { price: "179.50", currency: "EUR" }, "SKU-b": { price: "189.00", currency: "EUR" } },
  ]);
  const priced = [
    [3, "179.50", "189.00"],
    [2, "189.00"],
  ];
  expect((await read()).sort().reverse()).toEqual(priced);
  expect(await followOffers(db)).toMatchObject({ changed: 0 });
  // The editor may change what isn't in force, or write what is.
  for (const price of ["189.00", "210.00", "179.50"]) {
    const edited = [product("a", { variants: [variant("A-1", { price }), variant("A-2")] }), product("b")];
    expect(await importProducts(db, edited)).toMatchObject({ changed: 0, unchanged: 2 });
  }
  expect(await followOffers(db)).toMatchObject({ changed: 0 });
  expect((await read()).sort().reverse()).toEqual(priced);
  await send([row("A-1", "180.00")], "2026-10-20T08:00:00Z");
  expect(await importProducts(db, catalogue)).toMatchObject({ changed: 1 });
  expect(await followOffers(db)).toMatchObject({ changed: 0 });
  expect((await read()).sort().reverse()).toEqual([
    [4, "180.00", "189.00"],
    [2, "189.00"],
  ]);
});

test("content's price is in force again once the partner doesn't own it, and the partner's once it does", async () => {
  const { db, send, readInForce } = await startPriced();
  await send([row("A-1", "179.50")]);
  await followOffers(db);
  await letOwn(db, "stock");
  expect(await readInForce()).toMatchObject({ "A-1": "189.0000" });
  expect(await followOffers(db)).toEqual({ changed: 1, facts: {} });
  expect(await importProducts(db, catalogue)).toMatchObject({ changed: 0 });
  await letOwn(db, "stock", "price");
  expect(await importProducts(db, catalogue)).toMatchObject({ changed: 1 });
  expect(await readInForce()).toMatchObject({ "A-1": "179.5000" });
  // In another currency, what the ERP sent says nothing.
  await storeShopFacts(db, shopFacts({ currency: "USD", erp: { owns: ["price"], books_placed: false } }));
  expect(await readInForce()).toMatchObject({ "A-1": "189.0000" });
});

test("every price is kept with its time, whoever set it", async () => {
  const { db, send } = await startPriced();
  await send([row("A-1", "179.50")]);
  await send([row("A-1", "179.50")], "2026-10-20T00:00:00Z");
  await send([row("A-1", "169.00")], "2026-10-21T00:00:00Z");
  const edited = [
    product("a", { variants: [variant("A-1", { price: "200.00" }), variant("A-2", { price: "210.00" })] }),
  ];
  await importProducts(db, edited, new Date("2026-10-22T00:00:00Z"));
  await letOwn(db);
  await importProducts(db, edited, new Date("2026-10-23T00:00:00Z"));
  await importProducts(db, edited, new Date("2026-10-24T00:00:00Z"));
  expect(await readHistory(db, "A-1")).toEqual([
    ["189.0000", "EUR", "2026-10-01 00:00:00.000", "content"],
    ["179.5000", "EUR", "2026-10-19 08:13:02.000", "ERP"],
    ["169.0000", "EUR", "2026-10-21 00:00:00.000", "ERP"],
    ["200.0000", "EUR", "2026-10-23 00:00:00.000", "content"],
  ]);
  expect(await readHistory(db, "A-2")).toEqual([
    ["189.0000", "EUR", "2026-10-01 00:00:00.000", "content"],
    ["210.0000", "EUR", "2026-10-22 00:00:00.000", "content"],
  ]);
});

test("who has seen the price before is told of the new one, and orders at it", async () => {
  const { app, customer } = await startCheckout({ facts: { erp: { owns: ["price"], books_placed: false } } });
  const fields = await review(customer);
  const payload = { at: AT, prices: [row("KES-C2-BK", "242.00")] };
  const headers = { authorization: `Bearer ${token}` };
  expect((await app.inject({ method: "POST", url: "/api/prices", headers, payload })).json()).toMatchObject({
    rejected: [],
  });
  expect(readMain((await customer.get("/cart")).payload)).toContain("The price has changed since you added it.");
  const refused = await place(customer, fields);
  expect([refused.statusCode, readMain(refused.payload)]).toEqual([
    422,
    expect.stringContaining("Something has changed"),
  ]);
  expect((await place(customer, await review(customer))).statusCode).toBe(303);
  // 200.00 without the tax of the Netherlands, with that of Germany.
  const { orders } = (await app.inject({ url: "/api/orders", headers })).json();
  expect(orders[0].lines).toMatchObject([{ sku: "KES-C2-BK", unit_price: "238.00" }]);
});
