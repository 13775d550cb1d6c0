import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WordTree } from "../../../api/contract/words.ts";
import { findVariant } from "../../../api/people/search/find.ts";
import { readCatalogue } from "../../../api/selling/catalogue/catalogue-file.ts";
import { importProducts } from "../../../api/selling/catalogue/import.ts";
import { quote } from "../../../api/selling/quote/quote.ts";
import { readShopFactsFile } from "../../../api/selling/shop/facts-file.ts";
import { storeShopFacts } from "../../../api/selling/shop/queries.ts";
import { parseShop } from "../../../site/content-schema/shop.ts";
import { shopFacts } from "../../../site/private-pages/store-facts.ts";
import { english, translations } from "../../../site/words/languages.ts";
import { speak } from "../../../site/words/spoken.ts";
import { wordsIn } from "../../../site/words/words-in.ts";
import { startApi } from "../../api/api.ts";
import { chooseEveryVersion } from "../../api/people/product/every-version.ts";
import { openBuiltSearch } from "../../api/people/search/search-file.ts";
import { variantAt } from "../../api/selling/quote/shop.ts";
import { buildOnce } from "../../built-shops.ts";
import { readContent, readProducts, readThings } from "../../facts.ts";
import { findDisagreements, foundAs } from "../../surfaces.ts";
import { buildSite, copyWorkspace, shops } from "../../workspace.ts";
import { readTexts } from "../words/sentences.ts";

const root = copyWorkspace(shops.second);
const dist = join(root, "site/dist");
const read = (file: string) => readFileSync(join(dist, file), "utf8");

beforeAll(async () => {
  await buildOnce(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Words that identify the demo shop: its name, addresses, brands and currency. */
function wordsOfTheDemoShop(): string[] {
  const text = (file: string) => readFileSync(join(shops.demo, file), "utf8");
  const store = text("store.yaml");
  const field = (name: string) => new RegExp(`^ *${name}: "?(.+?)"?$`, "m").exec(store)?.[1] ?? "";
  const own = ["name", "tagline", "description", "sales_email", "phone", "legal_name", "street", "city"].map(field);
  const products = globSync("products/*/*.md", { cwd: shops.demo });
  const brands = products.map((file) => /^brand: (.+)$/m.exec(text(file))?.[1] ?? "");
  return [...own, ...new Set(brands), "shop.example", "€"];
}

test("another store.yaml makes another shop, without a word of the demo shop in any file", () => {
  const words = wordsOfTheDemoShop();
  expect(words.length).toBeGreaterThan(15);
  expect(words).not.toContain("");
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) =>
    /^(?!developers|llms-full).*\.(html|md|json|txt|xml|css|js|svg|map)$|api-catalog$/.test(file),
  );
  expect(files.length).toBeGreaterThan(30);
  const found = files.flatMap((file) => {
    const text = read(file);
    // A company may have a VAT number even where the shop's tax has another name: so the API describes it, and so the
    // checkout asks for it.
    const hasVat = /^(?:openapi\.json|\.session\/words\.json)$/.test(file);
    const short = /\bEUR\b/.exec(text) ?? (hasVat ? null : /\bVAT\b/.exec(text)) ?? [];
    return [...words.filter((word) => text.includes(word)), ...short].map((word) => `${file}: ${word}`);
  });
  expect(found).toEqual([]);
});

/** The site's texts that are English only: words of at least four letters, and sentences. */
function englishOnly(): string[] {
  const textsOf = (words: WordTree) =>
    readTexts(words)
      .filter(([key]) => /^(?:pages|scripts)\./.test(key))
      .flatMap(([, texts]) => texts.map(lettersOnly));
  const german = ` ${textsOf({ ...translations["de"] }).join(" ")} `;
  return [...new Set(textsOf(english))].filter((text) => /\p{L}{4}/u.test(text) && !german.includes(` ${text} `));
}

/** A text without digits and punctuation. */
const lettersOnly = (text: string) => text.replace(/[^\p{L}]+/gu, " ").trim();

/** The words people read in a file, without the names of elements, attributes, JSON fields and files. */
const readableText = (text: string) =>
  lettersOnly(
    text
      .replaceAll(/(?<=<[^>]*\s(?:alt|aria-label|content|placeholder|title)=")([^"]*)(?=")/g, '">$1<"')
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/"@?\w+":|^\w+:(?= )|\w+_\w+|\{\w+\}|\S*\/\S*/gm, " "),
  );

test("a German shop's pages, Markdown and feeds contain none of the site's English texts", () => {
  const sentences = englishOnly();
  expect(sentences.length).toBeGreaterThan(150);
  // The pages about the API are in English, in llms.txt too, and so are its own descriptions, in tables with German headings.
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) =>
    /^(?!developers|llms-full).*\.(?:html|md)$|^(?:llms|robots)\.txt$|^merchant-feed\.xml$/.test(file),
  );
  for (const page of ["index", "404", "search", "guides", "guides/first-kettle", "products/yama", "categories/kettles"])
    expect(files).toEqual(expect.arrayContaining([`${page}.html`, `${page}.md`]));
  const found = files.flatMap((file) => {
    const text = ` ${readableText(read(file).replaceAll(/^.*\/developers-.*$/gm, ""))} `;
    return sentences.filter((sentence) => text.includes(` ${sentence} `)).map((sentence) => `${file}: ${sentence}`);
  });
  expect(found).toEqual([]);
  expect(read("developers-endpoints.md")).toContain("| Methode | Pfad | Zugang | Zweck |");
  expect(read("developers-fields.md")).toContain("| Feld | Typ | Bedeutung |");
  expect(read("llms-full.txt")).toContain("# Asagiri Teegeschirr: alle Seiten im Volltext\n");
});

test("the pages about the API are the program's, in English, and the shop's own text stands above one of them", () => {
  const html = read("developers.html");
  expect(html).toMatch(
    /<h1>Für Entwickler<\/h1>\s*<p class="lead">Was Programme fragen dürfen\.<\/p>\s*<div class="prose">\s*<p>Schreiben Sie uns[^<]*<\/p>\s*<\/div>\s*<div class="prose" lang="en">/,
  );
  expect(html).toContain('<h2 id="quick-start">');
  expect(read("developers.md")).toMatch(/\nSchreiben Sie uns[^#]*- \*\*Begin\*\*/);
  expect(read("developers-loop.html")).toContain('<h1 lang="en">A program that pulls orders</h1>');
});

test("the search for English texts covers text, titles and placeholders", () => {
  const page = '<p title="In stock">Auf Lager</p><input placeholder="Sort by"><p>Updated <b>heute</b></p>';
  const text = ` ${readableText(page)} `;
  const found = englishOnly().filter((sentence) => text.includes(` ${sentence} `));
  expect(found.sort()).toEqual(["In stock", "Sort by", "Updated"]);
});

test("every version has the same facts on all pages of a German shop, in its feeds, the search and the API", async () => {
  const products = readContent(shops.second);
  const german = { locale: "de-DE", pages: speak(english.pages, wordsIn("de-DE").pages, "de-DE") };
  // A category of one product has no comparison.
  const answer = async (path: string) => {
    const file = /\.\w+$/.test(path) ? path : `${path}.html`;
    return existsSync(join(dist, file)) ? read(file) : "";
  };
  const categories = readdirSync(join(shops.second, "categories")).map((file) => file.replace(".md", ""));
  expect(await findDisagreements(answer, { products, categories }, german)).toEqual([]);
  const versions = [...products.values()].flat();
  const index = openBuiltSearch(dist);
  expect(versions.map(({ sku }) => foundAs(findVariant(index, sku), "JPY"))).toEqual(versions);
  const { db, get } = await startApi();
  await importProducts(db, await readCatalogue(join(dist, "products.json")));
  expect(readProducts((await get("/api/products")).json())).toEqual(readProducts(JSON.parse(read("products.json"))));
});

test("every version is chosen by its options: its address, its pills and what a form adds", async () => {
  const sessionPages = join(dist, ".session");
  const { app, db } = await startApi({ sessionPages });
  await importProducts(db, await readCatalogue(join(dist, "products.json")));
  await storeShopFacts(db, await readShopFactsFile(join(sessionPages, "store.json")));
  const { count, mistakes } = await chooseEveryVersion(app, dist);
  expect(mistakes).toEqual([]);
  expect(count).toBe(2);
});

test("prices, tax and dates follow the shop's locale and currency in both faces", () => {
  for (const face of ["html", "md"]) {
    const page = read(`products/yama.${face}`);
    expect(page).toContain("ab 22.545\u00a0¥");
    expect(page).toContain("24.800\u00a0¥ inkl. 10\u00a0% Verbrauchsteuer");
    expect(page).toContain("1. Februar 2099");
  }
  expect(read("products/kawa.md")).toMatch(/^price: "9800"\ncurrency: "JPY"$/m);
  expect(read("merchant-feed.xml")).toContain("<g:price>31000 JPY</g:price>");
  expect(read("shipping.md")).toMatch(/Japan[^\n]*800\u00a0¥[^\n]*20\.000\u00a0¥/);
  expect(read("index.html")).toContain('<html lang="de-DE">');
});

test("delivery times are until arrival, as the basket says them, and structured data has their two parts", () => {
  const facts = shopFacts(parseShop(readFileSync(join(shops.second, "store.yaml"), "utf8")), false);
  const [home, abroad] = ["JP", "DE"].map((country) => {
    const to = { country, postal_code: null, vat_check: null };
    return quote(facts, [{ variant: variantAt("24800"), quantity: 1 }], to).shipping.days;
  });
  expect([home, abroad]).toEqual([
    { min: 2, max: 4 },
    { min: 6, max: 9 },
  ]);
  for (const face of ["html", "md"]) {
    expect(read(`products/yama.${face}`)).toContain("Lieferzeit 2–9 Werktage");
    expect(read(`index.${face}`)).toContain("Japan: Lieferung in 2 bis 4 Werktagen");
    expect(read(`shipping.${face}`)).toMatch(/2–4 Werktage.*6–9 Werktage/s);
    expect(read(`shipping.${face}`)).toContain("Keine Lieferung nach: Büsingen, Helgoland und Samnaun.");
  }
  const shopItself = readThings(read("index.html")).find((thing) => thing["@type"] === "Organization");
  const day = ([minValue, maxValue]: number[]) => ({ duration: { minValue, maxValue, unitCode: "DAY" } });
  const yen = { currency: "JPY" };
  expect(shopItself?.["hasShippingService"]).toMatchObject({
    handlingTime: day([1, 2]),
    shippingConditions: [
      { orderValue: { maxValue: "19999", ...yen }, shippingRate: { value: "800", ...yen }, transitTime: day([1, 2]) },
      { orderValue: { minValue: "20000", ...yen }, shippingRate: { value: "0", ...yen }, transitTime: day([1, 2]) },
      { shippingRate: { value: "2400", ...yen }, transitTime: day([5, 7]) },
    ],
  });
});

test("the shop's logo appears in the header, the browser tab and the structured data", () => {
  const home = read("index.html");
  const [, sign = ""] = /<img class="store-logo" src="([^"]+\.svg)"/.exec(home) ?? [];
  const saved = readFileSync(join(root, "content/kettle.svg"), "utf8");
  expect(read(sign).trim()).toBe(saved.replace("<title>A kettle</title>", "").trim());
  expect(home).toContain(`<link rel="icon" type="image/svg+xml" href="${sign}">`);
  expect(home).toContain(`"logo":"https://asagiri.test${sign}"`);
});

test("the shop's social profiles appear in the footer and in the structured data", () => {
  const home = read("index.html");
  expect(home).toMatch(/<a href="https:\/\/social\.test\/@asagiri" rel="me">\s*Mastodon\s*<\/a>/);
  expect(home).toContain('"sameAs":["https://social.test/@asagiri"]');
});

test("the home page's questions are answered in both faces and in the structured data", () => {
  const home = read("index.html");
  expect(home).toMatch(/<h3 id="q-reparieren-sie-kessel">Reparieren Sie Kessel\?<\/h3>\s*<p>Ja, <a href="\/contact">/);
  expect(home).toContain(
    '"name":"Reparieren Sie Kessel?","acceptedAnswer":{"@type":"Answer","text":"Ja, schreiben Sie uns."}',
  );
  expect(read("index.md")).toContain(
    "### Reparieren Sie Kessel?\n\nJa, [schreiben Sie uns](https://asagiri.test/contact).",
  );
});

test("the home page shows the chosen products first, then the newest, each version with price and stock", () => {
  const home = read("index.md");
  const [, featured = "", newest = ""] = home.split(/^## (?:Unsere Auswahl|Neu im Sortiment)$/m);
  expect(featured).toContain("[Kawa");
  expect(featured).not.toContain("[Yama");
  expect(newest).toContain("[Yama Eisenkessel](https://asagiri.test/products/yama)");
  expect(newest.replaceAll("\u00a0", " ")).toMatch(
    /1,2 l: .*24\.800 ¥.* · Auf Lager; 1,8 l: .*31\.000 ¥.* · Vorbestellbar/,
  );
  expect(read("index.html").match(/id="(?:featured|newest)"/g)).toEqual(['id="featured"', 'id="newest"']);
});

test("the shop's colours override the default ones on light and dark screens", () => {
  const [, sheet = ""] = /<link rel="stylesheet" href="([^"]+)"/.exec(read("index.html")) ?? [];
  const accents = [...read(sheet).matchAll(/--accent: ?(#[0-9a-f]{6})/g)].map(([, colour]) => colour);
  expect(accents.slice(-2)).toEqual(["#8a1c3d", "#f2a3b8"]);
});

test("the field for the quantity takes no more than an order does", () => {
  expect(read("products/yama.html")).toMatch(/<input id="quantity"[^>]* min="1" max="12" /);
});

test("versions are chosen with German words, and each has a link to order it in both faces", () => {
  const page = read("products/yama.html");
  expect(page).toMatch(/<form class="order" id="add-to-basket" method="post" action="\/cart\/lines">/);
  expect(page).toContain('<input type="hidden" name="product" value="yama">');
  const pills = ["1,2 l", "1,8 l"].map((size, index) => `name="o1" id="o1-${index + 1}" value="${size}" required>`);
  // A size is never chosen beforehand.
  for (const pill of pills) expect(page).toContain(`<input type="radio" ${pill}`);
  expect(page).toContain("Bitte wählen: Größe");
  expect(page).toMatch(/In den Warenkorb\s*<\/button>/);
  const link = "[Bestelllink für HOS-YAMA-18](https://asagiri.test/buy/HOS-YAMA-18:1)";
  expect(read("products/yama.md")).toContain(link);
  expect(read("products/yama.md")).not.toContain("Warenkorb");
  expect(read("products/yama.md")).toContain("Vorbestellungen bezahlen Sie bei der Bestellung");
});

test("the footer has the basket and the ways to pay, and the shop's own pages in groups", () => {
  const footer = read("index.html").split("<footer")[1] ?? "";
  const words = footer.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  expect(words).toMatch(
    /Bestellung und Hilfe Warenkorb Bestellung finden .*Über den Shop .*Zahlungsarten Banküberweisung/,
  );
});

test("the published API description has examples from the shop", () => {
  const text = read("openapi.json");
  expect(text).toContain('"example": "https://asagiri.test/products/');
  expect(text).toContain('"example": "JPY"');
});

// Keep this test last: it rebuilds the shop.
test("a third language takes a folder, and is English where it lacks a word, which the check names", async () => {
  const folder = join(root, "site/words/fr");
  mkdirSync(folder);
  writeFileSync(join(folder, "pages.ts"), 'export default { product: { similar: "Produits similaires" } };\n');
  writeFileSync(join(folder, "private-pages.ts"), 'export default { basket: { title: "Votre panier" } };\n');
  const languages = join(root, "site/words/languages.ts");
  const added = `import frPages from "./fr/pages.ts";\nimport frPrivatePages from "./fr/private-pages.ts";\n`;
  const listed = "  fr: { pages: frPages, private_pages: frPrivatePages },\n  de: {";
  writeFileSync(languages, added + readFileSync(languages, "utf8").replace("  de: {", listed));
  const store = join(root, "content/store.yaml");
  writeFileSync(store, readFileSync(store, "utf8").replace("locale: de-DE", "locale: fr-CH"));
  const { output } = await buildSite(root);
  expect(output).toContain("site/words/fr/pages.ts: ");
  expect(output).toContain("words are missing, so English ones are shown: frame.home, frame.skip, ");
  const page = read("products/yama.html");
  expect(page).toContain('<html lang="fr-CH">');
  expect(page).toContain("1 février 2099");
  expect(page).toContain(">Produits similaires</h2>");
  expect(page).toContain("Skip to content");
  const { basket } = JSON.parse(read(".session/words.json")).words;
  expect([basket.title, basket.browse]).toEqual(["Votre panier", "Browse the shop"]);
});
