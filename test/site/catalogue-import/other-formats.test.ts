import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { exportCatalogue } from "../../../site/catalogue-import/export-rows.ts";
import { writeContent } from "../content-check/content-tree.ts";
import { csv, errorsOf, importText, plan, snapshot } from "./importing.ts";

let root = "";
beforeEach(() => {
  root = writeContent();
});
afterEach(() => rmSync(root, { recursive: true }));

const cap = {
  ID: "12",
  Type: "variable",
  SKU: "CAP",
  Name: "Cap &amp; brim",
  Published: "1",
  "Short description": "A cap.",
  Description: "Keeps the sun out.\\nAnd the rain.\\n\\n<strong>Felt.</strong>\\n\\n<h2>Sizes</h2>\\nAll.",
  "In stock?": "1",
  "Weight (kg)": "0.12",
  "Regular price": "",
  Categories: "Clothing > Caps, Gifts\\, small",
  Parent: "",
  "Attribute 1 name": "Colour",
  "Attribute 1 value(s)": "Red, Green",
  "Attribute 2 name": "Material",
  "Attribute 2 value(s)": "Felt",
};
const variation = {
  ID: "13",
  Type: "variation",
  SKU: "CAP",
  Name: "Cap - Red",
  Published: "1",
  "In stock?": "1",
  Stock: "4",
  "Regular price": "20",
  "Sale price": "15",
  "Date sale price ends": "2020-01-01",
  Parent: "id:12",
  "Attribute 1 name": "Colour",
  "Attribute 1 value(s)": "Red",
};

test("WooCommerce's products, variations and categories become valid files", async () => {
  const green = {
    ...variation,
    ID: "14",
    SKU: "CAP-G",
    "Sale price": "15",
    "Date sale price ends": "",
    "Attribute 1 value(s)": "Green",
  };
  const grouped = { ...cap, ID: "20", SKU: "SET", Name: "Set", Type: "grouped" };
  const { plan: planned } = await importText(root, csv([cap, variation, green, grouped]));
  expect(planned.leftOut).toEqual([
    expect.objectContaining({ name: "Set", reason: expect.stringContaining("grouped") }),
  ]);
  expect(await errorsOf(root)).toEqual([]);
  const text = readFileSync(join(root, "content/products/caps/cap-brim.md"), "utf8");
  expect(text).toContain("title: Cap & brim\nbrand: Testcounter\nsummary: A cap.\n");
  expect(text).toContain('sku: CAP-BRIM-RED\n    price: "20.00"');
  expect(text).toContain('sku: CAP-G\n    price: "15.00"');
  expect(text).toContain("weight_g: 120\nspecifications:\n  Material: Felt\nalso_in:\n  - gifts-small\n");
  expect(text).toContain("Keeps the sun out.\\\nAnd the rain.\n\n**Felt.**\n\n## Sizes\n\nAll.\n");
  expect(readFileSync(join(root, "content/redirects.csv"), "utf8")).toBe(
    "from,to\n/product/cap-brim,/products/cap-brim\n/?p=12,/products/cap-brim\n",
  );
});

test("links to the WordPress that has WooCommerce's pictures lead to products here", () => {
  const lamp = {
    ...{ ID: "7", Type: "simple", SKU: "L", Name: "Lamp", Published: "1", "In stock?": "1", "Regular price": "9" },
    Images: "https://old.example/wp-content/uploads/lamp.jpg",
    Description: '<p><a href="https://old.example/product/lamp/">Itself</a></p>',
    Parent: "",
  };
  expect(plan(root, csv([lamp])).plan.products.map(({ body }) => body)).toEqual(["[Itself](/products/lamp)"]);
});

const item = (
  id: string,
  more: string,
) => `<item><g:id>${id}</g:id><title>Socks ${id}</title><description>Warm.</description>
<link>https://old.example/socks-${id}?a=1</link><g:image_link>https://cdn.example/${id}.jpg</g:image_link><g:availability>in stock</g:availability>
<g:product_type>Clothing &gt; Socks</g:product_type><g:brand>Fjällby</g:brand>${more}</item>`;
const feed = (items: string) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>x</title>${items}</channel></rss>`;

test("Google's feed is read as XML, with groups as versions, and prices in another currency are left out", () => {
  const xml = feed(
    item(
      "1",
      "<g:price>12.50 EUR</g:price><g:item_group_id>S</g:item_group_id><g:size>38</g:size><g:shipping_weight>0.1 kg</g:shipping_weight>",
    ) +
      item(
        "2",
        "<g:price>EUR 13</g:price><g:item_group_id>S</g:item_group_id><g:size>40</g:size><g:shipping_weight>0.1 kg</g:shipping_weight>",
      ) +
      item("3", "<g:price>12.50 USD</g:price>") +
      item(
        "4",
        "<g:price>7.50 EUR</g:price><g:unit_pricing_measure>750 ml</g:unit_pricing_measure><g:condition>used</g:condition>",
      ),
  );
  const { plan: planned } = plan(root, xml);
  expect(planned.leftOut).toEqual([
    expect.objectContaining({
      name: "Socks 3",
      reason: "has a price in USD, and the shop's currency in store.yaml is EUR",
    }),
  ]);
  const [group, single] = planned.products;
  expect(group?.fields).toMatchObject({
    title: "Socks",
    weight_g: 100,
    variants: [
      { sku: "1", price: "12.50", options: { Size: "38" } },
      { sku: "2", price: "13.00", options: { Size: "40" } },
    ],
  });
  expect(group?.folder).toBe("content/products/socks");
  expect(single?.fields).toMatchObject({ sku: "4", content: { amount: "750", unit: "ml" }, condition: "used" });
  expect(single?.slug).toBe("socks-4");
  expect(planned.pictures.toFetch).toBe(3);
});

test("Google's feed is read as a table", () => {
  const table =
    'id\ttitle\tdescription\tlink\timage link\tavailability\tprice\nA1\tA "quoted" lamp\tBright.\thttps://old.example/lamp\thttps://cdn.example/a.jpg\tpreorder\t9.00 EUR\n';
  const { plan: planned } = plan(root, table);
  expect(planned.products.map(({ fields }) => fields)).toMatchObject([
    { title: 'A "quoted" lamp', sku: "A1", availability: "preorder" },
  ]);
});

test("an export that is imported changes no byte", async () => {
  const before = snapshot(root);
  for (const update of [false, true]) {
    const { plan: planned } = await importText(root, exportCatalogue(root).csv, { update });
    expect([planned.products.length, planned.edited, planned.leftOut]).toEqual([0, [], []]);
  }
  expect({ ...snapshot(root), ".imported.jsonl": undefined }).toEqual({ ...before, ".imported.jsonl": undefined });
});

test("a table with SKUs and prices alone changes prices alone, by --update in files that no import has written", async () => {
  const kestrel = "content/products/barcode-scanners/kestrel-c2.md";
  const osprey = "content/products/barcode-scanners/osprey.md";
  const before = snapshot(root);
  const table = csv(
    [
      { sku: "OSP-WH", price: "1.333,00" },
      { sku: "KES-C2", price: "189.00" },
      { sku: "NONE", price: "1.00" },
    ],
    ";",
  );
  const first = await importText(root, table);
  expect([first.plan.products.length, first.plan.edited, first.plan.unchanged]).toEqual([0, ["osprey"], 1]);
  expect(first.plan.leftOut.map(({ name }) => name)).toEqual(["NONE"]);
  expect(snapshot(root)[osprey]).toBe(before[osprey]);
  await importText(root, table, { update: true });
  expect(snapshot(root)[osprey]).toBe(before[osprey]?.replace("1319.00", "1333.00"));
  expect(snapshot(root)[kestrel]).toBe(before[kestrel]);
});

test("a table makes new products and new versions", async () => {
  const rows = [
    {
      product: "lamp",
      category: "Light > Lamps",
      sku: "L-1",
      price: "9.00",
      title: "Lamp",
      brand: "Lux",
      description_html: "<p>Bright.</p>",
      option1_name: "Colour",
      option1_value: "Red",
      weight_g: "100",
      specifications: "Socket: E27\nReads: [1D, 2D]",
      old_address: "lamp.html",
    },
    { product: "lamp", sku: "L-2", price: "9.50", option1_name: "Colour", option1_value: "Blue", weight_g: "120" },
    {
      product: "osprey",
      sku: "OSP-GR",
      price: "1350.00",
      availability: "in_stock",
      option1_name: "Colour",
      option1_value: "Grey",
    },
  ];
  const { plan: planned } = await importText(root, csv(rows), { update: true });
  expect(planned.leftOut).toEqual([]);
  expect(await errorsOf(root)).toEqual([]);
  expect(readFileSync(join(root, "content/products/lamps/lamp.md"), "utf8")).toContain(
    "specifications:\n  Socket: E27\n  Reads:\n    - 1D\n    - 2D\n",
  );
  expect(readFileSync(join(root, "content/products/barcode-scanners/osprey.md"), "utf8")).toContain("OSP-GR");
});

test("a product whose rows disagree is left out, with the column", async () => {
  const row = { product: "osprey", sku: "OSP-BK", category: "Barcode scanners" };
  const { plan: planned } = plan(root, csv([row, { ...row, sku: "OSP-WH", category: "Printers" }]));
  expect(planned.leftOut).toEqual([
    expect.objectContaining({ reason: expect.stringContaining("several values of `category`") }),
  ]);
});

test.each([
  ["a quote that isn't closed", 'sku,title,price\nA,"Lamp,1.00\nB,C,2.00\n', "isn't closed"],
  ["a quote within a value", 'sku,title,price\nA,19" rack,1.00\n', "line 2 has a quote inside a value"],
  [
    "a value without quotes for its comma",
    "sku,title,price\nA,Lamp, red,1.00\n",
    "line 2 has more values than there are columns",
  ],
  ["a row of 3 million letters", `sku,title,price\nA,"${"x".repeat(3_000_000)}",1.00\n`, "line 2 is longer than"],
  [
    "letters in an old encoding",
    Buffer.from("sku,title,price\nA,Gr\xFCn,1.00\n", "latin1"),
    "Line 2 has letters that aren't in UTF-8",
  ],
  ["a spreadsheet", Buffer.from("PK\x03\x04"), "Save the table as “CSV UTF-8”"],
  ["nothing", "", "The file is empty"],
  ["unknown columns", "a,b\n1,2\n", "of no format that is known: a, b"],
  ["XML that isn't well-formed", "<rss><item></rss>", "isn't well-formed XML"],
  [
    "XML with entities",
    '<!DOCTYPE x [<!ENTITY a "aaaa">]><rss><item><title>&a;</title></item></rss>',
    "defines entities",
  ],
])("a file with %s is refused whole, with the place", (_, text, message) => {
  const before = snapshot(root);
  expect(() => plan(root, text)).toThrow(message);
  expect(snapshot(root)).toEqual(before);
});

test("Excel's UTF-16 with tabs is read, and so is UTF-8 with a mark", () => {
  const text = "\uFEFFsku\tprice\nKES-C2\t199.00\n";
  for (const bytes of [Buffer.from(text, "utf16le"), Buffer.from(text.replaceAll("\t", ";"))])
    expect(plan(root, bytes).plan.edited).toEqual(["kestrel-c2"]);
});

test("a file that can't be read as content names itself, and nothing is written", () => {
  writeFileSync(join(root, "content/store.yaml"), "name: [");
  expect(() => plan(root, "sku,price\nA,1.00\n")).toThrow("content/store.yaml:");
});
