import { expect, test } from "vitest";
import { matchesEntityTag } from "../../api/entity-tag.ts";
import { changeOrder } from "../../api/orders/change-order.ts";
import { placeOrder } from "../../api/orders/place-order.ts";
import { startApi } from "./api.ts";
import { newOrder } from "./new-order.ts";

test("If-None-Match is read as RFC 9110 has it", () => {
  const table: [string | undefined, boolean][] = [
    [undefined, false],
    ["", false],
    ['"1-2"', true],
    ['W/"1-2"', true],
    ["*", true],
    [" * ", true],
    ['"x", "1-2"', true],
    ['"x","1-2"', true],
    ['"x" , W/"1-2" ', true],
    ['"1-3"', false],
    ["1-2", false],
    ['"1-2', false],
    ['"11-2"', false],
    ['"a,b", "c"', false],
    ['"x", *', false],
  ];
  for (const [header, matches] of table) expect([header, matchesEntityTag(header, '"1-2"')]).toEqual([header, matches]);
});

test("an order answers 304 without a body until it changes", async () => {
  const { db, get } = await startApi();
  await placeOrder(db, newOrder());
  expect((await get("/api/orders/1")).headers["etag"]).toBe('"1-1"');
  const same = await get("/api/orders/1", { "if-none-match": '"1-1"' });
  expect([same.statusCode, same.payload, same.headers["etag"]]).toEqual([304, "", '"1-1"']);
  expect(same.headers).toMatchObject({ "cache-control": "private, no-cache", vary: "Authorization, X-Ecom-Api-Token" });
  await changeOrder(db, 1, { status: "processing" });
  const changed = await get("/api/orders/1", { "if-none-match": '"1-1"' });
  expect([changed.statusCode, changed.headers["etag"]]).toEqual([200, '"1-2"']);
});

test("an unknown order is 404 whatever If-None-Match says", async () => {
  const { get } = await startApi();
  expect((await get("/api/orders/1", { "if-none-match": "*" })).statusCode).toBe(404);
});
