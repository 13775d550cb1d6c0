import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOnce } from "../../built-shops.ts";
import { copyWithContent, newProduct, validContent } from "../content-check/content-tree.ts";

const font = readFileSync(
  join(
    import.meta.dirname,
    "../../../site/node_modules/@fontsource/familjen-grotesk/files/familjen-grotesk-latin-700-normal.woff2",
  ),
);

// Slugs with a special meaning to Astro or a web server, and more products than fit on one page of a category.
const slugs = ["404", "500", "index", ...Array.from({ length: 60 }, (_, index) => `extra-${index}`)];
const guide = (title: string, text: string) =>
  `---\ntitle: ${title}\nsummary: On ${title}.\nupdated: 2026-10-02\n---\n${text}\n`;
const table = "| A | B |\n| - | - |\n| 1 | 2 |";
// A shop of so many files is built with threads.
const drafts = Array.from({ length: 560 }, (_, index) => `later-${index}`);
const added = {
  // A folder without a file of its kind.
  "makers/.gitkeep": "",
  ...Object.fromEntries(
    drafts.map((slug) => [`products/barcode-scanners/${slug}.md`, newProduct(slug, "189.00", "draft: true")]),
  ),
  ...Object.fromEntries(slugs.map((slug) => [`products/barcode-scanners/${slug}.md`, newProduct(slug)])),
  "categories/barcode-scanners.md": (validContent["categories/barcode-scanners.md"] ?? "").replace(
    "order: 10",
    "order: 10\nformerly: [scanners]",
  ),
  "guides/tables.mdx": guide("Tables", `${table}\n\n![A round table](./round.svg)\n\n![A long one](./round.svg)`),
  "guides/round.svg": validContent["products/barcode-scanners/osprey.svg"] ?? "",
  "pages/returns.md": (validContent["pages/returns.md"] ?? "")
    .replace("updated:", `questions:\n  - question: Which?\n    answer: |\n${table.replace(/^/gm, "      ")}\nupdated:`)
    .replace("Send it back.", `${table}\n\nOr:\n\n${table}`),
  // Slugs in other scripts than ASCII's, with marks and letters that can be written apart.
  "categories/नापने-के-यंत्र.md": (validContent["categories/barcode-scanners.md"] ?? "")
    .replace("Barcode scanners", "नापने के यंत्र")
    .replace("order: 10", "order: 90"),
  "products/नापने-के-यंत्र/נעל.md": newProduct("hebrew", "189.00", "formerly: [נעל-ישנה]").replace("Thing hebrew", "נעל"),
  "products/नापने-के-यंत्र/größe-ä.md": `${newProduct("german")}\n[Shoe](/products/%D7%A0%D7%A2%D7%9C)\n`,
  "pages/μέτρα.md": (validContent["pages/about.md"] ?? "").replace("About us", "Μέτρα"),
  "redirects.csv": "\uFEFFfrom,to\r\n/product/old/,/products/größe-ä#content\r\n/?p=5,\r\n",
  // A look of its own, and files that are served as they are.
  "theme.css": ".site-header { background: url(/tile.png) }",
  "static/tile.png": "png",
  "static/favicon.ico": "icon",
  "static/index-1a2b.html": "<title>Another's</title>",
  "static/.well-known/association": '{"a":1}',
  "static/.well-known/proof": "7B22",
  "sans.woff2": font,
  "store.yaml": `${validContent["store.yaml"]}security:\n  contact: mailto:a@test.example\n  expires: 2026-01-31\nlook: { corner: 0, fonts: { body: ./sans.woff2 } }\n`,
};

let root = "";
let output = "";

const read = (path: string) => readFileSync(join(root, "site/dist", path), "utf8");

beforeAll(async () => {
  root = copyWithContent(added);
  ({ output } = await buildOnce(root, { BASE_URL: "https://built.example" }));
});

afterAll(() => rmSync(root, { recursive: true }));

test("a build outside git says once that pages have no dates", () => {
  expect(output.match(/Pages without `updated` have no date.*/g)).toEqual([
    expect.stringContaining("this folder isn't in a git repository"),
  ]);
});

test("a build of valid content has no warning from Astro or Vite", () => {
  expect(output).not.toContain("[WARN]");
});

test("each table on a page has a unique label", () => {
  const labels = [...read("returns.html").matchAll(/<section class="scroll"[^>]* aria-label="([^"]*)"/g)];
  expect(labels.map(([, label]) => label)).toEqual(["Table 1", "Table 2", "Answers, table 1"]);
});

test("the list of guides shows the first figure of each that has one, beside its title", () => {
  const guides = read("guides.html").match(/<article>[\s\S]*?<\/article>/g) ?? [];
  const pictures = guides.map((each) => [/guides\/(\w+)/.exec(each)?.[1], each.match(/<img [^>]*>/g)]);
  expect(Object.fromEntries(pictures)).toEqual({
    choosing: null,
    tables: [expect.stringMatching(/alt=""/)],
  });
  expect(read("guides.md")).not.toContain("![");
});

test("the sheet of /admin is the shop's tokens, and then its own rules", () => {
  expect(read("admin/admin.css")).toMatch(/--accent: #0b5750;[\s\S]*body > main/);
});

test("each group of links in the footer is a landmark with its own label", () => {
  const footer = /<footer.*<\/footer>/s.exec(read("returns.html"))?.[0] ?? "";
  const labels = [...footer.matchAll(/<nav aria-label="([^"]*)"/g)].map(([, label]) => label);
  expect(labels).toEqual(["Ordering and help", "About the shop", "For developers and agents"]);
});

test("every page of the shop is built, including reserved slugs", () => {
  const pages = [
    "index",
    "404",
    "410",
    "about",
    "shipping",
    "developers",
    "guides",
    "guides/choosing",
    "categories/barcode-scanners",
  ];
  const products = ["kestrel-c2", "osprey", "404", "500", "index"].map((slug) => `products/${slug}`);
  for (const page of [...pages, ...products]) expect(existsSync(join(root, `site/dist/${page}.html`)), page).toBe(true);
  expect(read("products/404.html")).toContain("<h1>Thing 404</h1>");
});

test("a category page shows 24 products", () => {
  const cards = (page: string) => read(page).match(/<article class="card/g)?.length;
  expect(cards("categories/barcode-scanners.html")).toBe(24);
  expect(cards("categories/barcode-scanners/page/3.html")).toBe(17);
  expect(read("categories/barcode-scanners/page/2.html")).toContain(
    '<link rel="canonical" href="https://built.example/categories/barcode-scanners/page/2">',
  );
});

test("a renamed category's former address redirects to the new one, page by page, and spellings apart to the one", () => {
  expect(decodeURI(read(".moved/list.txt")).split("\n")).toEqual([
    "/με\u0301τρα /μέτρα",
    "/categories/scanners /categories/barcode-scanners",
    "/categories/scanners/page/2 /categories/barcode-scanners/page/2",
    "/categories/scanners/page/3 /categories/barcode-scanners/page/3",
    "/products/נעל-ישנה /products/נעל",
    "/products/gro\u0308ße-a\u0308 /products/größe-ä",
    "/products/kestrel-c1 /products/kestrel-c2",
    "",
  ]);
});

test("old addresses are in one file for nginx", () => {
  const rows = read(".moved/rows");
  expect(rows).toContain(" p /products/gr%C3%B6%C3%9Fe-%C3%A4#content\n");
  expect(rows).toContain(" p=5 gone\n");
  expect(rows).toContain(" ?p\n");
  expect(existsSync(join(root, "site/dist/.moved/home"))).toBe(true);
});

test("pages with letters beyond ASCII are in both faces, and every absolute address of them is percent-encoded", () => {
  const encoded = "https://built.example/products/%D7%A0%D7%A2%D7%9C";
  const page = read("products/נעל.html");
  expect(page).toContain(`<link rel="canonical" href="${encoded}">`);
  expect(page).toContain(`href="${encoded}.md"`);
  expect(read("products/נעל.md")).toContain(`url: "${encoded}"\n`);
  for (const file of ["sitemap.xml", "products.json", "merchant-feed.xml", "llms.txt", "llms-full.txt"]) {
    const text = read(file);
    expect([file, text.match(/https:\/\/built\.example[^\s"<>)]*[^ -~\s]/)]).toEqual([file, null]);
    if (file !== "llms.txt") expect([file, text.includes(encoded)]).toEqual([file, true]);
  }
  expect(existsSync(join(root, "site/dist/products/נעל.html.br"))).toBe(true);
  expect(existsSync(join(root, "site/dist/categories/नापने-के-यंत्र/compare.md"))).toBe(true);
  expect(existsSync(join(root, "site/dist/μέτρα.md"))).toBe(true);
});

test("a shop whose security contact has expired is built without security.txt, with a warning", () => {
  expect(existsSync(join(root, "site/dist/.well-known/security.txt"))).toBe(false);
  expect(output).toContain("content/store.yaml:20: security, expires 2026-01-31 has passed");
  expect(output).toContain("1 warning in content/.");
});

test("the API catalogue uses the shop's address", () => {
  const { linkset } = JSON.parse(read(".well-known/api-catalog"));
  expect(linkset.map(({ anchor }: { anchor: string }) => anchor)).toContain("https://built.example/api/orders");
});

test("a page names its canonical URL, its Markdown twin and llms.txt", () => {
  const head = read("index.html");
  expect(head).toContain('<link rel="canonical" href="https://built.example/">');
  expect(head).toContain('<link rel="alternate" type="text/markdown" href="https://built.example/index.md">');
  expect(head).toContain('href="/llms.txt"');
  for (const page of ["404.html", "410.html"]) {
    expect(read(page)).not.toContain('rel="canonical"');
    expect(read(page)).toContain('<meta name="robots" content="noindex');
    expect(read("sitemap.xml") + read("llms.txt")).not.toContain(`built.example/${page.slice(0, 3)}`);
  }
  expect(read("410.md")).toContain("# This page is gone");
});

test("a product page has one H1, the price as text and an order link with the SKU", () => {
  const page = read("products/kestrel-c2.html");
  expect(page.match(/<h1/g)).toHaveLength(1);
  expect(page).toMatch(/€156\.20<\/strong>\s+<span class="tax">net \(€189\.00 with 21% tax\)</);
  expect(page).toContain("In stock");
  expect(page).toContain("mailto:sales@test.example?subject=Order%20KES-C2&");
});

test("a variant that is out of stock has a link to ask about it instead of an order link", () => {
  const page = read("products/osprey.html");
  expect(page).toMatch(/subject=Order%20OSP-BK&[^>]*>\s*Order OSP-BK by email\s*</);
  expect(page).toMatch(/subject=Ask%20about%20OSP-WH&[^>]*>\s*Ask about OSP-WH by email\s*</);
});

test("the Markdown of a product says how to order", () => {
  for (const slug of ["kestrel-c2", "osprey"])
    expect(read(`products/${slug}.md`)).toContain("To order, write to [sales@test.example](mailto:sales@test.example)");
});

test("each picture of a product has a button that opens it as large as the window", () => {
  const page = read("products/kestrel-c2.html");
  const [, src = ""] =
    /<img src="(\/_astro\/[^"]+\.svg)".{1,200}<button[^>]* popovertarget="picture-1"/s.exec(page) ?? [];
  expect(src).not.toBe("");
  expect(page).toMatch(new RegExp(`id="picture-1" popover[^>]*>\\s*<img src="${src}"`));
});

test("structured data has the price of each variant as a string", () => {
  const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(read("products/osprey.html")) ?? [];
  const data: unknown = JSON.parse(json);
  expect(data).toMatchObject({
    "@type": "ProductGroup",
    productGroupID: "osprey",
    variesBy: ["https://schema.org/color"],
    hasVariant: [
      {
        sku: "OSP-BK",
        gtin13: "2000000000022",
        color: "Black",
        offers: [{ price: "1299.00", availability: "https://schema.org/BackOrder" }],
      },
      {
        sku: "OSP-WH",
        color: "White",
        offers: [{ price: "1319.00", priceCurrency: "EUR", priceSpecification: { valueAddedTaxIncluded: true } }],
      },
    ],
  });
});

test("a shop without shipping and returns settings publishes no terms, and links to its pages about them", () => {
  const page = read("products/osprey.html");
  expect(page + read("index.html")).not.toMatch(/hasShippingService|MerchantReturnPolicy/);
  expect(read("merchant-feed.xml")).not.toContain("g:shipping");
  expect(page).toMatch(/<a href="\/shipping">\s*see what it costs\s*<\/a>/);
  expect(page).toMatch(/<a href="\/returns">\s*see how they work\s*<\/a>/);
});

test("a product page has no script or inline style, and its HTML and CSS fit in 14 KB", () => {
  const page = read("products/osprey.html");
  expect(page.match(/<script(?! type="application\/ld\+json")/g)).toBeNull();
  expect(page).not.toContain("style=");
  // A third is for paper.
  const sheets = [...page.matchAll(/<link rel="stylesheet" href="([^"]+)">/g)].map(([, href]) => href ?? "");
  expect(sheets).toHaveLength(2);
  const sizes = ["products/osprey.html", ...sheets].map(
    (path) => readFileSync(join(root, "site/dist", `${path}.br`)).length,
  );
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(14_000);
});

test("the shop's own look is on every page: its font from here, its corners, and its own rules after all others", () => {
  const sheets = ["index.html", "products/extra-1.html", "404.html", ".session/basket.liquid"].map((page) =>
    Array.from(read(page).matchAll(/<link rel="stylesheet" href="([^"]+)"(?! media)/g), ([, href = ""]) => href),
  );
  for (const [, own = ""] of sheets)
    expect(read(own)).toMatch(/\}\.site-header\{background:url\("?\/tile\.png"?\)\}\s*$/);
  expect(sheets.map((hrefs) => hrefs.length)).toEqual([2, 2, 2, 2]);
  expect(output).not.toMatch(/tile\.png/);
  const shared = read(sheets[0]?.[0] ?? "");
  expect(shared).toMatch(/--radius: ?0(?:px)?[;}]/);
  const [, file = ""] = /font-family:"?Shop text"?;src:url\("?(\/_astro\/[\w-]+\.woff2)/.exec(shared) ?? [];
  expect(readFileSync(join(root, "site/dist", file)).equals(font)).toBe(true);
});

test("files that are served as they are stand apart from pages, and the icon is every page's", () => {
  expect(read(".static/index-1a2b.html")).toBe("<title>Another's</title>");
  expect(existsSync(join(root, "site/dist/.static/index-1a2b.md"))).toBe(false);
  expect([read(".static/.json/.well-known/association"), read(".static/.well-known/proof")]).toEqual([
    '{"a":1}',
    "7B22",
  ]);
  const [, icon = ""] = /<link rel="icon" type="image\/x-icon" href="([^"]+)"/.exec(read("about.html")) ?? [];
  expect([read(icon), read(".static/favicon.ico")]).toEqual(["icon", "icon"]);
  expect(read("sitemap.xml") + read("llms-full.txt")).not.toMatch(/index-1a2b|Another's/);
});
