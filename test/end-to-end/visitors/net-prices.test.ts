import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, inject, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { type Facts, readContent, readHtmlWords, readMarkdownWords } from "../../facts.ts";
import { shops } from "../../workspace.ts";

// Businesses compare net prices, so both faces say the net price first, and then the price with VAT.
const url = inject("shopUrl");
const { tax } = parseYaml(readFileSync(join(shops.demo, "store.yaml"), "utf8"));
/** A whole number for 100 %: 121. */
const percent = Math.round(100 * (1 + Number(tax.rates[tax.home])));
const money = (cents: number) =>
  new Intl.NumberFormat("en-GB", { style: "currency", currency: "EUR" }).format(cents / 100);
const products = [...readContent(shops.demo)].map(([slug, versions]) => ({ slug, versions }));
const versions = products.flatMap((product) => product.versions);

/** `€123.14 net (€149.00 with VAT)` as content/ has it; `called` is what the tax is called. */
function pairOf({ price }: Facts, called = "VAT"): string {
  const gross = Math.round(Number(price) * 100);
  return `${money(Math.round((gross * 100) / percent))} net (${money(gross)} with ${called})`;
}

const folderOf = new Map(
  readdirSync(join(shops.demo, "products"), { recursive: true, encoding: "utf8" }).map((file) => [
    basename(file, ".md"),
    dirname(file),
  ]),
);
const categoryOf = (slug: string) => folderOf.get(slug) ?? "";

/** The text of both faces, without Markdown's bold. */
async function readFaces(path: string): Promise<{ text: string; rows: string[] }[]> {
  const get = async (accept: string) => (await fetch(url + path, { headers: { accept } })).text();
  const { text, rows } = readMarkdownWords((await get("text/markdown")).replaceAll("**", ""));
  return [readHtmlWords(await get("text/html")), { text, rows }];
}

/** The pair of prices that follows a SKU in a text. */
const pairAfter = (text: string, sku: string) => /€[\d,.]+ net \(.*?\)/.exec(text.split(sku)[1] ?? "")?.[0];

/** What the tax is called where a product is ordered. */
const taxed = `${percent - 100}% VAT`;

test("a product's page has both prices of every version", async () => {
  expect(versions.length).toBeGreaterThan(60);
  for (const { slug, versions } of products)
    for (const { text, rows } of await readFaces(`/products/${slug}`)) {
      const [first, second] = versions;
      for (const version of second ? versions : [])
        expect([version.sku, rows.find((row) => row.includes(version.sku))]).toEqual([
          version.sku,
          expect.stringContaining(pairOf(version, taxed)),
        ]);
      if (first && !second)
        expect([slug, text.replaceAll(/[()\\]/g, "")]).toEqual([
          slug,
          expect.stringContaining(pairOf(first, taxed).replaceAll(/[()]/g, "")),
        ]);
    }
});

test("a category's cards and comparison have both prices of each product", async () => {
  for (const category of new Set(products.map(({ slug }) => categoryOf(slug))))
    for (const path of [`/categories/${category}`, `/categories/${category}/compare`])
      for (const { text } of await readFaces(path))
        for (const { slug, versions } of products.filter((each) => categoryOf(each.slug) === category))
          expect([path, slug, versions.some((version) => text.includes(pairOf(version)))]).toEqual([path, slug, true]);
});

test("a search result has both prices of its version", async () => {
  const found = new Set<string>();
  for (const category of new Set(products.map(({ slug }) => categoryOf(slug))))
    for (const page of [1, 2])
      for (const { text } of await readFaces(`/search?q=${category.replace("-", "+")}&page=${page}`))
        for (const version of versions.filter(({ sku }) => text.includes(`SKU ${sku}`))) {
          found.add(version.sku);
          expect([version.sku, text]).toEqual([version.sku, expect.stringContaining(pairOf(version))]);
        }
  expect(found.size).toBeGreaterThan(40);
});

test("the counter has both prices of every version that it offers, and of the total", async () => {
  const found = new Set<string>();
  const [, start] = await readFaces("/counter");
  const tills = versions.filter(({ sku }) => start?.text.includes(sku));
  expect(tills.length).toBeGreaterThan(3);
  for (const chosen of tills)
    for (const [face, { text }] of (await readFaces(`/counter?chosen=${chosen.sku}`)).entries())
      for (const version of versions.filter(({ sku }) => text.includes(`${sku} ${face === 0 ? "€" : "|"}`))) {
        found.add(version.sku);
        expect([version.sku, pairAfter(text, face === 0 ? `${version.sku} ` : `| ${version.sku} |`)]).toEqual([
          version.sku,
          pairOf(version),
        ]);
      }
  expect(found.size).toBeGreaterThan(40);
  const [one] = tills;
  for (const { text } of await readFaces(`/counter?chosen=${one?.sku}`))
    expect(text).toMatch(new RegExp(`Total:? ${one ? literally(pairOf(one)) : ""}`));
});

const literally = (text: string) => text.replaceAll(/[$().]/g, "\\$&");

test("what an order link shows has both prices of each version", async () => {
  const orderable = versions.filter(({ availability }) => availability !== "out_of_stock");
  for (let first = 0; first < orderable.length; first += 50) {
    const part = orderable.slice(first, first + 50);
    for (const [face, { text }] of (await readFaces(`/buy/${part.map(({ sku }) => `${sku}:1`).join(",")}`)).entries())
      for (const version of part)
        expect([version.sku, pairAfter(text, face === 0 ? `SKU ${version.sku} ` : `| ${version.sku} |`)]).toEqual([
          version.sku,
          pairOf(version, taxed),
        ]);
  }
});
