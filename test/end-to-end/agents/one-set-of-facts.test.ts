import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { findVariant } from "../../../api/people/search/find.ts";
import { openBuiltSearch } from "../../api/people/search/search-file.ts";
import { readContent, readMerchantFeed, readProducts, withoutDay } from "../../facts.ts";
import { words } from "../../site/words/words.ts";
import { findDisagreements, foundAs } from "../../surfaces.ts";
import { shops } from "../../workspace.ts";

// Compares the running shop's answers with its content.
const url = inject("shopUrl");
const truth = readContent(shops.demo);

async function get(path: string, headers: Record<string, string> = {}): Promise<string> {
  return (await fetch(url + path, { headers })).text();
}

test("every variant has the same facts in both faces of product, category and comparison, and in front matter, JSON-LD and feeds", async () => {
  const categories = readdirSync(join(shops.demo, "categories")).map((file) => file.replace(".md", ""));
  expect(truth.size).toBeGreaterThan(10);
  expect(await findDisagreements(get, { products: truth, categories }, { locale: "en-GB", pages: words })).toEqual([]);
});

test("every variant has the same facts in the API and in the search", async () => {
  const answer = await get("/api/products", { authorization: `Bearer ${inject("shopToken")}` });
  const expected = new Map([...truth].map(([slug, variants]) => [slug, variants.map(withoutDay)]));
  expect(readProducts(JSON.parse(answer))).toEqual(expected);
  const index = openBuiltSearch(inject("dist"));
  for (const variant of [...truth.values()].flat())
    expect(foundAs(findVariant(index, variant.sku), variant.currency)).toEqual(variant);
});

test("the merchant feed names each variant once, with existing pictures", async () => {
  const items = readMerchantFeed(await get("/merchant-feed.xml"));
  const ids = items.map((item) => item["g:id"]?.[0]);
  expect(ids).toEqual([...new Set(ids)]);
  for (const item of items) {
    const variant = [...truth.values()].flat().find(({ sku }) => sku === item["g:id"]?.[0]);
    expect(item["g:title"]?.[0]).toContain(variant?.title);
    const hasOthers = item["g:item_group_id"] !== undefined;
    expect(new URL(item["g:link"]?.[0] ?? "").search).toBe(hasOthers ? `?sku=${variant?.sku}` : "");
    for (const picture of [...(item["g:image_link"] ?? []), ...(item["g:additional_image_link"] ?? [])]) {
      const answer = await fetch(url + new URL(picture).pathname, { method: "HEAD" });
      expect([picture, answer.status, answer.headers.get("content-type")]).toEqual([picture, 200, "image/png"]);
    }
  }
});
