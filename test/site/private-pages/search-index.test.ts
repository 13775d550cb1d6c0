import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page, Product, SearchFacts } from "../../../api/contract/built-files/search.ts";
import { openSearch } from "../../../api/people/search/search.ts";
import { openBuilds } from "../../../api/platform/private-pages/builds.ts";
import { entriesOf, productsOf } from "../../api/people/search/search-file.ts";
import { buildOnce } from "../../built-shops.ts";
import { copyWithContent } from "../content-check/content-tree.ts";
import { threeScanners } from "../shop/three-scanners.ts";

let root = "";
let facts: SearchFacts;
let products: Product[];
let pages: Page[];

beforeAll(async () => {
  root = copyWithContent(threeScanners);
  const { dist } = await buildOnce(root);
  const search = openSearch(openBuilds(join(dist, ".session")), { info: () => {}, error: () => {} });
  // It refuses a file with another shape.
  const index = await search.current();
  facts = index.facts;
  products = productsOf(index);
  pages = entriesOf(index).flatMap((entry) => ("page" in entry ? [entry.page] : []));
});
afterAll(() => rm(root, { recursive: true }));

test("a build writes what the API reads: products with versions, categories, guides and pages", () => {
  expect(products.map(({ slug, versions }) => [slug, versions.map(({ sku }) => sku)])).toEqual([
    ["kestrel-c2", ["KES-C2"]],
    ["merlin", ["MER-M1"]],
    ["osprey", ["OSP-BK", "OSP-WH"]],
  ]);
  expect(products[0]).toMatchObject({ also_called: ["gun"], category: "barcode-scanners", brand: "Kestrel" });
  expect(products[2]?.versions[0]).toMatchObject({
    ...{
      title: "Black",
      path: "/products/osprey?sku=OSP-BK",
      price: { net: "1073.55", gross: "1299.00" },
      availability: "backorder",
    },
    specifications: [{ name: "Colour", value: "Black" }],
  });
  expect(facts.categories[0]?.instead_of).toEqual(["Epson"]);
  expect(facts.synonyms).toEqual([["LAN", "Ethernet"]]);
  expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(["/guides/choosing", "/about"]));
  expect(pages.map(({ path }) => path)).not.toContain("/");
});

test("each version has its own picture, or its product's main one", () => {
  const [black, white] = products[2]?.versions ?? [];
  expect(black?.picture).toMatch(/^\/_astro\/.*\.svg$/);
  expect(white?.picture).toMatch(/^\/_astro\/.*\.svg$/);
  expect(white?.picture).not.toBe(black?.picture);
});

test("texts are without Markdown and code, with what components say, and with the shop's own address", () => {
  const lines = products[0]?.text.split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "What it does",
      "It scans EAN-13, see us.",
      "x first",
      "snake_case 2 * 3",
      "At https://test.example/about. See shipping.",
    ]),
  );
  expect(products[0]?.text).not.toContain("code");
  const linesOf = (page: string) => pages.find(({ path }) => path === page)?.text.split("\n");
  expect(linesOf("/guides/choosing")).toEqual(["Take this one or this:", "Tip", "Ask us."]);
  expect(linesOf("/developers-endpoints")).toEqual(
    expect.arrayContaining([expect.stringMatching(/^idempotency-key header, /)]),
  );
});
