import fc from "fast-check";
import { expect, test } from "vitest";
import { importProducts } from "../../../api/catalogue/import.ts";
import { openDatabase } from "../../../api/database/pool.ts";
import { addDemoOrders } from "../../../api/demo/orders.ts";
import { readDatabaseAddress } from "../../../api/env.ts";
import { makeSender } from "../../../api/webhook/sender.ts";
import { startApi } from "../api.ts";
import { product } from "../catalogue/catalogue.ts";
import type { Described } from "../openapi/openapi-document.ts";
import { makeValidator } from "../openapi/openapi-validator.ts";
import { answer, reset, startErp, webhookTo } from "../webhook/erp-server.ts";
import { anyRequest, type FuzzRequest, operations } from "./fuzz-requests.ts";

const AT_ONCE = 20;
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
  await fc.assert(sendAll, { numRuns: requests / AT_ONCE, endOnFailure: false });
  return seen;
}

test("10,000 requests generated from the document get only described answers, without an internal error", async () => {
  const erp = await startErp(async (response, received) => {
    const behaviour = behaviours[erp.received.length % behaviours.length];
    await behaviour?.(response, received);
  });
  const { app, db } = await startApi({ send: makeSender(webhookTo(erp.url)), now: () => 0 });
  await addDemoOrders(db);
  const rich = {
    brand: "Kestrel",
    images: [{ url: "https://shop.example/a.svg", alt: "A", thumbnail: "https://shop.example/a.svg" }],
  };
  await importProducts(db, [product("kestrel-c2", rich), product("rill-80"), product("tavrel-pip")]);
  const seen = await fuzz(app, 10_000, (status) => {
    if (status >= 500 && status !== 502) throw new Error(`Internal error: ${status}`);
  });
  expect([...seen.values()].reduce((sum, count) => sum + count)).toBe(10_000);
  // Ensures that requests get past validation: each operation gave its usual statuses, and push most of its own.
  const expected = operations.flatMap(({ operation: { operationId, tags } }) =>
    (tags.includes("Partner") ? [200, 400, 401, 429] : [200, 400, 429]).map((status) => `${operationId} ${status}`),
  );
  for (const status of [202, 404, 413, 415, 422, 502]) expected.push(`pushOrder ${status}`);
  for (const status of [404, 413, 415, 422]) expected.push(`recordPayment ${status}`);
  for (const status of [404, 409, 413, 415, 422]) expected.push(`recordFulfillment ${status}`);
  expect([...seen.keys()]).toEqual(expect.arrayContaining([...expected, "getOrder 304", "listProducts 304"]));
});

test("without a database or settings, the only server error is the described 503", async () => {
  const unreachable = openDatabase(readDatabaseAddress({ DATABASE_URL: "mysql://a@127.0.0.1:1/b" }));
  const { app } = await startApi({ db: unreachable });
  const check = (status: number) => {
    if (status >= 500 && status !== 503) throw new Error(`Internal error: ${status}`);
  };
  const seen = await fuzz(app, 1_000, check);
  expect(seen.get("getErpStatus 200")).toBeGreaterThan(0);
  expect([...seen.keys()].filter((where) => / (200|304)$/.test(where))).toEqual(["getErpStatus 200"]);
  const { app: unconfigured } = await startApi({ pullTokens: [] });
  await fuzz(unconfigured, 1_000, check);
  await unreachable.destroy();
});
