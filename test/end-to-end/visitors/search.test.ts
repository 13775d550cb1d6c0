import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { findVariant } from "../../../api/people/search/find.ts";
import type { SearchIndex } from "../../../api/people/search/search-index.ts";
import { readSearch, viewSearch } from "../../../api/people/search/view-search.ts";
import { openBuiltSearch, productsOf } from "../../api/people/search/search-file.ts";
import { shareOnePage, withPage } from "./with-page.ts";

const url = inject("shopUrl");
const inPage = shareOnePage({});
const withoutScripts = shareOnePage({ javaScriptEnabled: false });
const addressOf = (query: string) => `${url}/search?${new URLSearchParams({ q: query })}`;

/** A search's message and the titles it finds. */
async function search(page: Page, query: string): Promise<{ message: string; titles: string[] }> {
  await page.goto(addressOf(query));
  const titles = await page.locator("main h3.card-title a").allTextContents();
  return { message: (await page.getByRole("status").textContent()) ?? "", titles };
}

test("the header's field leads to results, without JavaScript, and keeps what was searched for", async () => {
  await withoutScripts(async (page) => {
    await page.goto(url);
    await page.getByLabel("Search products and guides").fill("returns");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/search\?q=returns$/);
    expect(await page.getByRole("main").getByRole("searchbox").inputValue()).toBe("returns");
    await page.getByRole("main").getByRole("link", { name: "Returns" }).click();
    await page.waitForURL(/\/returns$/);
  });
});

test("a SKU or GTIN leads straight to its version's page", async () => {
  await inPage(async (page) => {
    for (const query of ["TAV-T40-BK", "tav t40 bk", "0217302001370", "217302001370"]) {
      await page.goto(addressOf(query));
      expect(new URL(page.url()).pathname).toBe("/products/tavrel-t40-cordless");
    }
  });
});

test("a result goes into the basket by its button, or leads to its version where there is a choice", async () => {
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await search(page, "tavrel pip 2d");
    const choose = page.getByRole("link", { name: "Choose Tavrel Pip pocket scanner" });
    expect(await choose.getAttribute("href")).toContain("/products/tavrel-pip");
    await search(page, "quillon ward");
    await page.getByRole("button", { name: "Add to basket Quillon Ward healthcare scanner" }).click();
    await page.waitForURL(/\/cart/);
    expect(await page.getByRole("main").textContent()).toContain("QUI-WARD-BT");
  });
});

test("a result has the facts that its card has in a list", async () => {
  await inPage(async (page) => {
    const factsOf = async (title: string) => {
      const facts = page
        .locator(".card", { hasText: title })
        .first()
        .locator(".card-facts > *")
        .filter({ visible: true });
      return (await facts.allTextContents()).map((text) => text.replaceAll(/\s+/g, " ").trim());
    };
    await page.goto(`${url}/categories/barcode-scanners`);
    const listed = await factsOf("Quillon Ward");
    expect(listed).toHaveLength(2);
    await search(page, "quillon ward");
    expect((await factsOf("Quillon Ward")).slice(0, 2)).toEqual(listed);
  });
});

test("an excerpt is a whole sentence", async () => {
  await inPage(async (page) => {
    await search(page, "lanyard");
    const sentences = await page.locator(".search-sentence").allTextContents();
    expect(sentences.length).toBeGreaterThan(0);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z0-9“].*[.!]$/s);
  });
});

test("markup in a query is shown as text", async () => {
  await inPage(async (page) => {
    const { message } = await search(page, "<img src=x onerror=alert(1)>");
    expect(message).toContain("<img src=x");
    expect(await page.locator("main img[src=x]").count()).toBe(0);
  });
});

test("an agent gets the same results in the same order, as Markdown with absolute links", async () => {
  await inPage(async (page) => {
    const { titles } = await search(page, "receipt printer");
    const answer = await fetch(addressOf("receipt printer"), { headers: { accept: "text/markdown" } });
    const markdown = await answer.text();
    expect(answer.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    const links = [...markdown.matchAll(/^- \[([^\]]+)\]\(https:\/\/[^)?]+\.md(?:\?sku=[\w%.~-]+)?\)/gm)].map(
      ([, name = ""]) => name,
    );
    expect(links.length).toBeGreaterThan(9);
    expect(titles.length).toBeGreaterThan(9);
    // A version's name stands behind a colon there, and behind a comma here.
    for (const [index, title] of titles.entries()) expect(links[index]).toBe(title.trim().replace(": ", ", "));
    expect(markdown).toMatch(/^> .*llms\.txt/m);
  });
});

test("without words the search page lists all SKUs and categories", async () => {
  const { products } = JSON.parse(await (await fetch(`${url}/products.json`)).text());
  await withoutScripts(async (page) => {
    await page.goto(`${url}/search`);
    const links = await page.locator(".sku-index a").allTextContents();
    const skus = products.flatMap(({ variants }: { variants: { sku: string }[] }) => variants.map(({ sku }) => sku));
    expect(links).toEqual(skus.sort());
    await page.getByRole("link", { name: "TAV-PIP-2D" }).click();
    expect(page.url()).toMatch(/\/products\/tavrel-pip$/);
  });
});

test("prices, stock and days are those of the products' pages", async () => {
  const { products } = JSON.parse(await (await fetch(`${url}/products.json`)).text());
  const facts = ({ price, ...each }: Record<string, unknown>) => [
    // The search has a net price too.
    typeof price === "object" && price && "gross" in price ? price.gross : price,
    ...["sku", "gtin", "availability", "available_from"].map((name) => each[name]),
  ];
  const variants = (all: { slug: string; variants?: object[]; versions?: object[] }[]) =>
    all.flatMap(({ slug, variants = [], versions = [] }) =>
      [...variants, ...versions].map((each) => [slug, ...facts({ ...each })]),
    );
  expect(variants(productsOf(openBuiltSearch(inject("dist"))))).toEqual(variants(products));
});

/** The rows of golden-queries.tsv, whose first lines say what the columns are. */
const golden = readFileSync(join(import.meta.dirname, "../../api/people/search/golden-queries.tsv"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [query = "", first = "", second = "", third = "", order = ""] = line.split("\t");
    const cells = [first, second, third].map((cell) =>
      cell
        .split("|")
        .filter(Boolean)
        .map((name) => (/^[/A-Z]/.test(name) ? name : `/products/${name}`)),
    );
    return { query, cells, isAnyOrder: order.trim() === "any" };
  });

/** A result's page, and its version's SKU. */
type Result = readonly (string | null)[];

const pageOf = (path: string) => path.split("?", 1)[0] ?? "";

const isMetBy = (cell: readonly string[], result: Result = []) => cell.some((each) => result.includes(each));

/** Whether each cell that is filled is met by a different one of the results. */
function areMet([cell, ...others]: readonly string[][], found: readonly Result[]): boolean {
  if (cell === undefined) return true;
  if (cell.length === 0) return areMet(others, found);
  return found.some((result, place) => isMetBy(cell, result) && areMet(others, found.toSpliced(place, 1)));
}

/** Golden queries that don't find what is expected. One that does by now is taken from this list. */
const MISSED = ["labels for shelves", "how to connect a cash drawer", "bpa free receipt rolls 58"];

const viewAsBuilt = (index: SearchIndex, query: string) =>
  viewSearch(index, readSearch(String(new URLSearchParams({ q: query }))), async () => new Map());

test("all golden queries but these three find first what the shop's owner expects first", async () => {
  const index = openBuiltSearch(inject("dist"));
  const findResults = async (query: string): Promise<Result[]> => {
    const named = findVariant(index, query);
    if (named) return [[named.product.path, named.variant.sku]];
    const { groups } = await viewAsBuilt(index, query);
    return groups.flatMap(({ hits }) => hits.map(({ path, sku }): Result => [pageOf(path), sku]));
  };
  const findPaths = async (query: string) => (await findResults(query)).map(([path]) => path);
  const missed: [string, Result[]][] = [];
  for (const { query, cells, isAnyOrder } of golden) {
    const found = (await findResults(query)).slice(0, 3);
    const isRight = isAnyOrder
      ? areMet(cells, found)
      : cells.every((cell, place) => cell.length === 0 || isMetBy(cell, found[place]));
    if (!isRight) missed.push([query, found]);
  }
  expect(golden.length).toBe(140);
  expect(
    missed.map(([query]) => query),
    JSON.stringify(missed),
  ).toEqual(MISSED);
  const printers = productsOf(index).filter(({ category }) => category === "receipt-printers");
  expect(new Set((await findPaths("receipt printer")).slice(0, 9))).toEqual(new Set(printers.map(({ path }) => path)));
  expect((await findPaths("qr code"))[0]).not.toBe("/products/tavrel-line-10");
});

// A change of ranking, the demo shop or a page about the API changes them: see that each is meant, and write them anew, by `-u`.
test("golden queries find the same to the byte: results, their order, sentences and filters", async () => {
  const index = openBuiltSearch(inject("dist"));
  const lines: string[] = [];
  for (const { query } of golden) {
    const view = await viewAsBuilt(index, query);
    const text = JSON.stringify(view, (name, value) => (name === "picture" ? value !== null : value));
    const paths = view.groups.flatMap(({ hits }) => hits.map(({ path }) => path)).slice(0, 3);
    const digest = hash("sha256", text).slice(0, 12);
    lines.push([query, view.count, digest, ...paths].join("\t"));
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../../api/people/search/golden-results.tsv");
});
