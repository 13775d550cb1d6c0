import { globSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSite } from "../../workspace.ts";
import { copyOddShop, oddSlugs } from "../content-check/odd-products.ts";
import { inspectLists } from "../resources/list-problems.ts";
import { disagreements, readPageDays } from "../resources/page-days.ts";
import { describeFiles } from "./dist-files.ts";

const origin = "https://odd.example:8443";

// Enough scanners for six pages of their category and for an llms.txt with lists.
const products = 121;

let root = "";
let first: Map<string, string>;
let second: Map<string, string>;
let output = "";

beforeAll(async () => {
  root = copyOddShop(products);
  first = await describeFiles((await buildSite(root, { BASE_URL: origin })).dist);
  // Without it the second build is a full one, too.
  await rm(join(root, "site/.cache/renderer"), { recursive: true });
  const again = await buildSite(root, { BASE_URL: origin });
  output = again.output;
  second = await describeFiles(again.dist);
});

afterAll(() => rm(root, { recursive: true }));

test("a second full build has the same bytes and times as the first, and compresses nothing again", () => {
  expect([...second.keys()]).toEqual([...first.keys()]);
  expect([...second].filter(([name, description]) => first.get(name) !== description).map(([name]) => name)).toEqual(
    [],
  );
  expect(output).toContain("(0 compressed, ");
});

test("each file of a URL has its own ETag", () => {
  const etags = new Map<string, string[]>();
  for (const [name, description] of second) {
    const url = name.replace(/(\.(html|md))?(\.(gz|br))?$/, "");
    etags.set(url, [...(etags.get(url) ?? []), description.split(" ")[0] ?? ""]);
  }
  for (const [url, all] of etags) expect([url, new Set(all).size]).toEqual([url, all.length]);
});

test("every compressed file decodes to the file beside it", () => {
  const content = (name: string) => Buffer.from(second.get(name)?.split(" ")[1] ?? "", "base64");
  const names = [...second.keys()].filter((name) => /\.(gz|br)$/.test(name));
  expect(names.length).toBeGreaterThan(50);
  for (const name of names) {
    const decode = name.endsWith(".gz") ? gunzipSync : brotliDecompressSync;
    expect([name, decode(content(name)).equals(content(name.slice(0, -3)))]).toEqual([name, true]);
  }
});

const text = (name: string) => Buffer.from(second.get(name)?.split(" ")[1] ?? "", "base64").toString();

test.each(oddSlugs)("a product called %s is listed exactly once", (slug) => {
  expect(text(`products/${slug}.html`)).toContain("A [b] (c) |");
  expect(text(`products/${slug}.md`)).toContain(`# A [b] (c) | \\\`d\\\` \\*e\\* ${slug} & co\n`);
  for (const [resource, line] of [
    ["sitemap.xml", `<loc>${origin}/products/${slug}</loc>`],
    ["llms/barcode-scanners-products.txt", `](${origin}/products/${slug}.md): One: two #3\n`],
    ["products.json", `"slug":"${slug}"`],
    [".moved/list.txt", `/products/was-${slug} /products/${slug}\n`],
  ] as const)
    expect([resource, text(resource).split(line).length]).toEqual([resource, 2]);
});

test("every page is in the sitemap, in llms.txt or one of its lists, and in llms-full.txt, exactly once", () => {
  const places = "{content/{pages,guides,categories,products/*},site/src/developers/pages}";
  const written = globSync(`${places}/*.{md,mdx}`, { cwd: root });
  // The build adds /guides, /search, seven comparisons, and five more pages of the largest category with their comparisons.
  expect(inspectLists(join(root, "site/dist"), origin)).toEqual({
    pages: written.length + 2 + 7 + 5 * 2,
    lists: 3,
    problems: [],
  });
});

const category = "categories/barcode-scanners";
const pages = ["", ...[2, 3, 4, 5, 6].map((page) => `/page/${page}`)];

test("a page's date is from its front matter or last commit, and the same in both faces and the sitemap", () => {
  const days = readPageDays(join(root, "site/dist"), origin);
  const dayOf = (path: string) => days.find(({ url }) => url === `${origin}/${path}`)?.sitemap;
  expect(disagreements(days)).toEqual([]);
  expect([dayOf("products/z-7"), dayOf("products/404"), dayOf("categories/empty")]).toEqual([
    "2026-11-18",
    undefined,
    undefined,
  ]);
  expect(dayOf(`${category}/page/6`)).toBe("2026-11-18");
});

test("later pages of a category have their own titles, descriptions and products", () => {
  const shown = pages.map((page) =>
    Array.from(text(`${category}${page}.md`).matchAll(/^## \[.*\]\((.*)\)$/gm), ([, url]) => url),
  );
  expect(shown.map((urls) => urls.length)).toEqual([24, 24, 24, 24, 24, 1]);
  expect(new Set(shown.flat()).size).toBe(products);
  expect(text(`${category}/page/2.md`)).toContain("# Barcode scanners, page 2\n");
  const descriptions = pages.map((page) => /^description: (.*)$/m.exec(text(`${category}${page}.md`))?.[1]);
  expect([descriptions[1], descriptions[5]]).toEqual([
    `"Barcode scanners: products 25 to 48 of ${products}."`,
    `"Barcode scanners: product ${products} of ${products}."`,
  ]);
  expect(new Set(descriptions).size).toBe(6);
  expect(text(`${category}/page/2.md`)).toContain(`${products} products, page 2 of 6\n`);
  expect(text(`${category}/page/2.html`)).toContain(`<link rel="canonical" href="${origin}/${category}/page/2">`);
});

test("a category's pages start at page 2 and stop at its last product", () => {
  const built = [...second.keys()].filter((name) => name.startsWith(category) && name.endsWith(".html"));
  const all = pages.map((page) => `${category}${page}`);
  expect(built.sort()).toEqual(all.flatMap((page) => [`${page}.html`, `${page}/compare.html`]).sort());
});

test("each page of a category links to the others", () => {
  const links = (page: string) =>
    Array.from(
      text(`${category}${page}.md`).matchAll(/\[(Previous|Next|Page \d+)\]\((.*)\)/g),
      ([, name, url]) => `${name} ${url?.slice(origin.length + category.length + 1)}`,
    );
  expect(links("")).toEqual(["Page 1 ", "Page 2 /page/2", "Page 6 /page/6", "Next /page/2"]);
  const around = [2, 3, 4, 5].map((page) => `Page ${page} /page/${page}`);
  expect(links("/page/3")).toEqual(["Previous /page/2", "Page 1 ", ...around, "Page 6 /page/6", "Next /page/4"]);
  expect(links("/page/6")).toEqual(["Previous /page/5", "Page 1 ", "Page 5 /page/5", "Page 6 /page/6"]);
});

test("an empty category says so", () => {
  expect(text("categories/empty.md")).toContain("No products here at the moment.");
  expect(text("llms.txt")).toContain(`## Products: Empty\n\n- [Empty](${origin}/categories/empty.md): To come.\n`);
});

test("BASE_URL replaces the shop's address everywhere, including the examples on the developer page", () => {
  const names = [...second.keys()].filter((name) => /\.(html|md|txt|xml|map|json)$|api-catalog$/.test(name));
  const left = names.flatMap((name) =>
    Array.from(text(name).matchAll(/https?:\/\/shop\.example.{0,20}/g), ([found]) => `${name}: ${found}`),
  );
  expect(left).toEqual([]);
  for (const face of ["html", "md"])
    for (const example of ["curl %/api/erp/status\n", "%/api/orders?limit=2", "%/developers#bad-request"])
      expect(text(`developers.${face}`)).toContain(example.replace("%", origin));
});
