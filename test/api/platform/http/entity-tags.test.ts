import { expect, test } from "vitest";
import { matchesEntityTag, schemaTag } from "../../../../api/platform/http/partner-headers.ts";
import { importProducts } from "../../../../api/selling/catalogue/import.ts";
import { Product } from "../../../../api/selling/catalogue/schema.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { Order } from "../../../../api/selling/orders/schema.ts";
import { startApi } from "../../api.ts";
import { product } from "../../selling/catalogue/catalogue.ts";
import { newOrder } from "../../selling/orders/new-order.ts";

test("If-None-Match is read as RFC 9110 defines it", () => {
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
  const etag = (await get("/api/orders/1")).headers["etag"];
  expect(etag).toMatch(/^"1-1-[0-9a-f]{8}"$/);
  const same = await get("/api/orders/1", { "if-none-match": String(etag) });
  expect([same.statusCode, same.payload, same.headers["etag"]]).toEqual([304, "", etag]);
  expect(same.headers).toMatchObject({ "cache-control": "private, no-cache", vary: "Authorization, X-Ecom-Api-Token" });
  await changeOrder(db, 1, { status: "processing" });
  const changed = await get("/api/orders/1", { "if-none-match": String(etag) });
  expect([changed.statusCode, changed.headers["etag"]]).toEqual([200, String(etag).replace("1-1", "1-2")]);
});

test("an unknown order gets 404 even with If-None-Match: *", async () => {
  const { get } = await startApi();
  expect((await get("/api/orders/1", { "if-none-match": "*" })).statusCode).toBe(404);
});

test("a field added by an upgrade changes the tags of orders and the catalogue, even if stored data is the same", async () => {
  const { db, get } = await startApi();
  await placeOrder(db, newOrder());
  await importProducts(db, [product("a")]);
  for (const [url, schema] of [
    ["/api/orders/1", Order],
    ["/api/products", Product],
  ] as const) {
    const { etag } = (await get(url)).headers;
    const grown = { ...schema, properties: { ...schema.properties, colour: { type: "string" } } };
    expect([url, String(etag).includes(schemaTag(schema))]).toEqual([url, true]);
    expect(schemaTag(grown)).not.toBe(schemaTag(schema));
    const older = String(etag).replace(schemaTag(schema), schemaTag(grown));
    expect([url, (await get(url, { "if-none-match": older })).statusCode]).toEqual([url, 200]);
    expect([url, (await get(url, { "if-none-match": String(etag) })).statusCode]).toEqual([url, 304]);
  }
});
