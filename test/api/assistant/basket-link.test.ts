import { expect, test } from "vitest";
import { shopFacts } from "../selling/quote/shop.ts";
import { startAssistant } from "./assistant-shop.ts";

test("the link shows what was asked for, odd SKUs included, and writes nothing", async () => {
  const { call, app, db } = await startAssistant();
  const items = [
    { sku: "KES-C2-BK", quantity: 2 },
    { sku: "a/b,c:%", quantity: 1 },
    { sku: "KES-C2-BK", quantity: 1 },
  ];
  const { result, say } = (await call("basket_link", { items })).json();
  expect(result).toEqual({
    url: "https://shop.example/buy/KES-C2-BK:3,~YS9iLGM6JQ:1",
    items: [
      { sku: "KES-C2-BK", name: "Kestrel C2 scanner, Black / USB", quantity: 3 },
      { sku: "a/b,c:%", name: "Kestrel C2 scanner, Odd", quantity: 1 },
    ],
  });
  expect(say).toContain(result.url);
  const abroad = (await call("basket_link", { country: "DE", items })).json().result.url;
  expect(abroad).toBe(`${result.url}?country=DE`);
  const { pathname, search } = new URL(abroad);
  expect((await app.inject(pathname + search)).payload).toContain('<option value="DE" selected>');
  const nowhere = await call("basket_link", { country: "AQ", items });
  expect([nowhere.statusCode, nowhere.json().errors]).toEqual([
    422,
    [{ in: "body", field: "arguments.country", detail: "Write a country that the shop delivers to." }],
  ]);
  const page = await app.inject(new URL(result.url).pathname);
  expect([page.statusCode, page.payload.includes("KES-C2-BK:3,~YS9iLGM6JQ:1")]).toEqual([200, true]);
  for (const table of ["orders", "basket_lines", "sessions"] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
});

test("an argument that may be null can be left out, and no other", async () => {
  const { call } = await startAssistant();
  const items = [{ sku: "KES-C2-BK", quantity: 1 }];
  const [left, given] = [await call("basket_link", { items }), await call("basket_link", { country: null, items })];
  expect([left.statusCode, left.json()]).toEqual([200, given.json()]);
  expect((await call("basket_link", { country: "DE" })).statusCode).toBe(400);
  expect((await call("delivery_quote", { items })).statusCode).toBe(400);
});

test("what can't be ordered is refused, item by item, with what to do instead", async () => {
  const { call } = await startAssistant();
  const items = [
    { sku: "kes c2 bk", quantity: 1 },
    { sku: "KES-GONE", quantity: 1 },
    { sku: "KES-CABLE", quantity: 999 },
    { sku: "KES-CABLE", quantity: 1 },
    { sku: "'; drop table orders", quantity: 1 },
  ];
  const answer = await call("basket_link", { items });
  expect([answer.statusCode, answer.json().errors]).toEqual([
    422,
    [
      {
        ...{ in: "body", field: "arguments.items.0.sku" },
        detail: expect.stringContaining("Did you mean KES-C2-BK (Kestrel C2 cordless scanner, Black)?"),
      },
      { in: "body", field: "arguments.items.1.sku", detail: expect.stringContaining("out of stock") },
      { in: "body", field: "arguments.items.3.quantity", detail: expect.stringContaining("At most 999 pieces") },
      { in: "body", field: "arguments.items.4.sku", detail: expect.stringContaining("find_products") },
    ],
  ]);
  expect(answer.payload).not.toContain("drop table");
});

test("quantities are whole numbers from 1 to 999, of 1 to 100 versions", async () => {
  const { call } = await startAssistant();
  const ask = async (items: unknown) => {
    const answer = await call("basket_link", { items });
    return [answer.statusCode, answer.json().errors[0].detail];
  };
  for (const quantity of [0, -1, 1_000, 1.5, "2"])
    expect(await ask([{ sku: "KES-C2-BK", quantity }])).toEqual([
      400,
      "Write a whole number from 1 to 999, without quotes.",
    ]);
  expect(await ask([])).toEqual([400, "Send at least 1 entry."]);
  expect(await ask(Array(101).fill({ sku: "KES-C2-BK", quantity: 1 }))).toEqual([400, "Send at most 100 entries."]);
  expect(await ask([{ sku: "x".repeat(65), quantity: 1 }])).toEqual([400, "Write at most 64 characters."]);
});

test("a shop that takes no orders online makes no link", async () => {
  const { call } = await startAssistant({ facts: shopFacts({ transfer: null }) });
  const answer = await call("basket_link", { items: [{ sku: "KES-C2-BK", quantity: 1 }] });
  expect([answer.statusCode, answer.json().detail]).toEqual([422, expect.stringContaining("hand_over")]);
});
