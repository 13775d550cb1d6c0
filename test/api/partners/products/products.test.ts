import { expect, test } from "vitest";
import { importProducts } from "../../../../api/selling/catalogue/import.ts";
import type { Product } from "../../../../api/selling/catalogue/schema.ts";
import { startApi } from "../../api.ts";
import { product, variant } from "../../selling/catalogue/catalogue.ts";

const productsOf = (answer: { json(): { products: Product[] } }) => answer.json().products;
const later = new Date("2026-11-02T00:00:00.000Z");
const first = new Date("2026-11-01T00:00:00.000Z");

test("without parameters the whole catalogue is returned, with every field", async () => {
  const { db, get } = await startApi();
  const scanner = product("kestrel-c2", {
    brand: "Kestrel",
    images: [{ url: "https://shop.example/a.svg", alt: "A scanner", thumbnail: "https://shop.example/small.webp" }],
    specifications: [{ name: "Reads", value: "1D and 2D codes" }],
    variants: [
      variant("KES-C2-BK", {
        gtin: "2000000000015",
        options: { Zeta: "1", Alpha: "2" },
        specifications: [{ name: "Reads", value: "1D" }],
      }),
    ],
  });
  await importProducts(db, [scanner, product("rill-80")], first);
  // What only the shop's own pages and agents need isn't in the API.
  const { formerly, images, variants, works_with, does_not_work_with, similar, updated, ...rest } = scanner;
  const answer = await get("/api/products");
  expect(formerly).toEqual([]);
  expect(answer.json()).toMatchObject({ next_since_id: 2, has_more: false });
  expect(productsOf(answer)[0]).toEqual({
    ...rest,
    images: images.map(({ thumbnail: _, ...image }) => image),
    variants: variants.map(({ available_from, image, price_net, order_url, when_sold_out, ...offered }) => ({
      ...offered,
      ...{ condition: "new", content: null, order_quantity: { least: 1, step: 1 } },
      ...{ weight_g: null, tax_class: null },
    })),
    categories: ["barcode-scanners"],
    id: 1,
    status: "active",
    created_at: "2026-11-01T00:00:00.000Z",
    updated_at: "2026-11-01T00:00:00.000Z",
    sequence: 1,
  });
  expect(Object.keys(productsOf(answer)[0]?.variants[0]?.options ?? {})).toEqual(["Zeta", "Alpha"]);
});

test("an empty catalogue is returned as an empty list", async () => {
  const { get } = await startApi();
  expect((await get("/api/products")).json()).toEqual({ products: [], next_since_id: 0, has_more: false });
});

test("a product is found by a SKU that it has, exactly, also once it's archived", async () => {
  const { db, get } = await startApi();
  const two = { variants: [variant("TWO-A"), variant("TWO-B")] };
  await importProducts(db, [product("one"), product("two", two), product("three")], first);
  const found = async (query: string) => productsOf(await get(`/api/products?${query}`)).map(({ slug }) => slug);
  expect(await found("sku=TWO-B")).toEqual(["two"]);
  expect(await found("sku=TWO-A&changed_after=0&limit=1")).toEqual(["two"]);
  expect(await found("sku=TWO-A&since_id=2")).toEqual([]);
  for (const sku of ["two-a", "TWO", "TWO-A%26", "x".repeat(64)]) expect(await found(`sku=${sku}`)).toEqual([]);
  for (const query of ["sku=", "sku=TWO%20A", `sku=${"x".repeat(65)}`, "sku=a&sku=b", "sku=%C3%A9"])
    expect((await get(`/api/products?${query}`)).statusCode, query).toBe(400);
  await importProducts(db, [product("one"), product("two", { variants: [variant("TWO-A")] }), product("three")], later);
  expect(await found("sku=TWO-B")).toEqual([]);
  await importProducts(db, [product("one"), product("three")], later);
  expect([await found("sku=TWO-A"), await found("sku=TWO-B")]).toEqual([["two"], []]);
});

test("products are paged by id and by change, as orders are", async () => {
  const { db, get } = await startApi();
  await importProducts(db, [product("a"), product("b"), product("c")], first);
  const page = await get("/api/products?limit=2");
  expect(productsOf(page).map(({ slug }) => slug)).toEqual(["a", "b"]);
  expect(page.json()).toMatchObject({ next_since_id: 2, has_more: true });
  expect(page.headers["link"]).toBe('<?limit=2&since_id=2>; rel="next"');
  expect(page.headers["etag"]).toBeUndefined();
  await importProducts(db, [product("a", { title: "A" }), product("b"), product("c")], later);
  const changed = await get("/api/products?changed_after=3");
  expect(changed.json()).toMatchObject({ products: [{ id: 1, sequence: 4 }], next_changed_after: 4, has_more: false });
});

test("importing the same catalogue again changes nothing, and its ETag stays valid", async () => {
  const { db, get } = await startApi();
  const catalogue = [
    product("a", { variants: [variant("x", { options: { Colour: "Black", Alpha: "1" } })] }),
    product("b"),
  ];
  expect(await importProducts(db, catalogue, first)).toEqual({ added: 2, changed: 0, archived: 0, unchanged: 0 });
  const before = await get("/api/products");
  expect(await importProducts(db, catalogue, later)).toEqual({ added: 0, changed: 0, archived: 0, unchanged: 2 });
  expect((await get("/api/products")).payload).toBe(before.payload);
  const etag = String(before.headers["etag"]);
  expect((await get("/api/products", { "if-none-match": etag })).statusCode).toBe(304);
  await importProducts(db, [catalogue[0] ?? product("a")], later);
  expect((await get("/api/products", { "if-none-match": etag })).statusCode).toBe(200);
});

test("catalogues with the same ids and sequences have different ETags, and a 304 takes one statement", async () => {
  const shops = await Promise.all([startApi(), startApi(), startApi()]);
  const titles: [string, Date][] = [
    ["A", first],
    ["B", first],
    ["A", later],
  ];
  const tags = new Set<unknown>();
  for (const [index, { db, get, statements }] of shops.entries()) {
    tags.add((await get("/api/products")).headers["etag"]);
    const [title = "", at] = titles[index] ?? [];
    await importProducts(db, [product("a", { title }), product("b")], at);
    statements.length = 0;
    const etag = String((await get("/api/products")).headers["etag"]);
    expect(statements).toHaveLength(2);
    tags.add(etag);
    expect((await get("/api/products", { "if-none-match": etag })).statusCode).toBe(304);
    expect(statements).toHaveLength(3);
  }
  expect(tags.size).toBe(4); // three catalogues, and the empty one that all shops start with
});

test("SKUs that differ only in case are separate", async () => {
  const { db, get } = await startApi();
  await importProducts(db, [product("a", { variants: [variant("AB-1"), variant("ab-1")] })], first);
  expect(productsOf(await get("/api/products"))[0]?.variants.map(({ sku }) => sku)).toEqual(["AB-1", "ab-1"]);
});
