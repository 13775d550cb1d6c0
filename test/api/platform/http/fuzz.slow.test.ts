import fc from "fast-check";
import { expect, test } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { addDemoOrders } from "../../../../api/operation/demo/orders.ts";
import { openDatabase } from "../../../../api/platform/database/pool.ts";
import { makeSender } from "../../../../api/platform/webhook/sender.ts";
import { importProducts } from "../../../../api/selling/catalogue/import.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { storeShopFacts } from "../../../../api/selling/shop/queries.ts";
import { byDepth, seedFor } from "../../../depth.ts";
import { startApi } from "../../api.ts";
import { product, variant } from "../../selling/catalogue/catalogue.ts";
import { newLine, newOrder } from "../../selling/orders/new-order.ts";
import { shopFacts } from "../../selling/quote/shop.ts";
import type { Described } from "../openapi/openapi-document.ts";
import { makeValidator } from "../openapi/openapi-validator.ts";
import { answer, reset, startErp, webhookTo } from "../webhook/erp-server.ts";
import { anyRequest, type FuzzRequest, operations } from "./fuzz-requests.ts";

/** Of the API as it should be, and of each that lacks something. */
const [REQUESTS, REQUESTS_OF_BROKEN] = [byDepth({ usual: 4_000, deep: 20_000 }), byDepth({ usual: 200, deep: 1_000 })];
const AT_ONCE = 20;
/** What fewer than one request in 200 leads to, so that it is sure to be seen among many only. */
const RARE = [
  ...[
    "pushOrder 422",
    "pushOrder 502",
    "recordPayment 200",
    "recordFulfillment 200",
    "recordFulfillment 409",
    "listProducts 304",
  ],
  ...["recordReturn 200", "recordRefund 200", "closeOrder 200", "addInvoice 200"],
];
/** The ERP's answers, in turn and without delay. */
const behaviours = [200, 200, 204, 302, 410, 429, 500].map((status) => answer(status)).concat(reset);

type App = Awaited<ReturnType<typeof startApi>>["app"];

function describe(operationId: string): Described {
  const found = operations.find(({ operation }) => operation.operationId === operationId);
  if (!found) throw new Error(`${operationId} is not in the document.`);
  return found.operation;
}

/** Sends `requests` requests, 20 at a time, each answer checked. Returns how often each operation gave each status. */
async function fuzz(app: App, requests: number, check: (status: number) => void) {
  const validate = makeValidator();
  const seen = new Map<string, number>();
  const send = async (request: FuzzRequest) => {
    const { operationId, ...rest } = request;
    const answered = await app.inject(rest);
    const where = validate(describe(operationId), answered);
    check(answered.statusCode);
    seen.set(where, (seen.get(where) ?? 0) + 1);
  };
  const batches = fc.array(anyRequest, { minLength: AT_ONCE, maxLength: AT_ONCE });
  const sendAll = fc.asyncProperty(batches, async (batch) => {
    await Promise.all(batch.map(send));
  });
  await fc.assert(sendAll, { numRuns: requests / AT_ONCE, seed: seedFor("api"), endOnFailure: false });
  return seen;
}

test("requests generated from the document get only described answers, without an internal error", async () => {
  const erp = await startErp(async (response, received) => {
    const behaviour = behaviours[erp.received.length % behaviours.length];
    await behaviour?.(response, received);
  });
  const { app, db } = await startApi({ send: makeSender(webhookTo(erp.url)), now: () => 0 });
  await addDemoOrders(db);
  // All acts are possible with these, at first.
  const payments = [{ method: "bank_transfer", reference: "T-1", amount: "378.00", status: "paid" as const }];
  const paid = newOrder({ status: "processing", lines: [newLine({ quantity: 2 })], payments });
  for (let count = 0; count < 60; count += 1) await placeOrder(db, paid);
  const rich = {
    brand: "Kestrel",
    images: [{ url: "https://shop.example/a.svg", alt: "A", thumbnail: "https://shop.example/a.svg" }],
  };
  await storeShopFacts(db, shopFacts({ erp: { owns: ["stock", "price"], books_placed: false } }));
  // The SKU of the document's examples.
  const counted = product("tavrel-pip", { variants: [variant("TAV-PIP-2D")] });
  await importProducts(db, [product("kestrel-c2", rich), product("rill-80"), counted]);
  const seen = await fuzz(app, REQUESTS, (status) => {
    if (status >= 500 && status !== 502) throw new Error(`Internal error: ${status}`);
  });
  expect([...seen.values()].reduce((sum, count) => sum + count)).toBe(REQUESTS);
  // Ensures that requests get past validation: each operation gave its usual statuses, and push most of its own.
  const expected = operations.flatMap(({ operation: { operationId, tags } }) =>
    (tags.includes("Partner") ? [200, 400, 401, 429] : [200, 400, 429]).map((status) => `${operationId} ${status}`),
  );
  for (const status of [202, 404, 413, 415, 422, 502]) expected.push(`pushOrder ${status}`);
  for (const status of [404, 413, 415, 422]) expected.push(`recordPayment ${status}`);
  for (const status of [404, 409, 413, 415, 422]) expected.push(`recordFulfillment ${status}`);
  expected.push("getOrder 304", "listProducts 304");
  const wanted = byDepth({ usual: expected.filter((where) => !RARE.includes(where)), deep: expected });
  expect([...seen.keys()]).toEqual(expect.arrayContaining(wanted));
});

test("without a database or settings, the only server error is the described 503", async () => {
  const unreachable = openDatabase(readDatabaseAddress({ DATABASE_URL: "mysql://a@127.0.0.1:1/b" }));
  const { app } = await startApi({ db: unreachable });
  const check = (status: number) => {
    if (status >= 500 && status !== 503) throw new Error(`Internal error: ${status}`);
  };
  const seen = await fuzz(app, REQUESTS_OF_BROKEN, check);
  expect(seen.get("getErpStatus 200")).toBeGreaterThan(0);
  expect([...seen.keys()].filter((where) => / (200|304)$/.test(where))).toEqual(["getErpStatus 200"]);
  const { app: unconfigured } = await startApi({ pullTokens: [] });
  await fuzz(unconfigured, REQUESTS_OF_BROKEN, check);
  await unreachable.destroy();
});
