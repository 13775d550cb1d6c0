import { beforeAll, expect, inject, test } from "vitest";
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
import { shops } from "../../workspace.ts";

// Compares the running shop's answers with its content.
const url = inject("shopUrl");
const truth = readContent(shops.demo);
const pages = new Map<string, { html: string; markdown: string }>();

async function get(path: string, headers: Record<string, string> = {}): Promise<string> {
  return (await fetch(url + path, { headers })).text();
}

beforeAll(async () => {
  for (const slug of truth.keys()) {
    const path = `/products/${slug}`;
    pages.set(slug, { html: await get(path), markdown: await get(path, { accept: "text/markdown" }) });
  }
});

test("every variant has the same facts in the text of both faces, in front matter and in JSON-LD", () => {
  expect(truth.size).toBeGreaterThan(10);
  for (const [slug, variants] of truth) {
    const { html = "", markdown = "" } = pages.get(slug) ?? {};
    expect(readJsonLd(html)).toEqual(variants);
    expect(readFrontMatter(markdown)).toEqual(variants);
    expect([
      slug,
      findMissingFacts(readHtmlWords(html), variants),
      findMissingFacts(readMarkdownWords(markdown), variants),
    ]).toEqual([slug, [], []]);
  }
});

test("every variant has the same facts in products.json and in the API", async () => {
  const expected = new Map([...truth].map(([slug, variants]) => [slug, variants.map(withoutDay)]));
  expect(readProducts(JSON.parse(await get("/products.json")))).toEqual(expected);
  const answer = await get("/api/products", { authorization: `Bearer ${inject("shopToken")}` });
  expect(readProducts(JSON.parse(answer))).toEqual(expected);
});

test("the merchant feed has every variant once, with the same facts and existing pictures", async () => {
  const items = readMerchantFeed(await get("/merchant-feed.xml"));
  const facts = (sku: string | undefined) => [...truth.values()].flat().find((variant) => variant.sku === sku);
  expect(items.map((item) => item["g:id"]?.[0]).sort()).toEqual(
    [...truth.values()]
      .flat()
      .map(({ sku }) => sku)
      .sort(),
  );
  for (const item of items) {
    const variant = facts(item["g:id"]?.[0]);
    expect(variant && item).toMatchObject(variant ? toFeedItem(variant) : {});
    expect(item["g:title"]?.[0]).toContain(variant?.title);
    for (const picture of [...(item["g:image_link"] ?? []), ...(item["g:additional_image_link"] ?? [])]) {
      const answer = await fetch(url + new URL(picture).pathname, { method: "HEAD" });
      expect([picture, answer.status, answer.headers.get("content-type")]).toEqual([picture, 200, "image/png"]);
    }
  }
});
