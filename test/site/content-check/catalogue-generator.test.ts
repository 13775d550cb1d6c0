import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkContent } from "../../../site/content-check/check.ts";
import { type CatalogueSize, writeCatalogue } from "../../catalogue-generator.ts";
import { shops } from "../../workspace.ts";
import { writeContent } from "./content-tree.ts";

/** A small shop with a generated catalogue beside its own products, in a folder removed after the test. */
function generate(size: CatalogueSize): string {
  const folder = writeContent();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeCatalogue(join(folder, "content"), size);
  return folder;
}

const read = (folder: string) => {
  const names = globSync("content/{products,categories}/**/*.*", { cwd: folder }).sort();
  return names.map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
};

test("a generated catalogue has the requested number of products and passes the content check", async () => {
  const folder = generate({ products: 300 });
  expect(await checkContent(folder)).toEqual([]);
  expect(
    read(folder).filter(([name, text]) => name.startsWith("content/products/") && text.includes("GEN-")),
  ).toHaveLength(300);
});

test("the same seed gives the same catalogue, and another seed a different one", () => {
  expect(read(generate({ products: 20 }))).toEqual(read(generate({ products: 20 })));
  expect(read(generate({ products: 20, seed: 2 }))).not.toEqual(read(generate({ products: 20 })));
});

test("products are spread over the requested number of categories", () => {
  const folder = generate({ products: 7, categories: 2 });
  const categories = globSync("content/products/*/*.md", { cwd: folder }).map((name) => name.split("/")[2]);
  expect(
    Object.values(Object.groupBy(categories, String))
      .map((products) => products?.length)
      .sort(),
  ).toEqual([2, 3, 4]);
});

test("a catalogue generated beside the demo shop's products overwrites none of the shop's files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-content-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(shops.demo, join(folder, "content"), { recursive: true });
  const [before, problemsBefore] = [read(folder), await checkContent(folder)];
  writeCatalogue(join(folder, "content"), { products: 12 });
  expect(read(folder)).toEqual(expect.arrayContaining(before));
  expect(await checkContent(folder)).toEqual(problemsBefore);
});
