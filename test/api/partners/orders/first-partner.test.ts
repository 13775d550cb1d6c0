import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { default as addFormats } from "ajv-formats";
import { expect, onTestFinished, test } from "vitest";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { importProducts } from "../../../../api/selling/catalogue/import.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { recordPayment } from "../../../../api/selling/orders/record-payment.ts";
import { eventually } from "../../../eventually.ts";
import { startApi, token } from "../../api.ts";
import { product } from "../../selling/catalogue/catalogue.ts";
import { newLine, newOrder, vat } from "../../selling/orders/new-order.ts";
import { startPushing } from "../erp/deliveries.ts";

// The loop of the developer pages and the order's schema, as of the first version (2026-11-20).
// answers.txt is what recordAnswers returned in commit 77209e1c, the last one without the partners' acts on orders.
const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../../fixtures/first-partner", name), "utf8");

/** An order as the checkout places it, with everything that one can have. */
function boughtOn(placed_at: Date) {
  const address = {
    ...{ first_name: "Ada", last_name: "Novák", company: "Novák Retail s.r.o.", phone: null },
    ...{
      address1: "Dlouhá 12",
      address2: null,
      city: "Praha 1",
      postal_code: "110 00",
      region: null,
      country_code: "CZ",
    },
  };
  return newOrder({
    buyer: {
      ...{ email: "ada@example.com", first_name: "Ada", last_name: "Novák", company: "Novák Retail s.r.o." },
      ...{ phone: null, vat_id: "CZ12345678" },
    },
    buyer_reference: "PO-7741",
    tax_treatment: "destination",
    vat_check: {
      vat_id: "CZ12345678",
      result: "unavailable",
      checked_at: "2026-11-22T09:00:00.000Z",
      consultation_number: null,
    },
    placed_at,
    billing_address: address,
    shipping_address: address,
    lines: [newLine(), newLine({ quantity: 3 })],
    shipping_lines: [{ code: "standard", title: "Standard delivery", parts: [{ price: "7.50", taxes: [vat] }] }],
  });
}

/** Orders as the checkout places them, paid, on credit, on hold and cancelled. */
async function startShop() {
  const api = await startApi();
  const followUp = makeFollowUp({ pushWhen: "manual" });
  for (let index = 0; index < 4; index += 1) await placeOrder(api.db, boughtOn(new Date()), undefined, followUp);
  const transfer = { method: "bank_transfer", reference: "t-1" };
  await recordPayment(api.db, 1, { ...transfer, amount: "763.50" }, followUp);
  await recordPayment(api.db, 2, { ...transfer, amount: "10" }, followUp);
  await changeOrder(api.db, 3, { status: "processing", by: "person" }, undefined, followUp);
  await changeOrder(api.db, 4, { status: "cancelled", cancel_reason: "Ordered twice" }, undefined, followUp);
  return api;
}

test("a partner's program of the first version follows orders from the checkout", async () => {
  const { app, db } = await startShop();
  const base = await app.listen({ host: "127.0.0.1", port: 0 });
  const folder = mkdtempSync(join(tmpdir(), "twinfront-partner-"));
  writeFileSync(join(folder, "loop.mts"), fixture("loop.mts").replace("https://shop.example", base));
  const env = { PATH: process.env["PATH"], ERP_PULL_API_TOKEN: token };
  const child = spawn(process.execPath, ["--no-warnings", "loop.mts"], {
    ...{ cwd: folder, env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill();
    await once(child, "close");
    rmSync(folder, { recursive: true });
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  await eventually(() =>
    expect(output.trim().split("\n")).toEqual(["1 2 processing", "2 2 pending", "3 2 processing", "4 2 cancelled"]),
  );
  const { last_sequence } = await db
    .selectFrom("counters")
    .select("last_sequence")
    .where("name", "=", "orders")
    .executeTakeFirstOrThrow();
  await eventually(() => expect(readFileSync(join(folder, "changed-after.txt"), "utf8")).toBe(String(last_sequence)));
});

test("every field of the first version's orders is there as it was, in its place, and the new ones come after", async () => {
  const { get } = await startShop();
  const schema = JSON.parse(fixture("order-schema.json"));
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const check = ajv.compile(schema);
  const { orders }: { orders: object[] } = (await get("/api/orders")).json();
  expect(orders).toHaveLength(4);
  for (const order of orders) {
    check(order);
    expect(check.errors).toBeNull();
    const names = Object.keys(order);
    const first = Object.keys(schema.properties);
    expect(names.slice(0, first.length)).toEqual(first);
    expect(names.slice(first.length)).toEqual([
      ...["buyer", "buyer_reference", "tax_treatment", "vat_check", "fulfillments"],
      ...["partner_note", "returns", "invoices"],
    ]);
  }
});

/** Requests of a partner's program, and what it asks for with another token or none. */
const REQUESTS: readonly { method?: "POST"; url: string; headers?: Record<string, string>; payload?: object }[] = [
  ...[
    "/api/orders",
    "/api/orders?limit=2",
    "/api/orders?since_id=2&limit=1",
    "/api/orders?changed_after=0&limit=3",
  ].map((url) => ({ url })),
  ...["/api/orders?changed_after=9", "/api/orders?status=pending,cancelled", "/api/orders?since_id=5"].map((url) => ({
    url,
  })),
  ...["/api/orders/1", "/api/orders/2", "/api/products", "/api/products?limit=1", "/api/products?changed_after=2"].map(
    (url) => ({ url }),
  ),
  ...["/api/erp/orders/2/preview"].map((url) => ({ url })),
  ...[
    "/api/orders/99",
    "/api/orders?limit=0&since=1",
    "/api/orders?since_id=99",
    "/api/nothing",
    "/api/orders/%zz",
  ].map((url) => ({ url })),
  ...[{}, { authorization: "Bearer wrong" }].map((headers) => ({ url: "/api/orders", headers })),
  { method: "POST", url: "/api/orders", payload: {} },
  { method: "POST", url: "/api/erp/orders/2/push" },
  { method: "POST", url: "/api/erp/orders/2/push", payload: { force: true } },
  { url: "/api/erp/orders/2/deliveries" },
  ...[
    { method: "bank_transfer", reference: "t-3", amount: "763.50" },
    { method: "bank_transfer", reference: "t-3", amount: "1.00" },
    { method: "", reference: "t-4", amount: "1,00" },
  ].map((payload) => ({ method: "POST" as const, url: "/api/orders/3/payments", payload })),
  {
    method: "POST",
    url: "/api/orders/3/fulfillments",
    payload: { reference: "p-1", shipped_at: "2026-10-05T08:00:00Z", lines: [{ line_id: 3001, quantity: 1 }] },
  },
  { method: "POST", url: "/api/orders/4/fulfillments", payload: { reference: "p-2" } },
];

/** The headers that a program may read, without entity tags, which change with every field that is added. */
const HEADERS = ["content-type", "cache-control", "vary", "link", "www-authenticate", "retry-after", "allow"];

/** The answers to REQUESTS and what a push sends, of orders in every way of 1 October 2026; later times are masked. */
async function recordAnswers(): Promise<string> {
  const { app, db, erp } = await startPushing();
  const day = (date: number) => new Date(Date.UTC(2026, 9, date, 8));
  await importProducts(db, [product("a"), product("b", { brand: "Kestrel" }), product("c")], day(1));
  await importProducts(db, [product("a"), product("c", { title: "C" })], day(2));
  for (let index = 0; index < 3; index += 1) await placeOrder(db, boughtOn(day(1)), day(1));
  const { status, ...rest } = { status: "paid" as const, method: "bank_transfer", reference: "t-1" };
  await changeOrder(db, 1, { note: "Ring twice." }, day(2));
  await changeOrder(db, 2, { payments: [{ ...rest, status, amount: "763.50" }] }, day(2));
  await changeOrder(
    db,
    2,
    { refunds: [{ reference: "r-1", created_at: day(3), amount: "63.50", reason: "Late" }] },
    day(3),
  );
  await changeOrder(db, 4, { status: "cancelled", cancel_reason: "Ordered twice" }, day(3));
  const lines: string[] = [];
  for (const { method = "GET", url, headers = { authorization: `Bearer ${token}` }, payload } of REQUESTS) {
    const answer = await app.inject({
      ...{ method, url, headers: { ...headers, "x-request-id": "5f0d6a3ab2c14a87" } },
      ...(payload && { payload }),
    });
    const shown = HEADERS.flatMap((name) => (answer.headers[name] ? `${name}: ${answer.headers[name]}` : []));
    lines.push(`${method} ${url}`, [answer.statusCode, ...shown].join("; "), answer.payload, "");
  }
  for (const { headers, body } of erp.received)
    lines.push(`${headers["webhook-id"]} ${headers["content-type"]} ${headers["user-agent"]}`, String(body), "");
  return lines
    .join("\n")
    .replaceAll(/"20\d\d-\d\d-\d\dT[\d:.]{12}Z"/g, (time) => (time.startsWith('"2026-10-0') ? time : '"now"'))
    .replaceAll(/("duration_ms":)\d+/g, "$10")
    .replaceAll(/("body_sha256":")[0-9a-f]+/g, "$1…");
}

test("every answer that a partner's program knows, and what is pushed, is byte for byte as it was but for fields at the end", async () => {
  const now = await recordAnswers();
  const before = now
    .replaceAll(/,"closed_quantity":0(?=\})/g, "")
    .replaceAll(/,"partner_note":null,"returns":\[\],"invoices":\[\](?=\})/g, "")
    .replaceAll(
      /,"condition":"new","content":null,"order_quantity":\{"least":1,"step":1\},"weight_g":null,"tax_class":null(?=\})/g,
      "",
    )
    .replaceAll(/,"categories":\["[a-z-]+"\](?=\})/g, "")
    .replaceAll(/,"taxable":"[\d.]+"(?=\})/g, "");
  expect(before.length).toBeLessThan(now.length);
  expect(before).toBe(fixture("answers.txt"));
});

test("a program's entity tag of the order as it is gives 304 without a body, strong or weak", async () => {
  const { app, get } = await startPushing();
  const { etag } = (await get("/api/orders/1")).headers;
  for (const tag of [`${etag}`, `W/${etag}`]) {
    const headers = { authorization: `Bearer ${token}`, "if-none-match": tag };
    const answer = await app.inject({ url: "/api/orders/1", headers });
    expect([answer.statusCode, answer.payload, answer.headers["etag"]]).toEqual([304, "", etag]);
  }
});
