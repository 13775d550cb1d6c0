import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeContent } from "../content-check/content-tree.ts";
import { csv, errorsOf, importText, plan, snapshot } from "./importing.ts";

let root = "";
let pictures = "";
beforeEach(async () => {
  root = writeContent();
  pictures = join(root, "pictures");
  mkdirSync(pictures);
  const photograph = (colour: string) =>
    sharp({ create: { width: 600, height: 600, channels: 3, background: colour } })
      .jpeg()
      .toBuffer();
  writeFileSync(join(pictures, "tee-red.jpg"), await photograph("red"));
  writeFileSync(join(pictures, "tee-blue.jpg"), await photograph("blue"));
});
afterEach(() => rmSync(root, { recursive: true }));

const bell = {
  Handle: "Glocke_Klein",
  Title: "Klingel „klein“",
  "Body (HTML)": "",
  Vendor: "Tornby",
  Type: "Zubehör > Klingeln",
  "Option1 Name": "Title",
  "Option1 Value": "Default Title",
  "Variant SKU": "",
  "Variant Grams": "85.0",
  "Variant Inventory Tracker": "shopify",
  "Variant Inventory Qty": "0",
  "Variant Inventory Policy": "continue",
  "Variant Price": "9.5",
  "Variant Barcode": "'2000000000503",
  Status: "active",
};
const tee = {
  Handle: "wool-tee",
  Title: "Wool Tee",
  "Body (HTML)": `<h1>Warm</h1><p>Made of <b>wool</b>. It keeps warm when wet.</p><script>alert(1)</script><h4>Care</h4><ul><li>Cold wash</li></ul>
    <p><a href="/products/Glocke_Klein">A bell</a>, <a href="https://Wool.myshopify.com/products/Glocke_Klein">again</a>, <a href="/pages/sizes">sizes</a>, <a href="javascript:x()">no</a>, <a href="http://wool.example/a">wool</a></p><iframe src="https://video.example"></iframe>`,
  Vendor: "Fjällby",
  Type: "Clothing",
  "Option1 Name": "Size",
  "Option1 Value": "S",
  "Option2 Name": "Colour",
  "Option2 Value": "Red",
  "Variant SKU": "TEE-S-RED",
  "Variant Grams": "180",
  "Variant Price": "39.00",
  "Variant Compare At Price": "49.00",
  "Image Src": "https://cdn.example/files/tee-red.jpg?v=1",
  "Image Position": "1",
  "Image Alt Text": "The tee in red",
  "Variant Image": "https://cdn.example/files/tee-red.jpg?v=1",
  Status: "active",
};
const second = {
  Handle: "wool-tee",
  "Option1 Value": "M",
  "Option2 Value": "Blue",
  "Variant SKU": "TEE M BLÅ",
  "Variant Grams": "190",
  "Variant Price": "41.00",
  "Image Src": "https://cdn.example/files/tee-blue.jpg?v=1",
  "Image Position": "2",
  "Variant Image": "https://cdn.example/files/tee-blue.jpg?v=1",
};
const shopify = csv([bell, tee, second]);
const TEE = "content/products/clothing/wool-tee.md";

test("Shopify's products become valid files with categories, pictures, versions and redirects", async () => {
  const { plan: planned, done } = await importText(root, shopify, { pictures });
  expect(planned.leftOut).toEqual([]);
  expect([done.products, done.pictures, done.lost]).toEqual([2, 2, []]);
  expect(await errorsOf(root)).toEqual([]);
  expect(readFileSync(join(root, TEE), "utf8")).toBe(`---
title: Wool Tee
brand: Fjällby
summary: Made of wool.
images:
  - src: ./wool-tee-1.jpg
    alt: The tee in red
  - src: ./wool-tee-2.jpg
    alt: Wool Tee
variants:
  - sku: TEE-S-RED
    price: "39.00"
    availability: in_stock
    options:
      Size: S
      Colour: Red
    image: ./wool-tee-1.jpg
    weight_g: 180
  - sku: TEE-M-BLA
    price: "41.00"
    availability: in_stock
    options:
      Size: M
      Colour: Blue
    image: ./wool-tee-2.jpg
    weight_g: 190
---
## Warm

Made of **wool**. It keeps warm when wet.

### Care

- Cold wash

[A bell](/products/glocke-klein), [again](/products/glocke-klein), sizes, no, [wool](https://wool.example/a)
`);
  const small = readFileSync(join(root, "content/products/klingeln/glocke-klein.md"), "utf8");
  expect(small).toContain(
    'sku: GLOCKE-KLEIN\ngtin: "2000000000503"\nprice: "9.50"\navailability: backorder\nwhen_sold_out: backorder\nweight_g: 85\n',
  );
  expect(small).toContain("src: ./glocke-klein-1.svg");
  expect(readFileSync(join(root, "content/categories/klingeln.md"), "utf8")).toContain("parent: zubehor\n");
  expect(readFileSync(join(root, "content/redirects.csv"), "utf8")).toBe(
    "from,to\n/products/Glocke_Klein,/products/glocke-klein\n",
  );
  expect(readFileSync(join(root, "import-pieces.csv"), "utf8")).toBe("sku,pieces\nGLOCKE-KLEIN,0\n");
  expect([...planned.notes.keys()]).toEqual(
    expect.arrayContaining([
      "A version without a SKU got one.",
      "A compare-at price was left out: this shop doesn't cross out prices.",
      "A video or frame in a description was left out.",
      "A link to a page of the old shop that isn't here was left out.",
    ]),
  );
  expect(readFileSync(join(root, "import-report.txt"), "utf8")).toContain(
    "A version without a SKU got one. (1)\n  Klingel „klein“\n",
  );
});

test("a second import of the same file changes nothing", async () => {
  await importText(root, shopify, { pictures });
  const before = snapshot(root);
  const { plan: planned } = await importText(root, shopify);
  expect([planned.products.length, planned.unchanged]).toEqual([0, 2]);
  expect(snapshot(root)).toEqual(before);
});

test("a changed export changes what nobody has edited, and with --update what somebody has", async () => {
  await importText(root, shopify, { pictures });
  const dearer = shopify.replace('"39.00"', '"44.00"');
  const first = await importText(root, dearer);
  expect([first.plan.products.length, first.done.pictures]).toEqual([1, 0]);
  expect(readFileSync(join(root, TEE), "utf8")).toContain('price: "44.00"');

  const edited = readFileSync(join(root, TEE), "utf8")
    .replace("weight_g: 180", "weight_g: 180 # weighed")
    .replace("Cold wash", "Wash cold");
  writeFileSync(join(root, TEE), edited);
  const second = await importText(root, shopify);
  expect([second.plan.products.length, second.plan.edited]).toEqual([0, ["Wool Tee"]]);
  expect(readFileSync(join(root, TEE), "utf8")).toBe(edited);

  await importText(root, shopify, { update: true });
  const updated = readFileSync(join(root, TEE), "utf8");
  expect(updated).toContain('price: "39.00"');
  expect(updated).toContain("weight_g: 180 # weighed");
  expect(updated).toContain("- Cold wash");
});

test("pictures that couldn't be had are asked for again, and a placeholder goes when one is there", async () => {
  const folder = join(root, "none");
  mkdirSync(folder);
  const named = shopify.replaceAll(/https:\/\/cdn\.example\/files\/([\w-]+\.jpg)\?v=1/g, "$1");
  const first = await importText(root, named, { pictures: folder });
  expect([first.plan.pictures.missing, first.done.lost.length]).toEqual([2, 2]);
  expect(readFileSync(join(root, TEE), "utf8")).toContain("src: ./wool-tee-1.svg");
  const second = await importText(root, named, { pictures });
  expect([second.plan.products.length, second.done.pictures]).toEqual([1, 2]);
  expect(readFileSync(join(root, TEE), "utf8")).toContain("src: ./wool-tee-1.jpg");
  expect(existsSync(join(root, "content/products/clothing/wool-tee-1.svg"))).toBe(false);
  expect((await importText(root, named)).plan.unchanged).toBe(2);

  // New addresses that lead nowhere don't take the pictures that are there.
  const before = readFileSync(join(root, TEE), "utf8").split("variants:")[0];
  const moved = await importText(root, named.replaceAll(/tee-(red|blue)\.jpg/g, "new-$1.jpg"));
  expect(moved.done.lost).toHaveLength(2);
  expect(readFileSync(join(root, TEE), "utf8").split("variants:")[0]).toBe(before);
  expect(await errorsOf(root)).toEqual([]);
});

test("what somebody has deleted stays deleted, until --update", async () => {
  await importText(root, shopify, { pictures });
  rmSync(join(root, TEE));
  expect((await importText(root, shopify.replace('"39.00"', '"44.00"'))).plan.edited).toEqual(["Wool Tee"]);
  expect(existsSync(join(root, TEE))).toBe(false);
  await importText(root, shopify, { update: true });
  expect(existsSync(join(root, TEE))).toBe(true);
});

test("a product that was written and not remembered before a kill is written again, with its own pictures", async () => {
  await importText(root, shopify, { pictures });
  const before = snapshot(root);
  const memory = before[".imported.jsonl"]?.trim().split("\n") ?? [];
  // Killed after the journal's first line, once before and once after the file was there, and in the middle of a line.
  for (const isThere of [false, true]) {
    const begun = memory.map((line) => line.replace(/\}$/, ',"begun":true}')).join("\n");
    writeFileSync(join(root, ".imported.jsonl"), `${begun}\n{"key":"shop`);
    if (!isThere) rmSync(join(root, TEE));
    const { plan: planned } = await importText(root, shopify, { pictures });
    expect(planned.edited).toEqual([]);
    expect(snapshot(root)[TEE]).toBe(before[TEE]);
    expect(Object.keys(snapshot(root))).toEqual(Object.keys(before));
  }
});

test("the columns of today's exports are read too", async () => {
  const names: Record<string, string> = {
    ...{ Handle: "URL handle", "Body (HTML)": "Description", "Variant SKU": "SKU", "Variant Price": "Price" },
    ...{
      "Variant Grams": "Weight value (grams)",
      "Image Src": "Product image URL",
      "Variant Image": "Variant image URL",
    },
    ...{ "Image Alt Text": "Image alt text", "Image Position": "Image position", "Option1 Name": "Option1 name" },
    ...{ "Option1 Value": "Option1 value", "Option2 Name": "Option2 name", "Option2 Value": "Option2 value" },
    ...{ "Variant Compare At Price": "Compare-at price" },
  };
  const renamed = [tee, second].map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [names[name] ?? name, value])),
  );
  await importText(root, csv([tee, second]), { pictures });
  const old = readFileSync(join(root, TEE), "utf8");
  rmSync(root, { recursive: true });
  writeContent({}, root);
  mkdirSync(join(root, "pictures"));
  const { plan: planned } = plan(root, csv(renamed));
  expect(planned.leftOut).toEqual([]);
  expect(planned.products[0]?.fields["variants"]).toHaveLength(2);
  expect(old).toContain(String(planned.products[0]?.body));
});

test.each([
  ["no price", [{ ...bell, "Variant Price": "" }], "has no price"],
  ["a price of zero", [{ ...bell, "Variant Price": "0.00" }], "has no price"],
  ["a formula for a price", [{ ...bell, "Variant Price": "=1+1" }], "isn't an amount in EUR"],
  ["a handle that is used twice", [bell, tee, { ...bell, Title: "Another bell" }], "has a handle that another product"],
  ["a gift card", [{ ...bell, "Gift Card": "true" }], "is a gift card"],
  [
    "2,000 versions",
    Array.from({ length: 2000 }, (_, index) => ({ ...tee, "Option1 Value": `S${index}`, "Variant SKU": `T${index}` })),
    "variants has more than 400",
  ],
])("a product with %s is left out with the reason, and the others are taken over", (_, rows, reason) => {
  const good = { ...tee, Handle: "other", Title: "Other tee", "Variant SKU": "OTHER" };
  const { plan: planned } = plan(root, csv([...(rows as Record<string, string>[]), good]));
  expect(planned.leftOut).toEqual([expect.objectContaining({ reason: expect.stringContaining(reason) })]);
  expect(planned.products.map(({ slug }) => slug)).toContain("other");
});

test("formulas stay text, and hostile HTML, names and numbers do no harm", async () => {
  const hostile = {
    ...bell,
    Handle: "../../../etc/passwd",
    Title: '=HYPERLINK("https://evil.example")\u202Etxt',
    "Body (HTML)": `<p onclick="x()">Text <img src=x onerror=alert(1)> &lt;script&gt; {import} <Foo bar="1" /> import x from "y"</p><style>p{}</style>${"<div>".repeat(50)}deep`,
    Vendor: "<b>Bold</b> &amp; Co",
    Type: "__proto__",
    "Image Src": "https://169.254.169.254/latest/meta-data",
  };
  const deep = { ...bell, Handle: "deep", Title: "Deep", "Body (HTML)": "<div>".repeat(50_000) };
  const { plan: planned, done } = await importText(root, csv([hostile, deep]));
  expect(done.products).toBe(2);
  expect(await errorsOf(root)).toEqual([]);
  const [first] = planned.products;
  expect(first?.fields).toMatchObject({ title: '=HYPERLINK("https://evil.example")txt', brand: "Bold & Co" });
  expect(first?.file).toBe("content/products/proto/etc-passwd.md");
  expect([...planned.notes.keys()].join("\n")).toContain("is at a private address (169.254.169.254)");
  expect([...planned.notes.keys()].join("\n")).toContain("more than 100 deep");
});
