import { globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOnce } from "../../built-shops.ts";
import { readMerchantFeed, readThings } from "../../facts.ts";
import { copyWithContent } from "../content-check/content-tree.ts";
import { pdf, richShop } from "./rich-shop.ts";

let root = "";
const read = (path: string) => readFileSync(join(root, "site/dist", path), "utf8");

beforeAll(async () => {
  root = copyWithContent(richShop);
  await buildOnce(root);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a product's documents are on its page in both faces, with kind, language, type and size or website", () => {
  const markdown = read("products/case.md")
    .split(/^## /m)
    .find((part) => part.startsWith("Documents\n"));
  expect(markdown?.trim().split("\n").slice(2)).toEqual([
    "- [Quick start](https://test.example/documents/case/quick-start.pdf): Manual, German, PDF, 1 kB",
    "- [Driver for Windows](https://maker.example/driver): Driver, English, maker.example",
  ]);
  const html = read("products/case.html");
  expect(html).toContain('<a href="/documents/case/quick-start.pdf" hreflang="de" type="application/pdf">');
  expect(html).toContain('<a href="https://maker.example/driver" hreflang="en">');
  expect(read("products/kestrel-c2.html")).not.toContain("Documents");
});

test("a product's documents are in its JSON-LD", () => {
  const product = readThings(read("products/case.html")).find((thing) => thing["@type"] === "Product");
  expect(product?.["subjectOf"]).toEqual([
    {
      "@type": "DigitalDocument",
      name: "Quick start",
      url: "https://test.example/documents/case/quick-start.pdf",
      inLanguage: "de",
      encodingFormat: "application/pdf",
    },
    { "@type": "DigitalDocument", name: "Driver for Windows", url: "https://maker.example/driver", inLanguage: "en" },
  ]);
});

test("the files of published products are published as they are, and those of drafts aren't", () => {
  expect(read("documents/case/quick-start.pdf")).toBe(pdf);
  expect(globSync("documents/**/*.*", { cwd: join(root, "site/dist") })).toEqual(["documents/case/quick-start.pdf"]);
});

test("specifications stand below the headings that their names have, where there is more than one heading", () => {
  const partOf = (slug: string) => /## Specifications\n\n(.*?)\n(?=\n## |$)/s.exec(read(`products/${slug}.md`))?.[1];
  expect(partOf("case")).toBe(
    "### Size and material\n\n- **Dimensions**: 84 × 38 × 21 mm\n\n### Scanning\n\n- **Reads**: 1D and 2D codes",
  );
  expect(partOf("kestrel-c2")).toBe("- **Reads**: 1D and 2D codes");
});

test("a version's own picture is the first one in feeds and structured data, and named where it is chosen", () => {
  const items = readMerchantFeed(read("merchant-feed.xml")).filter((item) => item["g:id"]?.[0]?.startsWith("OSP"));
  const [black, white] = items.map((item) => [item["g:image_link"]?.[0], item["g:additional_image_link"]]);
  expect(black?.[0]).not.toBe(white?.[0]);
  expect([black?.[1], white?.[1]]).toEqual([[white?.[0]], [black?.[0]]]);
  const group = readThings(read("products/osprey.html")).find((thing) => thing["@type"] === "ProductGroup");
  expect(group?.["hasVariant"]).toMatchObject([{ image: black?.[0] }, { image: white?.[0] }]);
});
