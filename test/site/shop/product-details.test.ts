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

test("a product of another class of tax has its rate in both faces, JSON-LD, Google's feed and products.json", () => {
  // €9.00 with 5 %.
  for (const face of ["html", "md"]) {
    const page = read(`products/case.${face}`)
      .replaceAll(/<[^>]*>|\*\*/g, "")
      .replaceAll(/\s+/g, " ");
    expect(page).toContain("€8.57 net (€9.00 with 5% tax)");
    expect(read(`products/kestrel-c2.${face}`)).toContain("with 21% tax");
    // What is charged for delivery has the usual one.
    expect(read(`shipping.${face}`)).not.toContain("5%");
  }
  expect(read("categories/cases.md")).toContain("**€8.57** net (€9.00 with tax)");
  expect(read("products/case.html")).toContain('"price":"9.00","priceCurrency":"EUR"');
  const items = readMerchantFeed(read("merchant-feed.xml"));
  expect(items.find((each) => each["g:id"]?.[0] === "X-case")).toMatchObject({ "g:price": ["108.00 EUR"] });
  const { products } = JSON.parse(read("products.json"));
  const variantsOf = (slug: string) => products.find((each: { slug: string }) => each.slug === slug).variants;
  expect(variantsOf("case")).toMatchObject([
    { price: "9.00", price_net: "8.57", tax_rate: "0.05", tax_class: "reduced", weight_g: 850 },
  ]);
  expect(variantsOf("kestrel-c2")).toMatchObject([{ tax_rate: "0.21", tax_class: null, weight_g: null }]);
});

test("the feed has the weight of as many pieces as its price is of, and what each way of delivery at home costs", () => {
  const [, item = ""] = /<g:id>X-case<\/g:id>([\s\S]*?)<\/item>/.exec(read("merchant-feed.xml")) ?? [];
  expect(item).toContain("<g:shipping_weight>10200 g</g:shipping_weight>");
  const shipping = (service: string, price: string) =>
    `<g:shipping>\n<g:country>GB</g:country>\n<g:service>${service}</g:service>\n<g:price>${price} EUR</g:price>\n</g:shipping>\n`;
  expect(item).toContain(shipping("Parcel | post", "11.00") + shipping("Courier", "25.00"));
  expect(item.match(/<g:shipping>/g)).toHaveLength(2);
});

test("both faces say what each way of delivery costs, and where goods can be collected", () => {
  const rows = [
    "| United Kingdom | Parcel \\| post | up to 2 pieces: €7.00; over 2 pieces: €11.00 | €200.00 | 1 to 3 working days |",
    "| United Kingdom | Courier | €25.00 | never free | up to 1 working day |",
    "| France and Germany | Standard delivery | €19.00 | never free | 3 to 6 working days |",
  ];
  expect(read("shipping.md")).toContain(rows.join("\n"));
  for (const face of ["html", "md"])
    expect(read(`shipping.${face}`)).toContain(
      "Collect in London: free, at 1 Test Street, London EC1A 1AA, United Kingdom.",
    );
  expect(read("products/case.md")).toContain(
    "€11.00 to €25.00 by country and way of delivery, in up to 6 working days; or collect it in London, free",
  );
});

test("a page says in both faces who makes the product, who answers for it in the EU, and its warnings", () => {
  const [, part] = /## Maker and safety\n\n(.*?)\n(?=\n## |$)/s.exec(read("products/case.md")) ?? [];
  expect(part).toBe(
    [
      "- Small parts: keep away from children.",
      "Made by: Caseworks Ltd, 1 Case Lane, Leeds, [safety@caseworks.example](mailto:safety@caseworks.example)",
      "Responsible in the EU: Caseworks EU, Kade 1, Utrecht, [caseworks.example/eu](https://caseworks.example/eu/)",
    ].join("\n\n"),
  );
  expect(read("products/case.html")).toContain('<h2 id="safety">Maker and safety</h2>');
  expect(read("products/kestrel-c2.html")).not.toContain("safety");
});

test("what is sold in packs begins with the least of them on its page, in lists and in links", () => {
  const html = read("products/case.html");
  expect(html).toContain("Sold in packs of 6, from 12.");
  expect(read("categories/cases.md")).toContain("[Thing case (refurbished)](");
  expect(read("products/case.md")).toContain("Condition**: Refurbished");
});

test("pages, structured data and Google's feed say the price of a unit, the condition and the least in an order", () => {
  const price = "€8.57 / kg net (€9.00 with tax)";
  for (const file of ["products/case.md", "categories/cases.md", "products/case.html", "categories/cases.html"])
    expect(read(file)).toContain(price);
  const [offer] = readThings(read("products/case.html")).flatMap((thing) => thing["offers"] ?? []) as object[];
  expect(offer).toMatchObject({
    price: "9.00",
    itemCondition: "https://schema.org/RefurbishedCondition",
    eligibleQuantity: { minValue: 12 },
    priceSpecification: {
      referenceQuantity: { value: "1000", unitCode: "GRM", valueReference: { value: "1", unitCode: "KGM" } },
    },
  });
  const feed = read("merchant-feed.xml");
  const item = feed.split("<item>").find((each) => each.includes("/products/case<"));
  for (const line of [
    "<g:price>108.00 EUR</g:price>",
    "<g:unit_pricing_measure>12000 g</g:unit_pricing_measure>",
    "<g:unit_pricing_base_measure>1 kg</g:unit_pricing_base_measure>",
    "<g:condition>refurbished</g:condition>",
  ])
    expect(item).toContain(line);
  expect(feed.match(/unit_pricing|refurbished/g)).toHaveLength(5);
});
