import { expect, test } from "vitest";
import { importProducts } from "../../../../api/selling/catalogue/import.ts";
import type { Product } from "../../../../api/selling/catalogue/schema.ts";
import { startApi } from "../../api.ts";
import { product } from "./catalogue.ts";

const productsOf = (answer: { json(): { products: Product[] } }) => answer.json().products;
const later = new Date("2026-11-02T00:00:00.000Z");
const first = new Date("2026-11-01T00:00:00.000Z");

test("only changed products get a new time and sequence", async () => {
  const { db, get } = await startApi();
  await importProducts(db, [product("a"), product("b")], first);
  await importProducts(db, [product("a"), product("b", { title: "B" })], later);
  const [a, b] = productsOf(await get("/api/products"));
  expect(a).toMatchObject({ sequence: 1, updated_at: first.toISOString() });
  expect(b).toMatchObject({ sequence: 3, updated_at: later.toISOString(), created_at: first.toISOString() });
});

test("a product has all categories that list it, and an earlier build's has its own, which changes nothing", async () => {
  const { db, get } = await startApi();
  await importProducts(db, [product("a"), product("b")], first);
  const listed = (categories: string[]) => product("b", { categories: ["barcode-scanners", ...categories] });
  const own = product("a", { categories: ["barcode-scanners"] });
  expect(await importProducts(db, [own, listed(["gifts"])], later)).toMatchObject({ changed: 1, unchanged: 1 });
  const seen = async () => productsOf(await get("/api/products")).map(({ categories }) => categories);
  expect(await seen()).toEqual([["barcode-scanners"], ["barcode-scanners", "gifts"]]);
  expect(await importProducts(db, [own, listed([])], later)).toMatchObject({ changed: 1, unchanged: 1 });
  expect(await seen()).toEqual([["barcode-scanners"], ["barcode-scanners"]]);
});

test("a product that leaves the catalogue is archived, and keeps its id when it returns", async () => {
  const { db, get } = await startApi();
  await importProducts(db, [product("a"), product("b")], first);
  expect(await importProducts(db, [product("a")], later)).toMatchObject({ archived: 1, unchanged: 1 });
  expect(await importProducts(db, [product("a")], later)).toMatchObject({ archived: 0, unchanged: 1 });
  expect(productsOf(await get("/api/products"))[1]).toMatchObject({ id: 2, status: "archived", sequence: 3 });
  await importProducts(db, [product("a"), product("b")], later);
  expect(productsOf(await get("/api/products"))[1]).toMatchObject({ id: 2, status: "active", sequence: 4 });
});

test("a renamed product keeps its id", async () => {
  const { db, get } = await startApi();
  await importProducts(db, [product("old"), product("other")], first);
  expect(await importProducts(db, [product("new", { formerly: ["old"] }), product("other")], later)).toMatchObject({
    changed: 1,
  });
  expect(productsOf(await get("/api/products")).map(({ id, slug, status }) => [id, slug, status])).toEqual([
    [1, "new", "active"],
    [2, "other", "active"],
  ]);
});

test("a product renamed to an archived product's slug keeps its id, and the archived product gets another slug", async () => {
  const { db, get } = await startApi();
  await importProducts(db, [product("new"), product("old")], first);
  await importProducts(db, [product("old")], first);
  const renamed = [product("new", { formerly: ["old"] })];
  expect(await importProducts(db, renamed, later)).toMatchObject({ added: 0, changed: 1, archived: 0 });
  const seen = productsOf(await get("/api/products")).map(({ id, slug, status, sequence }) => [
    id,
    slug,
    status,
    sequence,
  ]);
  expect(seen).toEqual([
    [1, "new-archived-1", "archived", 4],
    [2, "new", "active", 5],
  ]);
  expect(await importProducts(db, renamed, later)).toMatchObject({ changed: 0, archived: 0, unchanged: 1 });
});

test("an empty catalogue is refused if products are stored", async () => {
  const { db, get } = await startApi();
  expect(await importProducts(db, [], first)).toMatchObject({ added: 0, archived: 0 });
  await importProducts(db, [product("a")], first);
  await expect(importProducts(db, [], later)).rejects.toThrow("would archive the whole catalogue");
  expect(productsOf(await get("/api/products"))).toMatchObject([{ status: "active" }]);
});

test("readers see an import completely or not at all", async () => {
  const { db, get } = await startApi();
  await importProducts(db, [product("a")], first);
  const open = await db.startTransaction().execute();
  await importProducts(open, [product("a", { title: "A" }), product("b")], later);
  expect(productsOf(await get("/api/products"))).toMatchObject([{ title: "a" }]);
  await open.commit().execute();
  expect(productsOf(await get("/api/products"))).toMatchObject([{ title: "A" }, { slug: "b" }]);
});

test("a catalogue too large for one statement is imported completely, numbered in the order of the file", async () => {
  const { db, get } = await startApi();
  const catalogue = Array.from({ length: 205 }, (_, index) => product(`p-${index + 1}`));
  expect(await importProducts(db, catalogue)).toMatchObject({ added: 205 });
  const stored = productsOf(await get("/api/products"));
  expect(stored.map(({ id, sequence, slug }) => [id, sequence, slug])).toEqual(
    catalogue.map(({ slug }, index) => [index + 1, index + 1, slug]),
  );
});
