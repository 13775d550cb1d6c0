import { expect, test } from "vitest";
import openapi from "../../../../api/openapi.json" with { type: "json" };
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { codeOf } from "../../../end-to-end/partner/developers-page.ts";
import { startApi, token } from "../../api.ts";
import { newOrder } from "../../selling/orders/new-order.ts";

const badIntegers = [
  "",
  "%20",
  "%2050",
  "50%20",
  "0x10",
  "1e2",
  "05",
  "-1",
  "+1",
  "1.0",
  "1.5",
  "abc",
  "null",
  "NaN",
  "Infinity",
];
const tooLarge = ["9007199254740992", "9007199254740993", "99999999999999999999"];

test("a parameter that isn't an integer in digits is refused by name, not coerced", async () => {
  const { get } = await startApi();
  for (const field of ["limit", "since_id", "changed_after"]) {
    for (const value of [...badIntegers, ...tooLarge, "%D9%A3", "1_000"]) {
      const answer = await get(`/api/orders?${field}=${value}`);
      expect([field, value, answer.statusCode]).toEqual([field, value, 400]);
      expect(answer.json().errors).toMatchObject([{ in: "query", field }]);
    }
  }
});

test("limit must be from 1 to 250", async () => {
  const { get } = await startApi();
  for (const limit of [0, 251, 9007199254740991]) {
    const answer = await get(`/api/orders?limit=${limit}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([
      { in: "query", field: "limit", detail: "Write a whole number from 1 to 250, in digits only." },
    ]);
  }
  for (const limit of [1, 250]) expect((await get(`/api/orders?limit=${limit}`)).statusCode).toBe(200);
});

test("the error that the developer page and the document show is the one that the API answers", async () => {
  const { get } = await startApi();
  const { instance: _, ...answered } = (await get("/api/orders?limit=251")).json();
  const { instance, ...shown } = JSON.parse(codeOf("Errors", "json"));
  expect(shown).toEqual(answered);
  const { properties } = openapi.components.schemas.Problem;
  expect(properties.detail.example).toBe(answered.detail);
  expect(properties.errors.items.properties.detail.example).toBe(answered.errors[0].detail);
  expect(properties.instance.example).toBe(instance);
});

test("the largest safe integer is accepted", async () => {
  const { db, get } = await startApi();
  await db.updateTable("counters").set({ last_id: Number.MAX_SAFE_INTEGER }).execute();
  const page = await get("/api/orders?since_id=9007199254740991");
  expect(page.json()).toEqual({ orders: [], next_since_id: 9007199254740991, has_more: false });
});

test("unknown and repeated parameters are refused by name", async () => {
  const { get } = await startApi();
  const cases: [string, string[]][] = [
    ["Limit=3", ["Limit"]],
    ["limit[]=3", ["limit[]"]],
    ["foo=1&bar=2", ["bar", "foo"]],
    ["limit=1&limit=1", ["limit"]],
    ["status=any&status=any", ["status"]],
    ["since_id=1&since_id=2&limit=0", ["limit", "since_id"]],
    ["__proto__=1", ["__proto__"]],
    ["constructor=1", ["constructor"]],
    ["toString=1", ["toString"]],
    ["since_id=1&changed_after=1", ["changed_after", "since_id"]],
  ];
  for (const [query, fields] of cases) {
    const answer = await get(`/api/orders?${query}`);
    expect([query, answer.statusCode]).toEqual([query, 400]);
    const named = answer.json().errors.map(({ field }: { field: string }) => field);
    expect([query, named.sort()]).toEqual([query, fields]);
  }
});

test("every address refuses unknown parameters", async () => {
  const { db, get } = await startApi();
  await placeOrder(db, newOrder());
  for (const url of ["/api/orders/1?fields=id", "/api/products?status=active", "/api/erp/status?verbose=1"]) {
    expect([url, (await get(url)).statusCode]).toEqual([url, 400]);
  }
});

test("status must be any or a list of distinct statuses", async () => {
  const { get } = await startApi();
  for (const status of [
    "",
    "open",
    "Pending",
    "pending,",
    ",pending",
    "pending,open",
    "any,pending",
    "pending pending",
    "pending,failed,pending",
    "pending,".repeat(400).slice(0, -1),
  ]) {
    const answer = await get(`/api/orders?status=${encodeURIComponent(status)}`);
    expect([status, answer.statusCode]).toEqual([status, 400]);
    expect(answer.json().errors).toMatchObject([{ in: "query", field: "status" }]);
  }
});

test("an id in the path must be an integer in digits", async () => {
  const { get } = await startApi();
  for (const id of [...badIntegers.filter(Boolean), ...tooLarge, "A-1001"]) {
    const answer = await get(`/api/orders/${id}`);
    expect([id, answer.statusCode]).toEqual([id, 400]);
    expect(answer.json().errors).toMatchObject([{ in: "path", field: "id" }]);
  }
  expect((await get("/api/orders/0")).statusCode).toBe(404);
});

test("errors don't repeat a token or an invalid name sent as a parameter's name", async () => {
  const { app } = await startApi();
  for (const name of [token, `x${token}`, "n".repeat(32), "a%20b", "%D9%A3", "1"]) {
    const answer = await app.inject(`/api/erp/status?${name}=1`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toMatchObject([{ in: "query", field: "?" }]);
    expect(answer.payload).not.toContain(token);
  }
  const longest = "n".repeat(31);
  expect((await app.inject(`/api/erp/status?${longest}=1`)).json().errors).toMatchObject([{ field: longest }]);
});

test("errors don't quote the values sent", async () => {
  const { get } = await startApi();
  for (const url of [
    "/api/orders?limit=sesame",
    "/api/orders/sesame",
    "/api/orders?status=sesame",
    "/api/sesame",
    "/api/%zzsesame",
  ]) {
    expect((await get(url)).payload).not.toContain("sesame");
  }
});
