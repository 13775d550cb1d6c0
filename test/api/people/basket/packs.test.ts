import { expect, test } from "vitest";
import { writeJson } from "../../../../api/platform/database/columns.ts";
import { readMain } from "./page-text.ts";
import { startShop } from "./shop.ts";

const packs = { sku: "P", title: "Box", order_least: 12, order_step: 6 };
const RULE = "Sold in packs of 6, from 12";

test("a basket takes only the numbers in which something is sold, and names the two nearest", async () => {
  const { visitor } = await startShop(packs, { sku: "A" });
  const refused = await visitor.post("/cart/lines", { sku: "P", quantity: "13" });
  expect(refused.statusCode).toBe(422);
  expect(readMain(refused.payload)).toContain(`Tavrel C30, Box: ${RULE}: 12 or 18`);
  expect(refused.payload).toContain('name="quantity" value="13"');
  expect(await visitor.quantities()).toEqual({});
  const tooFew = await visitor.post("/cart/lines", { sku: "P", quantity: "1" });
  expect([tooFew.statusCode, readMain(tooFew.payload)]).toEqual([422, expect.stringContaining(`${RULE}: 12`)]);
  expect((await visitor.post("/cart/lines", { sku: "P", quantity: "12" })).statusCode).toBe(303);
  expect(readMain((await visitor.get("/cart")).payload)).toContain(RULE);
});

test("what is in the basket counts with what is added: the sum is one of the numbers", async () => {
  const { visitor } = await startShop({ ...packs, order_least: 5 });
  await visitor.post("/cart/lines", { sku: "P", quantity: "5" });
  const refused = await visitor.post("/cart/lines", { sku: "P", quantity: "5" });
  expect(refused.statusCode).toBe(422);
  const text = readMain(refused.payload);
  expect(text).toContain("Tavrel C30, Box: with the 5 in your basket, that makes 10.");
  expect(text).toContain("Sold from 5 pieces, then in steps of 6: 5 or 11");
  expect(await visitor.quantities()).toEqual({ P: "5" });
  expect((await visitor.post("/cart/lines", { sku: "P", quantity: "6" })).statusCode).toBe(303);
  expect(await visitor.quantities()).toEqual({ P: "11" });
});

test("a quantity in the basket is changed to one of the numbers, or to 0", async () => {
  const { visitor } = await startShop(packs);
  await visitor.post("/cart/lines", { sku: "P", quantity: "12" });
  const refused = await visitor.post("/cart/quantities", { "quantity:P:12": "20" });
  expect(refused.statusCode).toBe(422);
  expect(readMain(refused.payload)).toContain(`${RULE}: 18 or 24`);
  expect(refused.payload).toContain('value="20" inputmode="numeric" autocomplete="off" aria-invalid="true"');
  expect(await visitor.quantities()).toEqual({ P: "12" });
  await visitor.post("/cart/quantities", { "quantity:P:12": "18" });
  expect(await visitor.quantities()).toEqual({ P: "18" });
  await visitor.post("/cart/quantities", { "quantity:P:18": "0" });
  expect(await visitor.quantities()).toEqual({});
});

test("a link with another number is a 422 in both faces that names the nearest, and offers the rest", async () => {
  const { visitor } = await startShop(packs, { sku: "A" });
  for (const path of ["/buy/P:7,A:1", "/buy/P:7"]) {
    const { statusCode, payload } = await visitor.get(path);
    expect([statusCode, readMain(payload)]).toEqual([422, expect.stringContaining(`Box: ${RULE}: 12`)]);
    expect(payload.includes('name="items" value="A:1"')).toBe(path.includes("A"));
  }
  const markdown = await visitor.get("/buy/P:20", { "x-face": "md" });
  expect([markdown.statusCode, markdown.payload]).toEqual([422, expect.stringContaining(`${RULE}: 18 or 24`)]);
  expect((await visitor.get("/buy/P:18")).statusCode).toBe(200);
});

test("a basket from before the numbers changed keeps all, and is ordered once they are right", async () => {
  const { db, visitor } = await startShop({ sku: "P", title: "Box" }, { sku: "A" });
  await visitor.post("/cart/lines", { sku: "P", quantity: "7" });
  await visitor.post("/cart/lines", { sku: "A", quantity: "1" });
  await db.updateTable("product_variants").set({ order_least: 12, order_step: 6 }).where("sku", "=", "P").execute();
  expect(readMain((await visitor.get("/cart")).payload)).toContain(`${RULE}: 12`);
  const checkout = readMain((await visitor.get("/checkout")).payload);
  expect(checkout).toContain("Something in your basket is only sold in other numbers of pieces.");
  expect(await visitor.quantities()).toEqual({ P: "7", A: "1" });
  // What is wrong doesn't keep other lines from changing.
  await visitor.post("/cart/quantities", { "quantity:P:7": "7", "quantity:A:1": "2" });
  expect(await visitor.quantities()).toEqual({ P: "7", A: "2" });
  await visitor.post("/cart/quantities", { "quantity:P:7": "12" });
  expect((await visitor.get("/checkout")).payload).toContain('name="email"');
});

test("of 13 pieces that are left 12 can be ordered, and 11 are as none", async () => {
  const { db, visitor } = await startShop(packs);
  const count = (count: number) =>
    db.insertInto("stock").values({ sku: "P", count }).onDuplicateKeyUpdate({ count }).execute();
  await count(13);
  await visitor.post("/cart/lines", { sku: "P", quantity: "18" });
  expect(readMain((await visitor.get("/cart")).payload)).toContain("Only 12 are left.");
  await count(11);
  expect(readMain((await visitor.get("/cart")).payload)).toContain("Out of stock");
  expect((await visitor.post("/cart/lines", { sku: "P", quantity: "12" })).statusCode).toBe(422);
});

test("at most the greatest number below the shop's limit can be ordered", async () => {
  const { visitor } = await startShop(packs, { facts: { most_per_order: 20 } });
  await visitor.post("/cart/lines", { sku: "P", quantity: "24" });
  expect(readMain((await visitor.get("/cart")).payload)).toContain("An order can have at most 18 of this item.");
});

test("the basket says what a unit costs, at the price of the country of delivery", async () => {
  const content = writeJson({ amount: "500", unit: "g", pieces: 2 });
  const { visitor } = await startShop({ sku: "A", price: "12.10", content });
  for (const path of ["/buy/A:1", "/buy/A:3"])
    expect(readMain((await visitor.get(path)).payload)).toContain("€10.00 / kg net (€12.10 with 21% VAT)");
  expect(readMain((await visitor.get("/buy/A:1?country=DE")).payload)).toContain(
    "€10.00 / kg net (€11.90 with 19% VAT)",
  );
  const markdown = await visitor.get("/buy/A:1", { "x-face": "md" });
  expect(markdown.payload).toContain("€10.00 / kg net");
});
