import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOnce } from "../../built-shops.ts";
import { copyWithContent } from "../content-check/content-tree.ts";
import { richShop } from "./rich-shop.ts";

// Hardware › Printers › Belt printers, of which one is among the cases too; spare parts have no products.
let root = "";
const read = (path: string) => readFileSync(join(root, "site/dist", path), "utf8");
const productsIn = (markdown: string) =>
  [...markdown.matchAll(/^## \[.*\/products\/([\w-]+)\)$/gm)].map(([, slug]) => slug);
const linksIn = (html: string | undefined) =>
  [...(html ?? "").matchAll(/<a[^>]* href="([^"]+)"/g)].map(([, path]) => path);

beforeAll(async () => {
  root = copyWithContent(richShop);
  await buildOnce(root);
});
afterAll(() => rmSync(root, { recursive: true }));

test("a category lists its own products, those below it and those that name one of them, each once, in both faces", () => {
  for (const [slug, products] of [
    ["hardware", ["belt", "printer"]],
    ["printers", ["printer", "belt"]],
    ["belt-printers", ["belt"]],
    ["cases", ["belt", "case"]],
    ["spare-parts", []],
  ] as const) {
    expect([slug, productsIn(read(`categories/${slug}.md`))]).toEqual([slug, products]);
    for (const product of products) expect(read(`categories/${slug}.html`)).toContain(`href="/products/${product}"`);
  }
  expect(read("categories/hardware.md")).toContain("2 products");
  expect(read("categories/spare-parts.md")).toContain("No products here at the moment.");
  for (const product of ["belt", "printer"])
    expect(read("categories/hardware/compare.md")).toContain(`Thing ${product}`);
});

test("a category leads to those directly below it, with the number of their products, in both faces", () => {
  expect(read("categories/hardware.md")).toContain(
    "- [Printers](https://test.example/categories/printers) 2 products\n",
  );
  expect(read("categories/printers.md")).toContain(
    "- [Belt printers](https://test.example/categories/belt-printers) 1 product\n",
  );
  const links = (slug: string) =>
    linksIn(/<nav class="subcategories"[\s\S]*?<\/nav>/.exec(read(`categories/${slug}.html`))?.[0]);
  expect(links("hardware")).toEqual(["/categories/printers"]);
  expect(links("belt-printers")).toEqual([]);
});

test("the way from the home page goes through the folder's category and all above it, as people and machines read it", () => {
  const above = ["/", "/categories/hardware", "/categories/printers"];
  for (const [page, trail] of [
    ["products/belt", [...above, "/categories/belt-printers"]],
    ["categories/belt-printers", above],
    ["categories/printers/compare", above],
  ] as const) {
    const html = read(`${page}.html`);
    expect([page, linksIn(/<nav class="breadcrumbs"[\s\S]*?<\/nav>/.exec(html)?.[0])]).toEqual([page, trail]);
    const [, json = ""] = /"BreadcrumbList","itemListElement":(\[.*?\])\}/.exec(html) ?? [];
    const items: { item: string }[] = JSON.parse(json);
    expect(items.map(({ item }) => item)).toEqual([...trail, `/${page}`].map((path) => `https://test.example${path}`));
  }
  expect(read("products/belt.html")).toContain('"category":"Hardware > Printers > Belt printers"');
  expect(read("merchant-feed.xml")).toContain(
    "<g:product_type>Hardware &gt; Printers &gt; Belt printers</g:product_type>",
  );
});

test("header, home page and lost visitors are led to the top categories that have products", () => {
  const top = ["/categories/barcode-scanners", "/categories/cases", "/categories/hardware"];
  const html = read("index.html");
  expect(linksIn(/<nav[^>]*id="sections"[\s\S]*?<\/nav>/.exec(html)?.[0])).toEqual([
    ...top,
    "/guides",
    "/shipping",
    "/contact",
  ]);
  for (const page of ["index", "404"])
    expect(linksIn(/<div class="cards categories">[\s\S]*?<\/div>/.exec(read(`${page}.html`))?.[0])).toEqual(top);
  expect(read("products/belt.html")).toMatch(/href="\/categories\/hardware" aria-current="true"/);
});

test("machines get every product once, below its own category, and the slugs of all that list it", () => {
  const llms = read("llms.txt");
  const sections = [...llms.matchAll(/^## Products: (.*)$/gm)].map(([, title]) => title);
  expect(sections).toEqual([
    ...["Spare parts", "Barcode scanners", "Cases", "Hardware"],
    ...["Hardware › Printers", "Hardware › Printers › Belt printers"],
  ]);
  const times = (text: string, part: string) => text.split(part).length - 1;
  expect(times(llms, "/products/belt.md")).toBe(1);
  expect(times(read("sitemap.xml"), "/products/belt<")).toBe(1);
  const products: { slug: string; category: string; categories: string[] }[] = JSON.parse(
    read("products.json"),
  ).products;
  expect(products.find(({ slug }) => slug === "belt")).toMatchObject({
    category: "belt-printers",
    categories: ["belt-printers", "cases", "hardware", "printers"],
  });
  expect(products.find(({ slug }) => slug === "case")?.categories).toEqual(["cases"]);
});
