import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { copyWorkspace, shops } from "../../workspace.ts";

const store = `name: Testcounter
tagline: Things to test with
description: A shop that exists only in tests.
base_url: https://test.example
locale: en-GB
currency: EUR
prices_include_tax: true
tax: { home: GB, rates: { GB: "0.21" }, export: [DE, FR] }
sales_email: sales@test.example
phone: "+44 20 7946 0123"
company:
  legal_name: Testcounter Ltd
  street: 1 Test Street
  city: London
  postal_code: "EC1A 1AA"
  country_code: GB
  registration: "01234567"
`;

const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"><rect width="40" height="30"/></svg>\n';

const kestrel = `---
title: Kestrel C2 cordless scanner
brand: Kestrel
summary: Reads 1D and 2D codes.
images:
  - src: ./kestrel-c2.svg
    alt: The Kestrel C2 in its cradle
sku: "KES-C2"
gtin: "2000000000015"
price: "189.00"
availability: in_stock
specifications:
  Reads: 1D and 2D codes
formerly: [kestrel-c1]
updated: 2026-10-02
---

## What it does

It scans. See [shipping](/shipping#costs).
`;

const ospreyVariants = `variants:
  - sku: "OSP-BK"
    gtin: "2000000000022"
    price: "1299.00"
    availability: backorder
    options: { Colour: Black }
    available_from: 2099-01-11
  - sku: "OSP-WH"
    price: "1319.00"
    availability: out_of_stock
    options: { Colour: White }
`;

const osprey = kestrel
  .replaceAll("Kestrel C2 cordless scanner", "Osprey area scanner")
  .replace(/ {2}- src: (.*)\n {4}alt: (.*)/, "  - { src: $1, alt: $2 }")
  .replace(/sku:[\s\S]*in_stock\n/, ospreyVariants)
  .replace("formerly: [kestrel-c1]\n", "");

const category =
  "---\ntitle: Barcode scanners\nsummary: Scanners for the counter.\norder: 10\n---\n\nHow to choose one.\n";

const page = (title: string, body: string) =>
  `---\ntitle: ${title}\nsummary: About ${title.toLowerCase()}.\nupdated: 2026-10-01\n---\n\n${body}\n`;

/** A small valid shop: path below content/ to text. */
export const validContent: Readonly<Record<string, string>> = {
  "store.yaml": store,
  "categories/barcode-scanners.md": category,
  "products/barcode-scanners/kestrel-c2.md": kestrel,
  "products/barcode-scanners/kestrel-c2.svg": picture,
  "products/barcode-scanners/osprey.md": osprey.replace("kestrel-c2.svg", "osprey.svg"),
  "products/barcode-scanners/osprey.svg": picture,
  "guides/choosing.mdx": page(
    "Choosing",
    'Take [this one](/products/osprey) or this:\n\n<ProductCard sku="KES-C2" />\n\n<Callout kind="tip">\n\nAsk us.\n\n</Callout>',
  ),
  "pages/home.md": page("Home", "Welcome.").replace(
    "updated:",
    "scene:\n  src: ../products/barcode-scanners/kestrel-c2.svg\n  alt: A scanner\nupdated:",
  ),
  "pages/about.md": page("About us", "We test. [Choosing](/guides/choosing)."),
  "pages/contact.md": page("Contact", "Write to us."),
  "pages/shipping.md": page("Shipping", "## Costs\n\nNothing."),
  "pages/returns.md": page("Returns", "Send it back."),
  "pages/terms.md": page("Terms", "We sell, you pay."),
};

/** The mails that a shop with `payment` needs besides. */
export const mails: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(join(shops.demo, "mails")).map((name) => [
    `mails/${name}`,
    readFileSync(join(shops.demo, "mails", name), "utf8"),
  ]),
);

/** Another product for the valid shop, in any category, without a GTIN; `more` is a line of its front matter. */
export const newProduct = (slug: string, price = "189.00", more = "updated: 2026-10-02") =>
  kestrel
    .replaceAll("Kestrel C2 cordless scanner", `Thing ${slug}`)
    .replace("KES-C2", `X-${slug}`)
    .replace("./kestrel-c2.svg", "../barcode-scanners/kestrel-c2.svg")
    .replace(/gtin:.*\n|formerly:.*\n/g, "")
    .replace("189.00", price)
    .replace("updated: 2026-10-02", more);

type Changes = Readonly<Record<string, string | Uint8Array | null>>;

/** Writes the valid shop with `changes` (null leaves a file out) to content/ in a new or given folder. Returns that folder. */
export function writeContent(
  changes: Changes = {},
  folder = mkdtempSync(join(tmpdir(), "twinfront-content-")),
): string {
  for (const [path, text] of Object.entries({ ...validContent, ...changes })) {
    if (text === null) continue;
    const file = join(folder, "content", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return folder;
}

/** Copies the project, with the valid shop and `changes` as its content. The caller removes it. Returns its path. */
export function copyWithContent(changes?: Changes, prefix?: string): string {
  return writeContent(changes, copyWorkspace(null, prefix));
}
