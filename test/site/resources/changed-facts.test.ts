import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readJson } from "../../../api/platform/database/columns.ts";
import { readCatalogue } from "../../../api/selling/catalogue/catalogue-file.ts";
import { importProducts } from "../../../api/selling/catalogue/import.ts";
import { startApi } from "../../api/api.ts";
import { buildOnce } from "../../built-shops.ts";
import {
  findMissingFacts,
  readContent,
  readFrontMatter,
  readHtmlWords,
  readJsonLd,
  readMarkdownWords,
  readMerchantFeed,
  readProducts,
  toFeedItem,
  withoutDay,
} from "../../facts.ts";
import { kestrel, osprey } from "../content-check/content-problems.ts";
import { copyWithContent, validContent } from "../content-check/content-tree.ts";

const slug = "kestrel-c2";
const title = 'A ] b ) | ` $1,299.00 "x" <b>c</b> <script>alert(1)</script> & 🙂 שלום';

const photo = { width: 2400, height: 1800, channels: 3, background: "#808080" } as const;

let root = "";
const read = (path: string) => readFileSync(join(root, "site/dist", path), "utf8");

// The shop's prices exclude 21% tax; Google's feed and the JSON-LD must include it.
const shop = (validContent["store.yaml"] ?? "").replace("prices_include_tax: true", "prices_include_tax: false");
const withTax = "1538.91";

/** Changes a product's name, price and stock, as an editor would. */
function change(text: string): string {
  return text
    .replace(/^title: .*/m, () => `title: '${title}'`)
    .replace('price: "189.00"', 'price: "1271.83"')
    .replace("availability: in_stock", "availability: backorder\navailable_from: 2099-01-11");
}

beforeAll(async () => {
  root = copyWithContent({
    "store.yaml": shop,
    [kestrel]: change(validContent[kestrel] ?? ""),
    [kestrel.replace("kestrel-c2.md", "photo.png")]: await sharp({ create: photo }).png().toBuffer(),
    [osprey]: (validContent[osprey] ?? "")
      .replace("./osprey.svg", "./photo.png")
      .replace("backorder", "backorder\n    available_from: 2026-01-05"),
  });
  await buildOnce(root);
});

afterAll(() => rmSync(root, { recursive: true }));

const changed = () => readContent(join(root, "content")).get(slug) ?? [];

test("a changed name, price and stock appear in both faces of the product and in its data", () => {
  const variants = changed();
  expect(variants).toMatchObject([
    { title, price: "1271.83", availability: "backorder", available_from: "2099-01-11" },
  ]);
  const [html, markdown] = [read(`products/${slug}.html`), read(`products/${slug}.md`)];
  const taxed = variants.map((variant) => ({ ...variant, price: withTax }));
  expect(readJsonLd(html)).toEqual(taxed);
  expect(html).toContain(`"price":"${withTax}","priceCurrency":"EUR","valueAddedTaxIncluded":true`);
  expect(readFrontMatter(markdown)).toEqual(taxed);
  expect(findMissingFacts(readHtmlWords(html), variants)).toEqual([]);
  expect(findMissingFacts(readMarkdownWords(markdown), variants)).toEqual([]);
  expect(html + markdown).not.toContain("189.00");
});

test("an expected date that has passed is left out of pages and feeds", () => {
  const variants = readContent(join(root, "content")).get("osprey") ?? [];
  expect(variants.map(({ available_from }) => available_from)).toEqual([null, null]);
  const taxed = variants.map((variant, index) => ({ ...variant, price: ["1571.79", "1595.99"][index] }));
  const [html, markdown] = [read("products/osprey.html"), read("products/osprey.md")];
  expect([readJsonLd(html), readFrontMatter(markdown)]).toEqual([taxed, taxed]);
  expect(html + markdown + read("merchant-feed.xml")).not.toContain("2026-01-05");
  expect(findMissingFacts(readHtmlWords(html), variants)).toEqual([]);
  const [ownText] = readHtmlWords(html).text.split("Similar products");
  expect(ownText).not.toContain("expected");
});

test("a photograph is published in three widths and as the original file", async () => {
  const names = read("products/osprey.html").match(/\/_astro\/[^"\s]+\.(?:png|webp)/g) ?? [];
  const sizes = await Promise.all([...new Set(names)].map((name) => sharp(join(root, "site/dist", name)).metadata()));
  expect(sizes.map(({ format, width }) => `${format} ${width}`).sort()).toEqual([
    "png 2400",
    "webp 320",
    "webp 640",
    "webp 960",
  ]);
});

test("a photograph has a small picture for baskets, and a drawing is its own", async () => {
  const { products } = JSON.parse(read("products.json"));
  const paths = new Map<string, string>(
    products.map(({ slug, images: [image] }: { slug: string; images: { thumbnail: string }[] }) => [
      slug,
      new URL(image?.thumbnail ?? "").pathname,
    ]),
  );
  const small = await sharp(join(root, "site/dist", paths.get("osprey") ?? "")).metadata();
  expect([small.format, small.width, small.height]).toEqual(["webp", 160, 120]);
  expect(paths.get(slug)).toMatch(/^\/_astro\/.*\.svg$/);
});

test("the changes appear on the category's page, in its Markdown, and in llms.txt and llms-full.txt", () => {
  const words = [title, "€1,271.83", "On back-order"];
  const category = "categories/barcode-scanners";
  const card = readHtmlWords(read(`${category}.html`)).text;
  const row = readMarkdownWords(read(`${category}.md`)).text;
  const whole = readMarkdownWords(read("llms-full.txt")).text;
  for (const text of [card, row, whole]) expect(words.filter((word) => !text.includes(word))).toEqual([]);
  // The reference parser of llms.txt ends a name at its first `]`.
  expect(readMarkdownWords(read("llms.txt")).text).toContain(
    `- [${title.replace("]", ")")}](https://test.example/products/${slug}.md): `,
  );
});

test("the changes appear in products.json, the merchant feed, the API's response and the database", async () => {
  const [variant] = changed();
  const whole = new Map(
    [...readContent(join(root, "content"))].map(([each, variants]) => [each, variants.map(withoutDay)]),
  );
  expect(readProducts(JSON.parse(read("products.json")))).toEqual(whole);
  const item = readMerchantFeed(read("merchant-feed.xml")).find((each) => each["g:id"]?.[0] === variant?.sku);
  expect(item).toMatchObject({ ...(variant && toFeedItem({ ...variant, price: withTax })), "g:title": [title] });
  const { db, get } = await startApi();
  await importProducts(db, await readCatalogue(join(root, "site/dist/products.json")));
  expect(readProducts((await get("/api/products")).json())).toEqual(whole);
  const rows = await db.selectFrom("products").select(["slug", "title", "variants"]).execute();
  const products = rows.map((row) => ({ ...row, variants: readJson(row.variants) }));
  expect(readProducts({ products })).toEqual(whole);
});
