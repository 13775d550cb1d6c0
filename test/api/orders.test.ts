import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { changeOrder } from "../../api/orders/change-order.ts";
import { placeOrder } from "../../api/orders/place-order.ts";
import { startApi } from "./api.ts";
import { newLine, newOrder, vat } from "./new-order.ts";

const idsOf = (answer: { json(): { orders: { id: number }[] } }) => answer.json().orders.map(({ id }) => id);

test("an order comes back as it was placed, priced and with every field", async () => {
  const { db, get } = await startApi();
  const at = new Date("2026-10-18T08:12:45.120Z");
  await placeOrder(db, newOrder({ placed_at: at, lines: [newLine({ quantity: 2 })] }), at);
  const answer = await get("/api/orders/1");
  expect(answer.statusCode).toBe(200);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.json()).toEqual({
    id: 1,
    number: "A-1001",
    version: 1,
    sequence: 1,
    status: "pending",
    payment_status: "unpaid",
    fulfillment_status: "unfulfilled",
    currency: "EUR",
    prices_include_tax: true,
    created_at: "2026-10-18T08:12:45.120Z",
    updated_at: "2026-10-18T08:12:45.120Z",
    placed_at: "2026-10-18T08:12:45.120Z",
    paid_at: null,
    cancelled_at: null,
    cancel_reason: null,
    customer: null,
    billing_address: null,
    shipping_address: null,
    lines: [
      {
        id: 1,
        product_id: null,
        sku: "KES-C2-BK",
        gtin: "2000000000019",
        name: "Kestrel C2 cordless 2D scanner",
        quantity: 2,
        unit_price: "189.00",
        discount_total: "0.00",
        net_total: "312.40",
        tax_total: "65.60",
        total: "378.00",
        tax_lines: [{ ...vat, amount: "65.60" }],
      },
    ],
    shipping_lines: [],
    discounts: [],
    payments: [],
    refunds: [],
    tax_lines: [{ ...vat, amount: "65.60" }],
    totals: {
      items_net: "312.40",
      items_tax: "65.60",
      shipping_net: "0.00",
      shipping_tax: "0.00",
      discount: "0.00",
      tax: "65.60",
      total: "378.00",
      refunded: "0.00",
      due: "378.00",
    },
    note: null,
    external_id: null,
  });
});

test("a poller that keeps next_since_id sees every order once, on pages of any size", async () => {
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

test("an empty page gives back the number it was asked with", async () => {
  const { db, get } = await startApi();
  await placeOrder(db, newOrder());
  expect((await get("/api/orders?since_id=41")).json()).toEqual({ orders: [], next_since_id: 41, has_more: false });
  expect((await get("/api/orders?changed_after=41")).json()).toEqual({
    orders: [],
    next_changed_after: 41,
    has_more: false,
  });
});

test("a page has 50 orders unless asked otherwise", async () => {
  const { db, get } = await startApi();
  await db.transaction().execute(async (transaction) => {
    for (let count = 0; count < 51; count += 1) await placeOrder(transaction, newOrder());
  });
  const page = (await get("/api/orders")).json();
  expect(page.orders).toHaveLength(50);
  expect(page.has_more).toBe(true);
  expect(page.next_since_id).toBe(50);
});

test("no order is skipped while a transaction is held open and another one commits", async () => {
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

test("many writers at once leave no gap behind what a poller has seen", async () => {
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

test("a rolled back order leaves no hole", async () => {
  const { db, get } = await startApi();
  const lost = await db.startTransaction().execute();
  await placeOrder(lost, newOrder());
  await lost.rollback().execute();
  await placeOrder(db, newOrder());
  expect(idsOf(await get("/api/orders"))).toEqual([1]);
});

test("orders of the same millisecond are paged without loss", async () => {
  const { db, get } = await startApi();
  const at = new Date("2026-10-18T08:12:45.120Z");
  for (let count = 0; count < 4; count += 1) await placeOrder(db, newOrder(), at);
  for (const id of [3, 1, 2]) await changeOrder(db, id, { status: "processing" }, at);
  const first = await get("/api/orders?changed_after=0&limit=2");
  expect(idsOf(first)).toEqual([4, 3]);
  expect(first.headers["link"]).toBe('<?changed_after=5&limit=2>; rel="next"');
  expect(idsOf(await get("/api/orders?changed_after=5&limit=2"))).toEqual([1, 2]);
});

test("changed_after brings new and changed orders by sequence, status changes too", async () => {
  const { db, get } = await startApi();
  await placeOrder(db, newOrder());
  await placeOrder(db, newOrder());
  await changeOrder(db, 1, { status: "completed", fulfillment_status: "fulfilled" });
  const page = (await get("/api/orders?changed_after=2")).json();
  expect(page).toMatchObject({
    orders: [{ id: 1, version: 2, sequence: 3, status: "completed" }],
    next_changed_after: 3,
  });
  expect(page).not.toHaveProperty("next_since_id");
});

test("status takes any, one or several statuses, and the link keeps them", async () => {
  const { db, get } = await startApi();
  for (const status of ["pending", "on_hold", "failed", "pending"] as const) await placeOrder(db, newOrder({ status }));
  expect(idsOf(await get("/api/orders?status=any"))).toEqual([1, 2, 3, 4]);
  expect(idsOf(await get("/api/orders?status=failed"))).toEqual([3]);
  expect(idsOf(await get("/api/orders?status=pending,on_hold"))).toEqual([1, 2, 4]);
  const page = await get("/api/orders?status=pending,on_hold&limit=2");
  expect(page.headers["link"]).toBe('<?status=pending%2Con_hold&limit=2&since_id=2>; rel="next"');
  expect(idsOf(await get("/api/orders?status=pending%2Con_hold&limit=2&since_id=2"))).toEqual([4]);
});

test("a page takes two statements however long it is", async () => {
  const { db, get, statements } = await startApi();
  for (let count = 0; count < 5; count += 1) await placeOrder(db, newOrder({ lines: [newLine(), newLine()] }));
  for (const url of ["/api/orders?limit=1", "/api/orders?limit=5", "/api/orders?changed_after=0&status=pending"]) {
    const before = statements.length;
    expect((await get(url)).statusCode).toBe(200);
    expect(statements.slice(before)).toEqual(["SelectQueryNode", "SelectQueryNode"]);
  }
});

test("an unknown order answers 404", async () => {
  const { get } = await startApi();
  const answer = await get("/api/orders/9007199254740991");
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ type: "https://shop.example/developers#not-found", status: 404 });
});

test("names come back byte for byte", async () => {
  const { db, get } = await startApi();
  const names = [
    "Zoë Åström",
    "Ирина Ёлкина",
    "Αθηνά",
    "يوسف‏",
    "שָׁלוֹם",
    "王小明",
    "山田ガ",
    "ก็ได้",
    "👩‍👩‍👧🏽",
    "e\u0301 é",
    'a"b\\c\u0000d',
    " x ",
  ];
  const address = {
    company: null,
    address1: "",
    address2: null,
    city: "",
    postal_code: null,
    region: null,
    country_code: "CZ",
    phone: null,
  };
  for (const name of names) {
    const billing_address = { ...address, first_name: name, last_name: null };
    await placeOrder(db, newOrder({ note: name, billing_address, lines: [newLine({ name, sku: name })] }));
  }
  const { orders } = (await get("/api/orders")).json();
  expect(orders.map(({ note }: { note: string }) => note)).toEqual(names);
  expect(orders.map(({ lines }: { lines: { name: string; sku: string }[] }) => lines[0]?.name)).toEqual(names);
  expect(orders.map(({ lines }: { lines: { name: string; sku: string }[] }) => lines[0]?.sku)).toEqual(names);
  expect(orders.map((order: { billing_address: { first_name: string } }) => order.billing_address.first_name)).toEqual(
    names,
  );
});
