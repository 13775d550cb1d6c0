import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { searchablePage, wordsOf } from "../../site/search-index/searchable-page.ts";
import { weightBudget } from "../weight-budget.ts";
import { buildSite } from "../workspace.ts";
import { copyWithContent, validContent } from "./content-check/content-tree.ts";

const category = validContent["categories/barcode-scanners.md"] ?? "";
const merlin = (validContent["products/barcode-scanners/kestrel-c2.md"] ?? "")
  .replaceAll("Kestrel C2", "Merlin M1")
  .replace("KES-C2", "MER-M1")
  .replace(/gtin:.*\n/, "")
  .replace("Reads: 1D and 2D codes", "Pipe: Clay")
  .replace("formerly: [kestrel-c1]\n", "");

let root = "";
let output = "";
const distPath = (path: string) => join(root, "site/dist", path);

beforeAll(async () => {
  const facets = "order: 10\nalso_called: [gun, code reader]\nfilters: [Reads]";
  root = copyWithContent({
    "categories/barcode-scanners.md": category.replace("order: 10", facets),
    "products/barcode-scanners/merlin.md": merlin,
  });
  ({ output } = await buildSite(root));
});
afterAll(() => rmSync(root, { recursive: true }));

test("a build has a search index of its pages, without Pagefind's own interface", () => {
  const files = readdirSync(distPath("pagefind"), { recursive: true, encoding: "utf8" });
  expect(files).toEqual(
    expect.arrayContaining(["pagefind.js", "pagefind-worker.js", "pagefind-entry.json", "words.txt"]),
  );
  expect(files.filter((name) => /-ui|highlight/.test(name))).toEqual([]);
  const { languages } = JSON.parse(readFileSync(distPath("pagefind/pagefind-entry.json"), "utf8"));
  const pages = [
    "kestrel-c2",
    "osprey",
    "merlin",
    "barcode-scanners",
    "guides",
    "choosing",
    "about",
    "contact",
    "shipping",
    "returns",
    "developers",
  ];
  expect(languages["en-gb"].page_count).toBe(pages.length);
});

test("a category's other names find it and its products, and appear in no text", () => {
  for (const page of ["products/osprey", "categories/barcode-scanners"]) {
    const html = readFileSync(distPath(`${page}.html`), "utf8");
    expect(searchablePage(html)).toMatchObject({
      url: `/${page}`,
      content: expect.stringContaining('data-pagefind-meta="keywords">gun, code reader</p></main>'),
    });
    expect(readFileSync(distPath(`${page}.md`), "utf8")).not.toContain("code reader");
  }
});

test("the search leaves out lists of pages and the 404 page", () => {
  for (const page of ["index", "search", "404", "categories/barcode-scanners/compare"])
    expect([
      page,
      existsSync(distPath(`${page}.html`)),
      searchablePage(readFileSync(distPath(`${page}.html`), "utf8")),
    ]).toEqual([page, true, undefined]);
});

test("text that looks like a tag in a description or keyword stays text in the index", () => {
  const head = `<title>A</title><meta name="description" content="For </main> and <main> boards"><link rel="canonical" href="https://shop.example/products/a"><meta name="keywords" content="till, <b>gun">`;
  const html = `<!doctype html><html lang="en-GB"><head>${head}</head><body><header>Menu</header><main id="content"><h1>A</h1></main><footer>End</footer></body></html>`;
  expect(searchablePage(html)).toEqual({
    url: "/products/a",
    content:
      '<html lang="en-GB"><main id="content"><h1>A</h1><p class="keywords" data-pagefind-meta="keywords">till, &lt;b>gun</p></main>',
  });
});

test("a query is split into words of letters and digits, and hyphenated words are also kept whole", () => {
  expect(wordsOf("Café hands-free TAV-PIP-2D reads 0217302001370.")).toEqual([
    "café",
    "hands",
    "free",
    "handsfree",
    "tav",
    "pip",
    "2d",
    "tavpip2d",
    "reads",
    "0217302001370",
  ]);
});

test("only /search and category pages have a script, and it is one small file", () => {
  const scripts = (page: string) =>
    [...readFileSync(distPath(`${page}.html`), "utf8").matchAll(/<script type="module" src="([^"]+)"/g)].map(
      ([, path = ""]) => readFileSync(distPath(`${path}.br`)).length,
    );
  for (const page of ["index", "products/osprey", "guides/choosing", "about", "404"]) expect(scripts(page)).toEqual([]);
  for (const page of ["search", "categories/barcode-scanners", "categories/barcode-scanners/compare"]) {
    const [size = 0, ...others] = scripts(page);
    expect([size > 0, size < weightBudget.scriptBytes, others]).toEqual([true, true, []]);
  }
});

test("a category's comparison has every specification of every product", () => {
  const markdown = readFileSync(distPath("categories/barcode-scanners/compare.md"), "utf8");
  expect(markdown).toMatch(/\| Specification +\| \[Kestrel C2[^|]*\| \[Merlin M1[^|]*\| \[Osprey/);
  expect(markdown).toMatch(/\| Reads +\| 1D and 2D codes +\| Not stated +\| 1D and 2D codes +\|/);
  expect(markdown).toMatch(/\| Price, incl\. 21% tax +\| €189\.00 +\| €189\.00 +\| from €1,299\.00 +\|/);
});

test("a product without its category's filter gets a warning and is still built and listed", () => {
  expect(output).toContain("merlin.md:11: specifications need `Reads`, which the category filters by.");
  for (const face of ["html", "md"])
    expect(readFileSync(distPath(`categories/barcode-scanners.${face}`), "utf8")).toContain("/products/merlin");
});
