import { expect, test } from "vitest";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { startApi } from "../../api.ts";
import { newLine, newOrder, vat } from "../../selling/orders/new-order.ts";

test("an order is returned as it was placed, priced and with every field", async () => {
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
        id: 1001,
        product_id: null,
        sku: "KES-C2-BK",
        gtin: "2000000000015",
        name: "Kestrel C2 cordless 2D scanner",
        quantity: 2,
        unit_price: "189.00",
        discount_total: "0.00",
        net_total: "312.40",
        tax_total: "65.60",
        total: "378.00",
        tax_lines: [{ ...vat, amount: "65.60", taxable: "312.40" }],
        closed_quantity: 0,
      },
    ],
    shipping_lines: [],
    discounts: [],
    payments: [],
    refunds: [],
    tax_lines: [{ ...vat, amount: "65.60", taxable: "312.40" }],
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
    buyer: null,
    buyer_reference: null,
    tax_treatment: null,
    vat_check: null,
    fulfillments: [],
    partner_note: null,
    returns: [],
    invoices: [],
  });
});

test("an order from the checkout shows who bought it, their reference, and why it is taxed so", async () => {
  const { db, get } = await startApi();
  const bought = {
    buyer: {
      ...{ email: "ada@example.com", first_name: "Ada", last_name: "Novák", company: "Novák Retail s.r.o." },
      ...{ phone: null, vat_id: "CZ12345678" },
    },
    buyer_reference: "PO-7741",
    tax_treatment: "reverse_charge" as const,
    vat_check: {
      ...{ vat_id: "CZ12345678", result: "valid" as const, checked_at: "2026-10-18T08:11:30.000Z" },
      consultation_number: "WAPIAAAAZ1x2y3",
      ...{ trader_name: "NOVÁK RETAIL S.R.O.", trader_address: null },
    },
  };
  await placeOrder(db, newOrder(bought));
  expect((await get("/api/orders/1")).json()).toMatchObject({ ...bought, customer: null });
  expect((await get("/api/orders")).json().orders).toEqual([(await get("/api/orders/1")).json()]);
  await expect(placeOrder(db, newOrder({ buyer_reference: "x".repeat(192) }))).rejects.toThrow(
    /buyer_reference is longer than 191 characters/,
  );
});

test("an unknown order answers 404", async () => {
  const { get } = await startApi();
  const answer = await get("/api/orders/9007199254740991");
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ type: "https://shop.example/developers#not-found", status: 404 });
});

test("names in any script are returned byte for byte", async () => {
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
