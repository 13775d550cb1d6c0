import { fromMarkdown } from "mdast-util-from-markdown";
import { toString as textOf } from "mdast-util-to-string";
import { expect, test } from "vitest";
import { writeLlmsTxt } from "../../../site/src/resources/llms-txt.ts";
import { words } from "../words/words.ts";
import { parseLlmsTxt } from "./parse-llms-txt.ts";

const shop = {
  name: "Counter\nwell",
  description: "Two\nlines.",
  base_url: "https://shop.example",
  sales_email: "sales@shop.example",
};

const listed = (path: string, title: string, summary = "About it.") => ({ path, title, summary, updated: undefined });

const site = {
  pages: [listed("/", "Home"), listed("/about", "A [b] (c) *d*: e", "Two\nlines\u0085- with: colons")],
  buyPath: undefined,
  counterPath: undefined,
  taxName: undefined,
  guides: [listed("/guides", "Guides")],
  categories: [
    {
      slug: "s",
      title: "Scanners",
      pages: [listed("/categories/s", "Scanners")],
      products: [listed("/products/index", "P")],
    },
    { slug: "empty", title: "Empty", pages: [listed("/categories/empty", "Empty")], products: [] },
  ],
};
const [{ text }, ...lists] = writeLlmsTxt(shop, site, words);

test("the reference parser reads the shop's name, its summary and who may access what", () => {
  const { title, summary, info } = parseLlmsTxt(text);
  expect({ title, summary }).toEqual({ title: "Counter well", summary: "Two lines." });
  for (const words of [
    "Public",
    "https://shop.example/search answers `?q=`",
    "partner token",
    "Private",
    "no public sign-up, no sandbox, no command-line tool and no MCP server",
  ])
    expect(info).toContain(words);
  expect(info).toContain("sales@shop.example");
});

test("a shop that sells online says what a link to order is, with an example; another one doesn't mention it", () => {
  const [online] = writeLlmsTxt(shop, { ...site, buyPath: "/buy/KES-C2:1" }, words);
  expect(parseLlmsTxt(online.text).info).toMatch(
    /link to order it, such as https:\/\/shop\.example\/buy\/KES-C2:1 for one piece\. It leads to a public page/,
  );
  expect(text).not.toContain("/buy/");
});

test("a shop with a counter says where it is and how to choose; another one doesn't mention it", () => {
  const [withCounter] = writeLlmsTxt(shop, { ...site, counterPath: "/counter" }, words);
  expect(parseLlmsTxt(withCounter.text).info).toContain("https://shop.example/counter puts a whole counter together");
  expect(text).not.toContain("/counter");
});

test("says which price pages state first, if tax is charged", () => {
  const [taxed] = writeLlmsTxt(shop, { ...site, taxName: "VAT" }, words);
  expect(parseLlmsTxt(taxed.text).info).toContain("Pages state each price twice, net and then with VAT;");
  expect(text).not.toContain("net and then");
});

test("the reference parser reads every link, including those with hostile names", () => {
  const { sections } = parseLlmsTxt(text);
  expect(Object.keys(sections)).toEqual([
    "Pages",
    "Products: Scanners",
    "Products: Empty",
    "Guides",
    "Machine-readable resources",
  ]);
  expect(sections["Pages"]).toEqual([
    { title: "Home", url: "https://shop.example/index.md", desc: "About it." },
    { title: "A (b) (c) *d*: e", url: "https://shop.example/about.md", desc: "Two lines - with: colons" },
  ]);
  expect(sections["Products: Scanners"]?.map(({ url }) => url)).toEqual([
    "https://shop.example/categories/s.md",
    "https://shop.example/products/index.md",
  ]);
});

test("public resources have absolute addresses, and over 90% of the links of a 28-page shop lead to Markdown", () => {
  const { info, sections } = parseLlmsTxt(text);
  const links = (sections["Machine-readable resources"] ?? []).map(({ url }) => url);
  const addresses = [...links, ...Array.from(info.matchAll(/https:\/\/[^\s;,]+[^\s;,.]/g), ([url]) => url)];
  for (const path of [
    "products.json",
    "openapi.json",
    "llms-full.txt",
    "sitemap.xml",
    "robots.txt",
    "merchant-feed.xml",
    ".well-known/api-catalog",
    "api/erp/status",
  ])
    expect(addresses).toContain(`https://shop.example/${path}`);
  const others = links.filter((url) => !url.endsWith(".txt"));
  expect(28 / (28 + others.length)).toBeGreaterThan(0.9);
});

test("a small shop has a single list", () => {
  expect(lists).toEqual([]);
});

test.each([
  "A ] b ) | ` $1,299.00 🙂 שלום",
  "ends in \\",
  "[x](https://evil.example)",
  "`a` `b",
  "# * - 1.",
  "<b>x</b> \\<i>",
])("a Markdown parser also reads the link to a product called %s", (title) => {
  const products = [{ path: "/products/p", title, summary: "With a ` in it, and a ].", updated: undefined }];
  const categories = [{ slug: "c", title: "C", pages: [], products }];
  const [{ text }] = writeLlmsTxt(
    shop,
    { pages: [], buyPath: undefined, counterPath: undefined, taxName: undefined, guides: [], categories },
    words,
  );
  const [line = ""] = text.split("\n").filter((line) => line.includes("/products/p.md"));
  const links = linkNodes(fromMarkdown(line));
  expect(links.map((link) => [textOf(link), link.url])).toEqual([
    [title.replaceAll("[", "(").replaceAll("]", ")"), "https://shop.example/products/p.md"],
  ]);
  expect(parseLlmsTxt(text).sections["Products: C"]).toHaveLength(1);
});

test("text that looks like links or HTML stays text for every parser", () => {
  const odd = "S [x](y) \\<b>z</b> <script>alert(1)</script> <https://evil.example>";
  const hostile = [listed("/categories/c", "Category", odd)];
  const [{ text }] = writeLlmsTxt(
    { ...shop, name: odd, description: odd },
    {
      pages: [],
      buyPath: undefined,
      counterPath: undefined,
      taxName: undefined,
      guides: [],
      categories: [{ slug: "c", title: odd, pages: hostile, products: [] }],
    },
    words,
  );
  const tree = fromMarkdown(text);
  expect(linkNodes(tree).filter(({ url }) => !url.startsWith("https://shop.example/"))).toEqual([]);
  expect(JSON.stringify(tree)).not.toContain('"type":"html"');
  expect(textOf(tree).split("S [x] (y) ")).toHaveLength(5);
});

type Root = ReturnType<typeof fromMarkdown>;
type Content = Root["children"][number];

/** The links in a node of a Markdown tree. */
function linkNodes(node: Root | Content): Extract<Content, { type: "link" }>[] {
  const below = "children" in node ? node.children.flatMap(linkNodes) : [];
  return node.type === "link" ? [node, ...below] : below;
}
