import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readCatalogue } from "../../api/products/catalogue-file.ts";
import { product, variant } from "./catalogue.ts";

test("SKUs that differ in case only are two", async () => {
  const products = [product("a", { variants: [variant("AB-1"), variant("ab-1")] })];
  expect(await readCatalogue(await fileOf({ products }))).toEqual(products);
});

test("a file that cannot be used is refused whole, with the place and the reason", async () => {
  const broken: [unknown, RegExp][] = [
    ['{"products":[', /products\.json:1: This is not JSON/],
    ['{\n"products": [\n}', /products\.json:3: This is not JSON/],
    [{}, /products/],
    [{ products: [{ ...product("a"), colour: "red" }] }, /\/products\/0\/colour \(a\)/],
    [
      { products: [product("a", { variants: [variant("x", { price: "12,50" })] })] },
      /\/products\/0\/variants\/0\/price \(a\)/,
    ],
    [{ products: [product("a", { variants: [] })] }, /\/products\/0\/variants \(a\)/],
    [{ products: [product("A")] }, /\/products\/0\/slug \(A\)/],
    [{ products: [product("a"), product("a")] }, /The slug a belongs to two products/],
    [
      { products: [product("a"), product("b", { variants: [variant("SKU-a")] })] },
      /The SKU SKU-a belongs to two variants/,
    ],
    [{ products: [product("a"), product("b", { formerly: ["a"] })] }, /formerly a, but another is so now/],
    [{ products: [product("a", { formerly: ["x"] }), product("b", { formerly: ["x"] })] }, /Two products say/],
  ];
  for (const [content, message] of broken) await expect(readCatalogue(await fileOf(content))).rejects.toThrow(message);
  await expect(readCatalogue("/nowhere/products.json")).rejects.toThrow(
    /nowhere\/products\.json: There is no such file/,
  );
});

async function fileOf(content: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "twinfront-catalogue-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "products.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
