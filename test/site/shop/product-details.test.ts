import { globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOnce } from "../../built-shops.ts";
import { readMerchantFeed, readThings } from "../../facts.ts";
import { copyWithContent, newProduct, validContent } from "../content-check/content-tree.ts";

const folder = "products/barcode-scanners";
const pdf = "%PDF-1.7\nas an editor saved it\n";
const documents = `documents:
  - kind: manual
    title: Quick start
    file: ./quick-start.pdf
    language: de
  - kind: driver
    title: Driver for Windows
    link: https://maker.example/driver
    language: en`;

const osprey = (validContent[`${folder}/osprey.md`] ?? "")
  .replace("variants:", "  - src: ./osprey-white.svg\n    alt: The Osprey in white\nvariants:")
  .replace("options: { Colour: White }", "options: { Colour: White }\n    image: ./osprey-white.svg");

let root = "";
const read = (path: string) => readFileSync(join(root, "site/dist", path), "utf8");

beforeAll(async () => {
  root = copyWithContent({
    [`${folder}/a.md`]: newProduct("a", "9.00", documents).replace("Reads:", "Dimensions: 84 × 38 × 21 mm\n  Reads:"),
    [`${folder}/quick-start.pdf`]: pdf,
    [`${folder}/b.md`]: newProduct(
      "b",
      "9.00",
      "documents: [{ kind: manual, title: Old, file: ./old.txt, language: en }]\ndraft: true",
    ),
    [`${folder}/old.txt`]: "Old.\n",
    [`${folder}/osprey.md`]: osprey,
    [`${folder}/osprey-white.svg`]: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>',
  });
  await buildOnce(root);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a product's documents are on its page in both faces, with kind, language, type and size or website", () => {
  const markdown = read("products/a.md")
    .split(/^## /m)
    .find((part) => part.startsWith("Documents\n"));
  expect(markdown?.trim().split("\n").slice(2)).toEqual([
    "- [Quick start](https://test.example/documents/a/quick-start.pdf): Manual, German, PDF, 1 kB",
    "- [Driver for Windows](https://maker.example/driver): Driver, English, maker.example",
  ]);
  const html = read("products/a.html");
  expect(html).toContain('<a href="/documents/a/quick-start.pdf" hreflang="de" type="application/pdf">');
  expect(html).toContain('<a href="https://maker.example/driver" hreflang="en">');
  expect(read("products/kestrel-c2.html")).not.toContain("Documents");
});

test("a product's documents are in its JSON-LD", () => {
  const product = readThings(read("products/a.html")).find((thing) => thing["@type"] === "Product");
  expect(product?.["subjectOf"]).toEqual([
    {
      "@type": "DigitalDocument",
      name: "Quick start",
      url: "https://test.example/documents/a/quick-start.pdf",
      inLanguage: "de",
      encodingFormat: "application/pdf",
    },
    { "@type": "DigitalDocument", name: "Driver for Windows", url: "https://maker.example/driver", inLanguage: "en" },
  ]);
});

test("the files of published products are published as they are, and those of drafts aren't", () => {
  expect(read("documents/a/quick-start.pdf")).toBe(pdf);
  expect(globSync("documents/**/*.*", { cwd: join(root, "site/dist") })).toEqual(["documents/a/quick-start.pdf"]);
});

test("a product's size is drawn beside a bank card, which Markdown says in a sentence", () => {
  const sentence = "Its largest side is as large as 0.69 bank cards (86 × 54 mm).";
  expect(read("products/a.md")).toContain(`\n*${sentence}*\n`);
  expect(read("products/a.html")).toMatch(/<svg viewBox="-1 -1 [\d ]+" aria-hidden="true">/);
  expect(read("products/a.html")).toContain(sentence);
  expect(read("products/kestrel-c2.html")).not.toContain("largest side");
});

test("a version's own picture is the first one in feeds and structured data, and named where it is chosen", () => {
  const items = readMerchantFeed(read("merchant-feed.xml")).filter((item) => item["g:id"]?.[0]?.startsWith("OSP"));
  const [black, white] = items.map((item) => [item["g:image_link"]?.[0], item["g:additional_image_link"]]);
  expect(black?.[0]).not.toBe(white?.[0]);
  expect([black?.[1], white?.[1]]).toEqual([[white?.[0]], [black?.[0]]]);
  const group = readThings(read("products/osprey.html")).find((thing) => thing["@type"] === "ProductGroup");
  expect(group?.["hasVariant"]).toMatchObject([{ image: black?.[0] }, { image: white?.[0] }]);
});
