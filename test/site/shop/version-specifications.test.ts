import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOnce } from "../../built-shops.ts";
import { readMerchantFeed, readThings } from "../../facts.ts";
import { copyWithContent } from "../content-check/content-tree.ts";
import { richShop } from "./rich-shop.ts";

let root = "";
const read = (path: string) => readFileSync(join(root, "site/dist", path), "utf8");

beforeAll(async () => {
  root = copyWithContent(richShop);
  await buildOnce(root);
});
afterAll(() => rmSync(root, { recursive: true }));

test("the comparison has one line of all versions for screens, and each version's own in Markdown", () => {
  const page = "categories/barcode-scanners/compare";
  const speed = "Black: 200 scans/s; White: 100 scans/s";
  const html = read(`${page}.html`).replaceAll(/\s+/g, " ");
  expect(html).toContain(`<span class="each">${speed}</span>`);
  expect(html).toContain("200 scans/s, 100 scans/s");
  expect(read(`${page}.md`)).toContain(`| ${speed} |`);
  expect(html).toContain('<span class="each">Black: Not stated; White: 90 g, 80 g with clip</span>');
  expect(read(`${page}.html`)).toContain('<span class="each">Black or white</span>');
});

test("a product's page has a specification for each choice that it follows from, which Markdown names", () => {
  const html = read("products/osprey.html").replaceAll(/\s+/g, " ");
  expect(html).toContain(
    '<dt data-o1="1">Speed</dt> <dd data-o1="1"> <span class="of">Black: </span> 200 scans/s </dd>',
  );
  expect(html).toContain('<dt data-o1="2">Weight</dt> <dd data-o1="2">');
  const markdown = read("products/osprey.md");
  for (const line of ["Speed**: Black: 200 scans/s", "Speed**: White: 100 scans/s", "Weight**: Black: Not stated"])
    expect(markdown).toContain(`- **${line}\n`);
  // The value says itself which version has it.
  expect(markdown).toContain("- **Colour**: Black\n- **Colour**: White\n");
});

test("products.json, JSON-LD and the merchant feed say in what a version differs from its product", () => {
  const own = [
    [
      { name: "Colour", value: "Black" },
      { name: "Speed", value: "200 scans/s" },
    ],
    [
      { name: "Colour", value: "White" },
      { name: "Weight", value: "90 g, 80 g with clip" },
    ],
  ];
  const { products } = JSON.parse(read("products.json"));
  const product = products.find(({ slug }: { slug: string }) => slug === "osprey");
  expect(product.variants.map(({ specifications }: { specifications: unknown }) => specifications)).toEqual(own);
  expect(product.specifications).toContainEqual({ name: "Speed", value: "100 scans/s" });
  const thing = readThings(read("products/osprey.html")).find((each) => each["@type"] === "ProductGroup");
  expect(thing?.["hasVariant"]).toMatchObject(
    own.map((specifications) => ({ additionalProperty: specifications.map((each) => expect.objectContaining(each)) })),
  );
  const items = readMerchantFeed(read("merchant-feed.xml")).filter((item) => item["g:item_group_id"]);
  expect(items.map((item) => item["g:product_detail g:attribute_name"])).toEqual(
    own.map((specifications) => specifications.map(({ name }) => name)),
  );
  expect(items.map((item) => item["g:product_detail g:attribute_value"])).toEqual(
    own.map((specifications) => specifications.map(({ value }) => value)),
  );
});
