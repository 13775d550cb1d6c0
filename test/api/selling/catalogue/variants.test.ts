import { expect, test } from "vitest";
import { importProducts } from "../../../../api/selling/catalogue/import.ts";
import { findVariants } from "../../../../api/selling/catalogue/variants.ts";
import { openTestDatabase } from "../../api.ts";
import { product, variant } from "./catalogue.ts";

const picture = (name: string) => ({
  url: `https://shop.example/_astro/${name}.png`,
  alt: name,
  thumbnail: `https://shop.example/_astro/${name}-small.webp?v=1`,
});

const kestrel = product("kestrel", {
  title: "Kestrel scanner",
  images: [picture("front"), picture("back")],
  variants: [
    variant("K-1", { title: "Black", gtin: "2000000000015" }),
    variant("K-2", {
      ...{ title: "White", options: { Zip: "W", Fit: "b" }, url: "https://shop.example/products/kestrel?sku=K-2" },
      ...{ availability: "preorder", available_from: "2099-02-01", image: 1 },
      ...{ weight_g: 850, tax_class: "reduced", order_quantity: { least: 12, step: 6 } },
    }),
  ],
});

test("every variant of the catalogue has its product, page, picture, price and availability", async () => {
  const db = await openTestDatabase();
  await importProducts(db, [product("other"), kestrel]);
  expect(Object.fromEntries(await findVariants(db, ["K-1", "K-2", "SKU-other", "none"]))).toEqual({
    "K-1": {
      sku: "K-1",
      product_id: 2,
      product_title: "Kestrel scanner",
      title: "Black",
      path: "/products/kestrel",
      picture: "/_astro/front-small.webp?v=1",
      gtin: "2000000000015",
      price: "189.0000",
      availability: "in_stock",
      available_from: null,
      when_sold_out: "out_of_stock",
      options: "[]",
      ...{ weight_g: null, tax_class: null, content: null, order_least: 1, order_step: 1 },
    },
    "K-2": expect.objectContaining({
      ...{ picture: "/_astro/back-small.webp?v=1", availability: "preorder", available_from: "2099-02-01", gtin: null },
      ...{ options: '[["Zip","W"],["Fit","b"]]', path: "/products/kestrel?sku=K-2" },
      ...{ weight_g: 850, tax_class: "reduced", order_least: 12, order_step: 6 },
    }),
    "SKU-other": expect.objectContaining({ product_id: 1, picture: null }),
  });
  expect(await findVariants(db, [])).toEqual(new Map());
});

test("a variant that leaves the catalogue stays, archived, until it returns", async () => {
  const db = await openTestDatabase();
  const other = product("other");
  await importProducts(db, [other, kestrel]);
  const offers = async () =>
    [...(await findVariants(db, ["K-1", "K-2"])).values()].map(({ sku, price, availability }) => [
      sku,
      price,
      availability,
    ]);
  await importProducts(db, [other, { ...kestrel, variants: [variant("K-1", { price: "179.00" })] }]);
  expect(await offers()).toEqual([
    ["K-1", "179.0000", "in_stock"],
    ["K-2", "189.0000", "archived"],
  ]);
  expect((await findVariants(db, ["K-2"])).get("K-2")?.available_from).toBe(null);
  await importProducts(db, [other]);
  expect((await offers()).map(([, , availability]) => availability)).toEqual(["archived", "archived"]);
  await importProducts(db, [other, kestrel]);
  expect(await offers()).toEqual([
    ["K-1", "189.0000", "in_stock"],
    ["K-2", "189.0000", "preorder"],
  ]);
});

test("a SKU that moves to another product is that product's", async () => {
  const db = await openTestDatabase();
  await importProducts(db, [product("a", { variants: [variant("X")] }), product("b")]);
  await importProducts(db, [product("a"), product("b", { variants: [variant("X")] })]);
  expect((await findVariants(db, ["X"])).get("X")).toMatchObject({ product_id: 2, path: "/products/b" });
});

test("importing the same catalogue again writes no variant", async () => {
  const db = await openTestDatabase();
  await importProducts(db, [product("gone"), kestrel]);
  await importProducts(db, [kestrel]);
  const written: string[] = [];
  const watched = db.withPlugin({
    transformQuery: ({ node }) => {
      if (JSON.stringify(node).includes("product_variants") && node.kind !== "SelectQueryNode") written.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await importProducts(watched, [kestrel]);
  expect(written).toEqual([]);
  await importProducts(watched, [{ ...kestrel, title: "Kestrel" }]);
  expect(written).toEqual(["UpdateQueryNode", "UpdateQueryNode"]);
});
