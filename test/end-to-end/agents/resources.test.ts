import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import type { FeedProduct } from "../../../api/contract/built-files/products.ts";
import { inspectLists } from "../../site/resources/list-problems.ts";
import { disagreements, readPageDays } from "../../site/resources/page-days.ts";
import { parseLlmsTxt } from "../../site/resources/parse-llms-txt.ts";

const dist = inject("dist");
let pages: string[] = [];

const read = (name: string) => readFile(join(dist, name), "utf8");

beforeAll(async () => {
  const files = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith(".html"));
  pages = files
    .filter((name) => name !== "404.html" && name !== "410.html")
    .map((name) => name.replace(/\.html$/, ""))
    .sort();
});

const origin = "https://shop.example";

test("the sitemap has every page except those for missing pages, once, in well-formed XML", async () => {
  const sitemap = await read("sitemap.xml");
  const line = /^<url><loc>[^<>&]+<\/loc>(<lastmod>\d{4}-\d\d-\d\d<\/lastmod>)?<\/url>$/;
  const [declaration, open, ...urls] = sitemap.trimEnd().split("\n");
  expect(declaration).toBe('<?xml version="1.0" encoding="UTF-8"?>');
  expect(open).toBe('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">');
  expect(urls.pop()).toBe("</urlset>");
  expect(urls.filter((url) => !line.test(url))).toEqual([]);
  const listed = urls.map((url) => url.replace(/.*<loc>|<\/loc>.*/g, ""));
  expect(listed.sort()).toEqual(pages.map((page) => `${origin}/${page === "index" ? "" : page}`).sort());
});

test("every page has the same date as in the sitemap", () => {
  const days = readPageDays(dist, origin);
  expect(days.filter(({ sitemap }) => sitemap !== undefined).length).toBeGreaterThan(20);
  expect(disagreements(days)).toEqual([]);
});

test("every page is once in the sitemap, llms.txt and llms-full.txt, and every link of llms.txt leads to a file", () => {
  expect(inspectLists(dist, origin)).toEqual({ pages: pages.length, lists: 1, problems: [] });
});

test("llms.txt has the page's own title and description", async () => {
  const { sections } = parseLlmsTxt(await read("llms.txt"));
  for (const [section, links] of Object.entries(sections).filter(([name]) => name.startsWith("Products"))) {
    for (const { title, url, desc } of links) {
      const markdown = await read(url.slice(origin.length + 1));
      expect([section, markdown.includes(`# ${title}\n`), markdown.includes(`\n${desc}\n`)]).toEqual([
        section,
        true,
        true,
      ]);
    }
  }
});

const productKeys = [
  "slug",
  "formerly",
  "url",
  "title",
  "description",
  "brand",
  "category",
  "images",
  "specifications",
  "variants",
  "works_with",
  "does_not_work_with",
  "similar",
  "updated",
  "categories",
];
const variantKeys = [
  "sku",
  "gtin",
  "barcode",
  "title",
  "options",
  "specifications",
  "price",
  "currency",
  "prices_include_tax",
  "tax_rate",
  "availability",
  "available_from",
  "image",
  "price_net",
  "order_url",
  "when_sold_out",
  "url",
  "weight_g",
  "tax_class",
  "condition",
  "content",
  "order_quantity",
];

test("products.json has every product, sorted, with exactly the fields of the contract", async () => {
  const { products } = JSON.parse(await read("products.json"));
  expect(products.map(({ slug }: { slug: string }) => `products/${slug}`)).toEqual(
    pages.filter((page) => page.startsWith("products/")),
  );
  for (const product of products) {
    expect(Object.keys(product)).toEqual(productKeys);
    expect(product.url).toBe(`${origin}/products/${product.slug}`);
    for (const image of product.images)
      expect(image).toEqual({
        url: expect.stringMatching(/^https:.*\/_astro\//),
        alt: expect.any(String),
        thumbnail: expect.stringMatching(/^https:.*\/_astro\//),
      });
    for (const variant of product.variants) {
      expect(Object.keys(variant)).toEqual(variantKeys);
      expect(variant).toMatchObject({
        price: expect.stringMatching(/^\d+\.\d\d$/),
        currency: "EUR",
        prices_include_tax: true,
        tax_rate: "0.21",
      });
      const isSingle = product.variants.length === 1;
      if (isSingle) expect([variant.title, variant.options]).toEqual([product.title, {}]);
      expect(variant.url).toBe(isSingle ? product.url : `${product.url}?sku=${variant.sku}`);
    }
  }
});

test("products.json says net prices, what goes with what, and where to order", async () => {
  const { products }: { products: FeedProduct[] } = JSON.parse(await read("products.json"));
  const pages = new Map(products.map((product) => [product.url, product]));
  const pip = pages.get(`${origin}/products/tavrel-pip`);
  expect(pip?.variants[0]).toMatchObject({ price_net: "73.55", order_url: `${origin}/buy/TAV-PIP-1D:1` });
  const cafe = `${origin}/products/marlstead-cafe-10`;
  expect(pip?.works_with.find(({ url }) => url === cafe)).toEqual({
    ...{ url: cafe, skus: null, own_skus: null, together_with: null },
    reason: expect.any(String),
  });
  const skusOf = (url: string) => pages.get(url)?.variants.map(({ sku }) => sku) ?? [];
  let partly = 0;
  for (const { slug, url, works_with, does_not_work_with, similar, variants, updated } of products) {
    for (const other of works_with) {
      if (other.skus !== null) partly += 1;
      expect([slug, skusOf(other.url)]).toEqual([slug, expect.arrayContaining(other.skus ?? [expect.any(String)])]);
      expect([slug, skusOf(url)]).toEqual([slug, expect.arrayContaining(other.own_skus ?? [expect.any(String)])]);
      expect([slug, pages.has(other.together_with ?? url)]).toEqual([slug, true]);
    }
    const linked = [...similar, ...does_not_work_with.map((other) => other.url)];
    expect([slug, linked.filter((other) => !pages.has(other)), similar.includes(url)]).toEqual([slug, [], false]);
    expect(await read(`products/${slug}.md`)).toContain(`updated: "${updated}"`);
    for (const { availability, order_url } of variants)
      expect([slug, availability === "out_of_stock"]).toEqual([slug, order_url === null]);
  }
  expect(partly).toBeGreaterThan(0);
});

test("a product's Markdown has the same numbers, prices and availability as products.json", async () => {
  const { products } = JSON.parse(await read("products.json"));
  for (const { slug, brand, variants } of products) {
    const [, frontMatter = ""] = (await read(`products/${slug}.md`)).split("---\n");
    expect(frontMatter).toContain(`brand: "${brand}"`);
    for (const { sku, gtin, price, availability } of variants)
      for (const value of [sku, gtin, price, availability].filter((each) => each !== null))
        expect(frontMatter).toContain(`: "${value}"`);
  }
});

test("the feed's pictures exist", async () => {
  const { products } = JSON.parse(await read("products.json"));
  for (const { images } of products)
    for (const { url } of images) expect((await read(url.slice(origin.length + 1))).length).toBeGreaterThan(0);
});

test("openapi.json is the API's, with the shop's name and URL", async () => {
  const document = JSON.parse(await read("openapi.json"));
  expect(document.servers).toEqual([{ url: origin }]);
  expect(document.info.title).toBe("Counterwell: Public resources map");
});
