import { expect, test } from "vitest";
import { continueNumbers } from "../../../../api/operation/backup/after-restore.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { storeShopFacts } from "../../../../api/selling/shop/queries.ts";
import { setShelf, showShelf } from "../../../../api/selling/stock/shelf.ts";
import { byDepth } from "../../../depth.ts";
import { startApi, token } from "../../api.ts";
import { newLine, newOrder } from "../../selling/orders/new-order.ts";
import { shopFacts } from "../../selling/quote/shop.ts";

const buyer = { email: "ada@example.com", first_name: null, last_name: null, company: null, phone: null, vat_id: null };

/** A shop with two SKUs whose stock the partner's system counts. */
async function startCounted(owns: "stock"[] = ["stock"]) {
  const api = await startApi();
  const { app, db } = api;
  await storeShopFacts(db, shopFacts({ erp: { owns, books_placed: false } }));
  await db
    .insertInto("stock")
    .values([{ sku: "A-1" }, { sku: "B-2" }])
    .execute();
  const send = (payload: object) =>
    app.inject({ method: "POST", url: "/api/stock", headers: { authorization: `Bearer ${token}` }, payload });
  const order = (sku: string, quantity: number) =>
    placeOrder(db, newOrder({ buyer, lines: [newLine({ sku, quantity })] }));
  return { ...api, send, order };
}

const AT = "2026-10-19T08:13:02Z";
const count = (changed_after: number, stock: object[], counted_at = AT) => ({ changed_after, counted_at, stock });

test("a count says what is free to sell, and what is ordered afterwards is taken off", async () => {
  const { get, send, order } = await startCounted();
  await order("A-1", 2);
  const sent = await send(count(0, [{ sku: "A-1", count: 12, restock_on: "2099-12-07" }]));
  expect(sent.statusCode).toBe(200);
  expect(sent.json()).toEqual({
    stored: [
      {
        ...{ sku: "A-1", count: 12, restock_on: "2099-12-07", available: 10 },
        ...{
          changed_after: 0,
          counted_at: "2026-10-19T08:13:02.000Z",
          counted_by: expect.stringMatching(/^[0-9a-f]{8}$/),
        },
      },
    ],
    rejected: [],
  });
  await order("A-1", 3);
  const listed = (await get("/api/stock")).json();
  expect(listed.stock.map((row: { sku: string; available: number }) => [row.sku, row.available])).toEqual([
    ["A-1", 7],
    ["B-2", null],
  ]);
});

test("the same count again changes nothing, and each row that can't be stored says why", async () => {
  const { db, send } = await startCounted();
  const first = count(0, [{ sku: "A-1", count: 12 }]);
  expect((await send(first)).json()).toEqual((await send(first)).json());
  const answers = [
    count(0, [{ sku: "A-1", count: 11 }]),
    count(0, [{ sku: "A-1", count: 11 }], "2026-10-19T08:13:01Z"),
    count(0, [{ sku: "a-1", count: 11 }]),
    count(0, [
      { sku: "NONE", count: 1 },
      { sku: "B-2", count: 4 },
    ]),
  ];
  const rejected = [];
  for (const body of answers)
    rejected.push((await send(body)).json().rejected.map(({ type }: { type: string }) => type));
  expect(rejected).toEqual([["confirm-needed"], ["stale"], ["unknown-sku"], ["unknown-sku"]]);
  const rows = await db.selectFrom("stock").select(["sku", "count"]).orderBy("sku").execute();
  expect(rows).toEqual([
    { sku: "A-1", count: 12 },
    { sku: "B-2", count: 4 },
  ]);
  const later = await send(count(0, [{ sku: "A-1", count: null }], "2026-10-19T08:13:03Z"));
  expect(later.json().stored).toMatchObject([{ sku: "A-1", count: null, available: null }]);
});

test.each([
  ["a decimal", [{ sku: "A-1", count: 1.5 }]],
  ["a text", [{ sku: "A-1", count: "12" }]],
  ["more than a million", [{ sku: "A-1", count: 1_000_001 }]],
  ["no SKU", [{ count: 1 }]],
  ["a SKU twice", [1, 2].map((count) => ({ sku: "A-1", count }))],
  ["no such day", [{ sku: "A-1", count: 1, restock_on: "2026-02-30" }]],
  ["an unknown field", [{ sku: "A-1", count: 1, shelf: "7" }]],
  ["no row", []],
  ["1,001 rows", Array.from({ length: 1_001 }, (_, row) => ({ sku: `S-${row}`, count: 1 }))],
])("%s in a row is refused, and nothing of the request is stored", async (_, rows) => {
  const { db, send } = await startCounted();
  const answer = await send(count(0, [{ sku: "B-2", count: 4 }, ...rows]));
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([
    rows.length === 0 ? 200 : 400,
    rows.length === 0 ? "application/json; charset=utf-8" : "application/problem+json",
  ]);
  const stored = await db.selectFrom("stock").select("sku").where("count", "is not", null).execute();
  expect(stored).toEqual(rows.length === 0 ? [{ sku: "B-2" }] : []);
});

test("a time that hasn't come, and a number that the shop never gave out or gave out before it was restored, are refused", async () => {
  const { db, send, order } = await startCounted();
  await order("A-1", 1);
  const soon = new Date(Date.now() + 6 * 60_000).toISOString();
  expect((await send(count(0, [{ sku: "A-1", count: 1 }], soon))).statusCode).toBe(400);
  const leapSecond = await send(count(0, [{ sku: "A-1", count: 1 }], "2016-12-31T23:59:60Z"));
  expect([leapSecond.statusCode, leapSecond.json().errors]).toMatchObject([400, [{ field: "counted_at" }]]);
  const ahead = await send(count(2, [{ sku: "A-1", count: 1 }]));
  expect([ahead.statusCode, ahead.json().type]).toEqual([409, "https://shop.example/developers#cursor-ahead"]);
  await db.updateTable("stock_ledger").set({ base: 1 }).execute();
  expect((await send(count(0, [{ sku: "A-1", count: 1 }]))).statusCode).toBe(409);
  expect((await send(count(1, [{ sku: "A-1", count: 1 }]))).statusCode).toBe(200);
});

test("a shop that was restored before its first order takes a count that knows none", async () => {
  const { db, send, order } = await startCounted();
  await continueNumbers(db);
  expect((await send(count(0, [{ sku: "A-1", count: 3 }]))).json().stored).toMatchObject([{ available: 3 }]);
  await order("A-1", 1);
  expect((await send(count(0, [{ sku: "A-1", count: 3 }]))).statusCode).toBe(409);
});

test("a shop that counts itself again follows its shelf, though the partner's clock was ahead", async () => {
  const { db, send } = await startCounted();
  await send(count(0, [{ sku: "A-1", count: 3 }], new Date(Date.now() + 4 * 60_000).toISOString()));
  for (const shelf of [7, 6]) {
    const { stored, unknown } = await setShelf(db, [{ sku: "A-1", shelf }], "command");
    expect([stored.map(({ available }) => available), unknown]).toEqual([[shelf], []]);
  }
});

test("what is ordered and not sent lies on the shelf, whatever happened since it was counted", async () => {
  const { db, order } = await startCounted([]);
  const { id } = await order("A-1", 3);
  const read = ({ stored, unknown }: Awaited<ReturnType<typeof showShelf>>) => [
    stored.map(({ available, ordered }) => [available, ordered]),
    unknown,
  ];
  expect(read(await setShelf(db, [{ sku: "A-1", shelf: 14 }], "command"))).toEqual([[[11, 3]], []]);
  await changeOrder(db, id, { status: "processing" });
  await order("A-1", 2);
  expect(read(await showShelf(db, ["A-1", "NONE"]))).toEqual([[[9, 5]], ["NONE"]]);
  expect(read(await setShelf(db, [{ sku: "A-1", shelf: 13 }], "command"))).toEqual([[[8, 5]], []]);
});

test("a shop that counts itself refuses a partner's count", async () => {
  const { send } = await startCounted([]);
  const answer = await send(count(0, [{ sku: "A-1", count: 1 }]));
  expect([answer.statusCode, answer.json().type]).toEqual([409, "https://shop.example/developers#not-owned"]);
});

test("stock is read by SKU and in pages, and 304 as long as nothing has changed", async () => {
  const { get, send } = await startCounted();
  await send(count(0, [{ sku: "A-1", count: 1 }]));
  expect((await get("/api/stock?sku=A-1")).json().stock).toMatchObject([{ sku: "A-1", available: 1 }]);
  for (const other of ["a-1", "A-1%20", "A-9"])
    expect((await get(`/api/stock?sku=${other}`)).json()).toEqual({ stock: [], next_since_sku: null, has_more: false });
  const first = await get("/api/stock?limit=1");
  expect(first.json()).toMatchObject({ stock: [{ sku: "A-1" }], next_since_sku: "A-1", has_more: true });
  expect(first.headers["link"]).toBe('<?limit=1&since_sku=A-1>; rel="next"');
  expect((await get("/api/stock?limit=1&since_sku=A-1")).json()).toMatchObject({
    stock: [{ sku: "B-2" }],
    has_more: false,
  });
  const etag = String(first.headers["etag"]);
  expect((await get("/api/stock?limit=1", { "if-none-match": etag })).statusCode).toBe(304);
  await send(count(0, [{ sku: "A-1", count: 2 }], "2026-10-19T09:00:00Z"));
  expect((await get("/api/stock?limit=1", { "if-none-match": etag })).statusCode).toBe(200);
});

test("a thousand SKUs are stored by each request", async () => {
  const requests = byDepth({ usual: 1, deep: 10 });
  const { db, send } = await startCounted();
  const skus = Array.from({ length: requests * 1_000 }, (_, index) => `S-${String(index).padStart(5, "0")}`);
  await db
    .insertInto("stock")
    .values(skus.map((sku) => ({ sku })))
    .execute();
  for (let first = 0; first < skus.length; first += 1_000) {
    const rows = skus.slice(first, first + 1_000).map((sku, index) => ({ sku, count: index, restock_on: null }));
    const answer = await send(count(0, rows));
    expect([answer.statusCode, answer.json().stored.length]).toEqual([200, 1_000]);
  }
});
