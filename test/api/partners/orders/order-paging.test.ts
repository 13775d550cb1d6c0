import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { importProducts } from "../../../../api/selling/catalogue/import.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { listOrders } from "../../../../api/selling/orders/queries.ts";
import { ORDER_STATUSES } from "../../../../api/selling/orders/schema.ts";
import { startApi } from "../../api.ts";
import { product } from "../../selling/catalogue/catalogue.ts";
import { newOrder } from "../../selling/orders/new-order.ts";
import { withWorkBetween } from "../../statements.ts";

const idsOf = (answer: { json(): { orders: { id: number }[] } }) => answer.json().orders.map(({ id }) => id);

test("polling with next_since_id returns every order once, for any page size", async () => {
  const { db, get } = await startApi();
  for (let count = 0; count < 7; count += 1) await placeOrder(db, newOrder());
  for (const limit of [1, 2, 3, 6, 7, 8, 250]) {
    const seen: number[] = [];
    for (let since = 0, more = true; more; ) {
      const page = await get(`/api/orders?limit=${limit}&since_id=${since}`);
      seen.push(...idsOf(page));
      expect(page.headers["link"]).toBe(
        page.json().has_more ? `<?limit=${limit}&since_id=${page.json().next_since_id}>; rel="next"` : undefined,
      );
      since = page.json().next_since_id;
      more = page.json().has_more;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
  }
});

test("an empty page returns the cursor that it was requested with", async () => {
  const { db, get } = await startApi();
  await placeOrder(db, newOrder());
  expect((await get("/api/orders?since_id=1")).json()).toEqual({ orders: [], next_since_id: 1, has_more: false });
  expect((await get("/api/orders?changed_after=1")).json()).toEqual({
    orders: [],
    next_changed_after: 1,
    has_more: false,
  });
});

test("a page has 50 orders by default", async () => {
  const { db, get } = await startApi();
  await db.transaction().execute(async (transaction) => {
    for (let count = 0; count < 51; count += 1) await placeOrder(transaction, newOrder());
  });
  const page = (await get("/api/orders")).json();
  expect(page.orders).toHaveLength(50);
  expect(page.has_more).toBe(true);
  expect(page.next_since_id).toBe(50);
});

test("an order whose transaction stays open isn't skipped when a later order is placed", async () => {
  const { db, get } = await startApi();
  const slow = await db.startTransaction().execute();
  await placeOrder(slow, newOrder());
  let done = false;
  const fast = placeOrder(db, newOrder()).finally(() => {
    done = true;
  });
  await sleep(300);
  expect(done).toBe(false);
  expect(idsOf(await get("/api/orders"))).toEqual([]);
  await slow.commit().execute();
  expect(await fast).toEqual({ id: 2, sequence: 2 });
  expect(idsOf(await get("/api/orders"))).toEqual([1, 2]);
});

test("a poller sees every order in order while many writers place them", async () => {
  const { db, get } = await startApi();
  const writers = Promise.all(Array.from({ length: 30 }, () => placeOrder(db, newOrder())));
  const seen: number[] = [];
  for (let since = 0; seen.length < 30; ) {
    const page = await get(`/api/orders?since_id=${since}`);
    seen.push(...idsOf(page));
    since = page.json().next_since_id;
  }
  await writers;
  expect(seen).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
});

test("a page that an order has left meanwhile says that there is more, so that a count doesn't take it for known", async () => {
  const { db } = await startApi();
  for (let count = 0; count < 3; count += 1) await placeOrder(db, newOrder());
  const read = () => listOrders(db, { column: "sequence", after: 0, upTo: 3, limit: 10 });
  expect(await read()).toMatchObject({ orders: { length: 3 }, hasMore: false });
  await changeOrder(db, 2, { status: "cancelled" });
  expect(await read()).toMatchObject({ orders: { length: 2 }, hasMore: true });
});

test("an order that is rolled back leaves no gap in the ids", async () => {
  const { db, get } = await startApi();
  const lost = await db.startTransaction().execute();
  await placeOrder(lost, newOrder());
  await lost.rollback().execute();
  await placeOrder(db, newOrder());
  expect(idsOf(await get("/api/orders"))).toEqual([1]);
});

test("orders changed in the same millisecond are all returned", async () => {
  const { db, get } = await startApi();
  const at = new Date("2026-10-18T08:12:45.120Z");
  for (let count = 0; count < 4; count += 1) await placeOrder(db, newOrder(), at);
  for (const id of [3, 1, 2]) await changeOrder(db, id, { status: "processing" }, at);
  const first = await get("/api/orders?changed_after=0&limit=2");
  expect(idsOf(first)).toEqual([4, 3]);
  expect(first.headers["link"]).toBe('<?changed_after=5&limit=2>; rel="next"');
  expect(idsOf(await get("/api/orders?changed_after=5&limit=2"))).toEqual([1, 2]);
});

test("changed_after returns new and changed orders by sequence, including status changes", async () => {
  const { db, get } = await startApi();
  await placeOrder(db, newOrder());
  await placeOrder(db, newOrder());
  await changeOrder(db, 1, { status: "processing", fulfillment_status: "fulfilled" });
  const page = (await get("/api/orders?changed_after=2")).json();
  expect(page).toMatchObject({
    orders: [{ id: 1, version: 2, sequence: 3, status: "processing" }],
    next_changed_after: 3,
  });
  expect(page).not.toHaveProperty("next_since_id");
});

test("status accepts any, one or several statuses, and the next link keeps them", async () => {
  const { db, get } = await startApi();
  for (const status of ["pending", "on_hold", "failed", "pending"] as const) await placeOrder(db, newOrder({ status }));
  expect(idsOf(await get("/api/orders?status=any"))).toEqual([1, 2, 3, 4]);
  expect(idsOf(await get("/api/orders?status=failed"))).toEqual([3]);
  expect(idsOf(await get("/api/orders?status=pending,on_hold"))).toEqual([1, 2, 4]);
  const page = await get("/api/orders?status=pending,on_hold&limit=2");
  expect(page.headers["link"]).toBe('<?status=pending%2Con_hold&limit=2&since_id=2>; rel="next"');
  expect(idsOf(await get("/api/orders?status=pending%2Con_hold&limit=2&since_id=2"))).toEqual([4]);
});

test("the longest Link header is far below what proxies accept", async () => {
  const { db, get } = await startApi();
  for (let i = 0; i < 2; i += 1) await placeOrder(db, newOrder());
  const page = await get(`/api/orders?status=${ORDER_STATUSES.join(",")}&limit=1`);
  expect(page.headers["link"]).toContain("since_id=1");
  expect(String(page.headers["link"]).length).toBeLessThan(250);
});

test("a page ends at the last number of the moment when it was asked for, and the next one begins there", async () => {
  const { db, get } = await startApi();
  await placeOrder(db, newOrder());
  await importProducts(db, [product("a")]);
  let changes = 0;
  const busy = withWorkBetween(db, async () => {
    changes += 1;
    await placeOrder(db, newOrder());
    await importProducts(db, [product("a", { title: `Title ${changes}` }), product(`b${changes}`)]);
  });
  const { get: getMeanwhile } = await startApi({ db: busy });
  const asked = ["orders?since_id=0", "orders?changed_after=0", "orders?since_id=0&status=pending"];
  for (const path of [...asked, "products?since_id=0", "products?changed_after=0"]) {
    const [noun = ""] = path.split("?");
    const before = (await get(`/api/${path}`)).json();
    const page = (await getMeanwhile(`/api/${path}`)).json();
    const next = Object.keys(before).find((key) => key.startsWith("next_")) ?? "";
    expect(page[next]).toBeLessThanOrEqual(before[next]);
    // An order that had changed would be on no page yet, and a count of stock would take it for known.
    expect(page.has_more).toBe(path === "orders?changed_after=0");
    const rest = (await get(`/api/${path.replace("=0", `=${page[next]}`)}`)).json();
    const ids = [...page[noun], ...rest[noun]].map(({ id }: { id: number }) => id);
    expect(new Set(ids)).toEqual(
      new Set((await get(`/api/${noun}?limit=250`)).json()[noun].map(({ id }: { id: number }) => id)),
    );
  }
});

test("a cursor above the last assigned number answers 409 cursor-ahead, for orders and for products", async () => {
  const { db, get } = await startApi();
  for (let count = 0; count < 2; count += 1) await placeOrder(db, newOrder());
  await changeOrder(db, 1, { status: "processing" });
  await importProducts(db, [product("a"), product("b")]);
  const given = { orders: { since_id: 2, changed_after: 3 }, products: { since_id: 2, changed_after: 2 } };
  for (const [noun, cursors] of Object.entries(given))
    for (const [field, last] of Object.entries(cursors)) {
      for (const filter of noun === "orders" ? ["", "&status=failed", "&limit=1"] : [""]) {
        const page = await get(`/api/${noun}?${field}=${last}${filter}`);
        expect(page.json()).toEqual({ [noun]: [], [`next_${field}`]: last, has_more: false });
        for (const ahead of [last + 1, Number.MAX_SAFE_INTEGER]) {
          const answer = await get(`/api/${noun}?${field}=${ahead}${filter}`);
          expect(answer.statusCode).toBe(409);
          expect(answer.json()).toMatchObject({
            type: "https://shop.example/developers#cursor-ahead",
            errors: [{ in: "query", field, detail: "Start again from 0." }],
          });
        }
      }
    }
});

test("after a number is rolled back, the last assigned number is still a valid cursor", async () => {
  const { db, get } = await startApi();
  await placeOrder(db, newOrder());
  const lost = await db.startTransaction().execute();
  await placeOrder(lost, newOrder());
  expect((await get("/api/orders?since_id=1")).statusCode).toBe(200);
  await lost.rollback().execute();
  expect((await get("/api/orders?since_id=1")).statusCode).toBe(200);
  expect((await get("/api/orders?since_id=2")).statusCode).toBe(409);
});
