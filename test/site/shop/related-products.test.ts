import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOnce } from "../../built-shops.ts";
import { copyWithContent } from "../content-check/content-tree.ts";
import { richShop } from "./rich-shop.ts";

let root = "";
const read = (path: string) => readFileSync(join(root, "site/dist", path), "utf8");
const section = (markdown: string, title: string) =>
  markdown.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? "";
const linked = (text: string) => [...text.matchAll(/\/products\/([\w-]+)\)/g)].map(([, slug]) => slug);

beforeAll(async () => {
  root = copyWithContent(richShop);
  await buildOnce(root);
});
afterAll(() => rmSync(root, { recursive: true }));

test("two compatible products name each other with the reason, in both faces", () => {
  for (const [slug, other] of [
    ["a", "d"],
    ["d", "a"],
    ["printer", "a"],
  ] as const) {
    const reason = slug === "printer" ? "the same rolls" : "one cable, 24 V";
    const part = section(read(`products/${slug}.md`), "Compatible products");
    expect(part).toContain(`[Thing ${other}](https://test.example/products/${other})`);
    expect(part).toContain(reason);
    expect(read(`products/${slug}.html`)).toContain(reason);
  }
  expect(linked(section(read("products/a.md"), "Compatible products"))).toEqual(["d", "printer"]);
});

test("two products that fit with a third one name each other and it, in both faces", () => {
  const reason = "together with the Thing printer: the printer has the port";
  for (const [slug, other] of [
    ["e", "f"],
    ["f", "e"],
  ] as const) {
    const part = section(read(`products/${slug}.md`), "Compatible products");
    expect([linked(part), part.includes(reason)]).toEqual([[other], true]);
    expect(read(`products/${slug}.html`)).toContain(reason);
  }
});

test("two products that don't fit name each other with the reason, apart from compatible ones, in both faces", () => {
  for (const [slug, other] of [
    ["b", "printer"],
    ["printer", "b"],
  ] as const) {
    const part = section(read(`products/${slug}.md`), "Doesn't work with");
    expect(part).toContain(`[Thing ${other}](https://test.example/products/${other}): another plug`);
    expect(read(`products/${slug}.html`)).toContain("another plug");
  }
  expect(linked(section(read("products/printer.md"), "Compatible products"))).toEqual(["a"]);
  expect(read("products/c.html")).not.toContain("Doesn't work with");
});

test("of a product that fits in one version, that version's price, stock and address are shown", () => {
  const part = section(read("products/c.md"), "Compatible products");
  expect(part).toContain("[Osprey area scanner: White](https://test.example/products/osprey?sku=OSP-WH)");
  for (const text of ["white as it is", "**€1,090.08** net (€1,319.00 with tax)", "Out of stock"])
    expect(part).toContain(text);
  expect(part).not.toContain("€1,299.00");
  const back = section(read("products/osprey.md"), "Compatible products");
  expect(back).toContain("[Thing c](https://test.example/products/c)");
});

test("a relation that is marked as one-way is on the page of its own file alone, in both faces", () => {
  for (const [title, reason, other] of [
    ["Compatible products", "lies on it", "c"],
    ["Doesn't work with", "another shape", "osprey"],
  ] as const) {
    expect(section(read("products/d.md"), title)).toContain(reason);
    expect(linked(section(read("products/d.md"), title))).toContain(other);
    for (const face of ["html", "md"]) expect(read(`products/${other}.${face}`)).not.toContain(reason);
  }
});

test("a product without compatible products leaves out that section", () => {
  expect(read("products/b.html")).not.toContain("Compatible products");
});

test("every product links to the three in its category nearest in price, cheapest first", () => {
  const similar = (slug: string) => linked(section(read(`products/${slug}.md`), "Similar products"));
  expect(similar("d")).toEqual(["c", "e", "f"]);
  expect(similar("a")).toEqual(["c", "d", "e"]);
  expect(similar("osprey")).toEqual(["f", "kestrel-c2", "b"]);
  expect(similar("printer")).toEqual([]);
});

test("the alternatives of a product come before those that are near in price", () => {
  const part = linked(section(read("products/b.md"), "Similar products"));
  expect(part).toEqual(["d", "a", "f"]);
});

test("a list of values is shown as one text in both faces and in products.json", () => {
  const { products } = JSON.parse(read("products.json"));
  const { specifications } = products.find(({ slug }: { slug: string }) => slug === "e");
  expect(specifications).toEqual([{ name: "Reads", value: "1D, 2D" }]);
  expect(read("products/e.md")).toContain("- **Reads**: 1D, 2D\n");
  expect(read("products/e.html")).toMatch(/<dt>Reads<\/dt>\s*<dd>\s*1D, 2D\s*<\/dd>/);
});
