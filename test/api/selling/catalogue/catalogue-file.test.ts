import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readCatalogue } from "../../../../api/selling/catalogue/catalogue-file.ts";
import { product, variant } from "./catalogue.ts";

test("SKUs that differ only in case are separate", async () => {
  const products = [product("a", { variants: [variant("AB-1"), variant("ab-1")] })];
  expect(await readCatalogue(await fileOf({ products }))).toEqual(products);
});

const productWith = (overrides: Parameters<typeof variant>[1]) => product("a", { variants: [variant("x", overrides)] });

test("an unknown field is reported once", async () => {
  const products = [{ ...product("a"), colour: "red" }];
  const path = await fileOf({ products });
  await expect(readCatalogue(path)).rejects.toThrow(
    `${path} can't be imported:\n  - /products/0/colour (a) isn't a field of the catalogue.`,
  );
  await expect(readCatalogue(path)).rejects.not.toThrow(/additional/);
});

test("an invalid file is refused as a whole, with the place and the reason", async () => {
  const broken: [unknown, RegExp][] = [
    ['{"products":[', /products\.json:1: The file isn't valid JSON/],
    ['{\n"products": [\n}', /products\.json:3: The file isn't valid JSON/],
    [{}, /products/],
    [{ products: [{ ...product("a"), colour: "red" }] }, /\/products\/0\/colour \(a\)/],
    [
      { products: [product("a", { variants: [variant("x", { price: "12,50" })] })] },
      /\/products\/0\/variants\/0\/price \(a\)/,
    ],
    [{ products: [product("a", { variants: [] })] }, /\/products\/0\/variants \(a\)/],
    [{ products: [productWith({ gtin: "2000000000018" })] }, /variants\/0\/gtin \(a\) .* the last digit should be 5\./],
    [
      { products: [productWith({ price: "9.005" })] },
      /variants\/0\/price \(a\) has more than 2 digits after the point, all that can be paid in EUR\./,
    ],
    [
      { products: [productWith({ price: "9.5", currency: "JPY" })] },
      /more than 0 digits after the point, all that can be paid in JPY\./,
    ],
    [
      { products: [productWith({ price: "12990.50", currency: "HUF" })] },
      /more than 0 digits after the point, all that can be paid in HUF\./,
    ],
    [{ products: [productWith({ tax_rate: "1.21" })] }, /\/variants\/0\/tax_rate \(a\)/],
    [{ products: [productWith({ sku: "x".repeat(192) })] }, /variants\/0\/sku \(a\) is longer than 191 characters/],
    [
      { products: [productWith({ options: { "\ud800": "x" } })] },
      /variants\/0\/options \(a\) has a field whose name has half/,
    ],
    [
      { products: [product("b"), product("a", { description: "é".repeat(33_000) })] },
      /products\.json can't.*\/products\/1\/description \(a\) is longer than 65535 bytes/s,
    ],
    [{ products: [product("a", { title: "\udc00" })] }, /\/products\/0\/title \(a\) has half a character/],
    [{ products: [product("A")] }, /\/products\/0\/slug \(A\)/],
    [{ products: [product("a"), product("a")] }, /The slug a belongs to two products/],
    [
      { products: [product("a"), product("b", { variants: [variant("SKU-a")] })] },
      /The SKU SKU-a belongs to two variants/,
    ],
    [
      { products: [product("a"), product("b", { formerly: ["a"] })] },
      /formerly a, but another product has this slug now/,
    ],
    [
      { products: [product("a", { formerly: ["x"] }), product("b", { formerly: ["x"] })] },
      /Two products were formerly x/,
    ],
  ];
  for (const [content, message] of broken) await expect(readCatalogue(await fileOf(content))).rejects.toThrow(message);
  await expect(readCatalogue("/nowhere/products.json")).rejects.toThrow(
    /nowhere\/products\.json: The file doesn't exist/,
  );
});

async function fileOf(content: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "twinfront-catalogue-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "products.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
