import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tools } from "../../../api/assistant/tools.ts";
import { findVariant } from "../../../api/people/search/find.ts";
import { readOffers } from "../../../api/people/search/offers.ts";
import { readSearch, viewSearch } from "../../../api/people/search/view-search.ts";
import { readCatalogue } from "../../../api/selling/catalogue/catalogue-file.ts";
import { importProducts } from "../../../api/selling/catalogue/import.ts";
import { readShopFactsFile } from "../../../api/selling/shop/facts-file.ts";
import { storeShopFacts } from "../../../api/selling/shop/queries.ts";
import { buildOnce } from "../../built-shops.ts";
import { readContent, readHtmlWords, readMarkdownWords } from "../../facts.ts";
import { copyWorkspace, shops } from "../../workspace.ts";
import { startApi } from "../api.ts";
import { chooseEveryVersion } from "../people/product/every-version.ts";
import { openBuiltSearch } from "../people/search/search-file.ts";
import { assistantToken, callTool } from "./assistant-shop.ts";

const workspace = copyWorkspace(shops.demo);
let dist = "";

beforeAll(async () => {
  ({ dist } = await buildOnce(workspace));
});
afterAll(() => rmSync(workspace, { recursive: true }));

const readPage = (path: string) => readFileSync(join(dist, path), "utf8");
const searched = () => openBuiltSearch(dist);

const euros = new Intl.NumberFormat("en-GB", { style: "currency", currency: "EUR" });
const shown = (amount: string) => euros.format(Number(amount));

interface Fact {
  name: string;
  value: string;
}

/** The demo shop's API with its build and catalogue, and a way to call the assistant's tools. */
async function startDemoShop() {
  const sessionPages = join(dist, ".session");
  const { app, db, get } = await startApi({
    sessionPages,
    assistant: { tokens: [assistantToken], identitySecrets: [] },
  });
  await importProducts(db, await readCatalogue(join(dist, "products.json")));
  await storeShopFacts(db, await readShopFactsFile(join(sessionPages, "store.json")));
  const ask = async (tool: string, args: object) => {
    const answer = await callTool(app, tool, args);
    if (answer.statusCode !== 200) throw new Error(answer.payload);
    return answer.json().result;
  };
  const find = (args: object) =>
    ask("find_products", {
      ...{ query: null, category: null, facets: null, max_price: null, max_price_includes_tax: null },
      ...{ in_stock: null, limit: null },
      ...args,
    });
  return { app, db, get, ask, find };
}

/** A version of the tool's as facts.ts has it. */
const toFacts = ({ title }: { title: string }, version: Record<string, string | null>) => ({
  ...{ title, name: version["version"] ?? title, sku: version["sku"], gtin: version["gtin"] },
  ...{ price: version["price_gross"], currency: version["currency"] },
  ...{ availability: version["availability"], available_from: version["available_from"] },
});

test("every version is chosen by its options: its address, its pills and what a form adds", async () => {
  const { app } = await startDemoShop();
  const { count, mistakes } = await chooseEveryVersion(app, dist);
  expect(mistakes).toEqual([]);
  expect(count).toBeGreaterThan(50);
});

test("product_facts says of every product and version what content/, its page and the partners' API say", async () => {
  const { get, ask } = await startDemoShop();
  const truth = readContent(shops.demo);
  const { products } = (await get("/api/products")).json();
  expect(truth.size).toBeGreaterThan(50);
  for (const [slug, variants] of truth) {
    const facts = await ask("product_facts", { product: slug });
    expect(facts.versions.map((version: Record<string, string>) => toFacts(facts, version))).toEqual(variants);
    const [partner] = products.filter((product: { slug: string }) => product.slug === slug);
    expect(partner.variants.map((variant: Record<string, string>) => [variant["sku"], variant["price"]])).toEqual(
      facts.versions.map((version: Record<string, string>) => [version["sku"], version["price_gross"]]),
    );
    const { text } = readHtmlWords(readPage(`products/${slug}.html`));
    const own: Fact[] = facts.versions.flatMap(({ specifications }: { specifications: Fact[] }) => specifications);
    for (const { name, value } of facts.specifications)
      expect([slug, name, text.includes(name), text.includes(value)]).toEqual([slug, name, true, true]);
    for (const { value } of own) expect([slug, value, text.includes(value)]).toEqual([slug, value, true]);
    if (variants.length === 1) expect(text).toContain(shown(facts.versions[0].price_net));
    for (const { title, reason } of [...facts.works_with, ...facts.does_not_work_with])
      expect([slug, text.includes(title), text.includes(reason)]).toEqual([slug, true, true]);
    for (const { title } of facts.documents) expect(text).toContain(title);
    const [version] = variants;
    const bySku = await ask("product_facts", { product: version?.sku ?? "" });
    expect([bySku.slug, bySku.versions]).toEqual([slug, facts.versions]);
  }
});

test("a category is listed in its page's order, and its facets leave as many products as its page's filters say", async () => {
  const { find } = await startDemoShop();
  let facetsCompared = 0;
  for (const { slug } of searched().facts.categories) {
    const html = readPage(`categories/${slug}.html`);
    const { products, facets, total } = await find({ category: slug });
    const shownProducts = [...html.matchAll(/<h[23][^>]*>\s*<a href="\/products\/([\w-]+)/g)].map(([, name]) => name);
    expect(shownProducts.length).toBe(total);
    expect(products.map(({ url }: { url: string }) => /products\/([\w-]+)/.exec(url)?.[1])).toEqual(
      shownProducts.slice(0, 8),
    );
    const fieldsets = html.matchAll(/<legend[^>]*>([^<]*)<\/legend>(.*?)<\/fieldset>/gs);
    const filters = new Map([...fieldsets].map(([, name = "", content = ""]) => [name, content]));
    for (const { name, values } of facets)
      for (const value of values) {
        const content = filters.get(name) ?? "";
        const after = content.slice(content.indexOf(`value="${value.replaceAll('"', "&quot;")}"`));
        const [, count] = /aria-hidden="true"[^>]*>\s*(\d+)/.exec(after) ?? [];
        const left = await find({ category: slug, facets: [{ name, value }] });
        expect([slug, name, value, String(left.total)]).toEqual([slug, name, value, count]);
        facetsCompared += 1;
      }
  }
  expect(facetsCompared).toBeGreaterThan(50);
});

test("find_products and /search rank alike, version by version and for the same reasons, for all golden queries", async () => {
  const { db, find } = await startDemoShop();
  const index = searched();
  const golden = readFileSync(join(import.meta.dirname, "../people/search/golden-queries.tsv"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t")[0] ?? "");
  expect(golden.length).toBe(140);
  for (const query of golden) {
    const asked = readSearch(String(new URLSearchParams({ q: query })));
    const page = await viewSearch(index, asked, (skus) => readOffers(db, skus));
    const hits = page.groups.flatMap((group) => group.hits).filter(({ sku }) => sku !== null);
    const { products } = await find({ query });
    const named = findVariant(index, query);
    if (named)
      expect(products).toMatchObject([{ sku: named.variant.sku, url: `https://shop.example${named.variant.path}` }]);
    else
      expect([query, products.map(({ sku, why }: Record<string, string>) => [sku, why])]).toEqual([
        query,
        hits.slice(0, 8).map(({ sku, sentence }) => [sku, sentence]),
      ]);
  }
});

test("delivery_quote says for every country and version what the page of the same link says", async () => {
  const { app, ask } = await startDemoShop();
  const sold = [...readContent(shops.demo).values()]
    .flat()
    .filter(({ availability }) => availability !== "out_of_stock");
  const skus = sold.toSorted((a, b) => Number(b.price) - Number(a.price)).map(({ sku }) => sku);
  const { shipping } = JSON.parse(readPage(".session/store.json"));
  const countries: string[] = shipping.zones.flatMap((zone: { countries: string[] }) => zone.countries);
  expect([skus.length > 80, countries.length > 25]).toEqual([true, true]);
  const half = Math.ceil(skus.length / 2);
  // Each version once, and the cheapest by itself, whose delivery isn't free.
  for (const part of [skus.slice(0, half), skus.slice(half), skus.slice(-1)]) {
    const items = part.map((sku) => ({ sku, quantity: 1 }));
    const { url } = await ask("basket_link", { items });
    for (const country of countries) {
      const { lines, methods, totals } = await ask("delivery_quote", { country, items });
      const { pathname } = new URL(url);
      const { payload } = await app.inject({ url: `${pathname}?country=${country}`, headers: { "x-face": "md" } });
      const { rows } = readMarkdownWords(payload);
      for (const { sku, total_gross } of lines)
        expect([country, rows.find((row) => row.includes(`| ${sku} |`))]).toEqual([
          country,
          expect.stringContaining(shown(total_gross)),
        ]);
      const free = Number(methods[0].cost_gross) === 0;
      const [delivery] = rows.filter((row) => row.startsWith("- Delivery"));
      expect([country, delivery]).toEqual([
        country,
        expect.stringContaining(free ? "Free" : shown(methods[0].cost_gross)),
      ]);
      expect(rows).toContain(`- Total: ${shown(totals.gross)}`);
    }
  }
});

test("every tool that needs no customer answers its own example with something", async () => {
  const { ask } = await startDemoShop();
  const named = ["find_products", "product_facts", "compare_products", "delivery_quote", "find_advice", "basket_link"];
  const examples = tools.filter(({ name }) => named.includes(name));
  expect(examples.map(({ name }) => name)).toEqual(named);
  for (const { name, example } of examples) {
    const [filled] = Object.values(await ask(name, example));
    expect([name, String(filled).length > 0]).toEqual([name, true]);
  }
});

test("every passage stands word for word on the page that its address names, and its place exists there", async () => {
  const { passages } = JSON.parse(readPage(".session/assistant.json"));
  expect(passages.length).toBeGreaterThan(80);
  expect(new Set(passages.map(({ page }: { page: string }) => page)).size).toBeGreaterThan(15);
  for (const { path, text } of passages) {
    const [page, id] = path.split("#");
    expect([path, id === undefined || readPage(`${page}.html`).includes(`id="${id}"`)]).toEqual([path, true]);
    const markdown = readPage(`${page}.md`);
    for (const block of text.split("\n\n")) expect([path, markdown.includes(block)]).toEqual([path, true]);
  }
});
