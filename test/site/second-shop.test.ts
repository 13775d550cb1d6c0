import { cpSync, globSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSite, copyWorkspace } from "../workspace.ts";

const ROOT = join(import.meta.dirname, "../..");
const root = copyWorkspace("twinfront second shop-");
const dist = join(root, "site/dist");
const read = (file: string) => readFileSync(join(dist, file), "utf8");

beforeAll(async () => {
  rmSync(join(root, "content"), { recursive: true });
  cpSync(join(ROOT, "test/fixtures/second-shop/content"), join(root, "content"), { recursive: true });
  await buildSite(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Words by which the demo shop would be known: its name, addresses, people, money, makers. */
function wordsOfTheDemoShop(): string[] {
  const text = (file: string) => readFileSync(join(ROOT, "content", file), "utf8");
  const store = text("store.yaml");
  const field = (name: string) => new RegExp(`^ *${name}: "?(.+?)"?$`, "m").exec(store)?.[1] ?? "";
  const own = ["name", "tagline", "description", "sales_email", "phone", "legal_name", "street", "city"].map(field);
  const products = globSync("products/*/*.md", { cwd: join(ROOT, "content") });
  const brands = products.map((file) => /^brand: (.+)$/m.exec(text(file))?.[1] ?? "");
  return [...own, ...new Set(brands), "shop.example", "€"];
}

test("another store.yaml is another shop: no file of it has a word of the demo shop", () => {
  const words = wordsOfTheDemoShop();
  expect(words.length).toBeGreaterThan(15);
  expect(words).not.toContain("");
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(html|md|json|txt|xml|css|js|svg|map)$|api-catalog$/.test(file),
  );
  expect(files.length).toBeGreaterThan(30);
  const found = files.flatMap((file) => {
    const text = read(file);
    // An order of a company has a VAT number, whatever the shop's own tax is called.
    const short = /\bEUR\b/.exec(text) ?? (file === "openapi.json" ? null : /\bVAT\b/.exec(text)) ?? [];
    return [...words.filter((word) => text.includes(word)), ...short].map((word) => `${file}: ${word}`);
  });
  expect(found).toEqual([]);
});

test("its money, tax and days are those of its locale and currency, in both faces", () => {
  for (const face of ["html", "md"]) {
    const page = read(`products/yama.${face}`);
    expect(page).toContain("from ￥24,800");
    expect(page).toContain("incl. 10% consumption tax");
    expect(page).toContain("February 1, 2099");
  }
  expect(read("products/kawa.md")).toMatch(/^price: "9800"\ncurrency: "JPY"$/m);
  expect(read("merchant-feed.xml")).toContain("<g:price>31000 JPY</g:price>");
  expect(read("shipping.md")).toMatch(/Japan[^\n]*￥800[^\n]*￥20,000/);
  expect(read("index.html")).toContain('<html lang="en-JP">');
});

test("its sign stands in the header, in the tab and in its structured data", () => {
  const home = read("index.html");
  const [, sign = ""] = /<img class="store-logo" src="([^"]+\.svg)"/.exec(home) ?? [];
  expect(read(sign)).toBe(readFileSync(join(root, "content/kettle.svg"), "utf8"));
  expect(home).toContain(`<link rel="icon" type="image/svg+xml" href="${sign}">`);
  expect(home).toContain(`"logo":"https://asagiri.test${sign}"`);
});

test("its other places on the web are in the footer and in its structured data", () => {
  const home = read("index.html");
  expect(home).toMatch(/<a href="https:\/\/social\.test\/@asagiri" rel="me">\s*Mastodon\s*<\/a>/);
  expect(home).toContain('"sameAs":["https://social.test/@asagiri"]');
});

test("what its home page is asked is answered in both faces and in its structured data", () => {
  const home = read("index.html");
  expect(home).toMatch(/<h3 id="q-do-you-repair-kettles">Do you repair kettles\?<\/h3>\s*<p>Yes, <a href="\/contact">/);
  expect(home).toContain(
    '"name":"Do you repair kettles?","acceptedAnswer":{"@type":"Answer","text":"Yes, write to us."}',
  );
  expect(read("index.md")).toContain("### Do you repair kettles?\n\nYes, [write to us](https://asagiri.test/contact).");
});

test("its colours come after those of the program, on light and on dark screens", () => {
  const [, sheet = ""] = /<link rel="stylesheet" href="([^"]+)"/.exec(read("index.html")) ?? [];
  const accents = [...read(sheet).matchAll(/--accent: ?(#[0-9a-f]{6})/g)].map(([, colour]) => colour);
  expect(accents.slice(-2)).toEqual(["#8a1c3d", "#f2a3b8"]);
});

test("the published description of the API has examples of this shop", () => {
  const text = read("openapi.json");
  expect(text).toContain('"example": "https://asagiri.test/products/');
  expect(text).toContain('"example": "JPY"');
});
