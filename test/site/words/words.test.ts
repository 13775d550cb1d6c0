import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import forEditors from "../../../site/admin/words/de.ts";
import { wordsFor } from "../../../site/admin/words/words-for.ts";
import germanOnPrivatePages from "../../../site/src/private-pages/words/de.ts";
import englishOnPrivatePages from "../../../site/src/private-pages/words/en.ts";
import inGerman from "../../../site/src/words/de.ts";
import inEnglish, { type Language, type Words } from "../../../site/src/words/en.ts";
import { grammarOf } from "../../../site/src/words/grammar.ts";
import { readLiterals } from "./astro-literals.ts";
import { readSentences } from "./sentences.ts";

const site = join(import.meta.dirname, "../../../site/src");
const folder = join(site, "words");
const languages: [name: string, speak: Language][] = await Promise.all(
  globSync("[a-z][a-z].ts", { cwd: folder }).map(async (file) => {
    const { default: speak }: { default: Language } = await import(join(folder, file));
    return [basename(file, ".ts"), speak];
  }),
);
const english = readSentences(inEnglish);

test("the site's words are available in English and German", () => {
  expect(languages.map(([name]) => name)).toEqual(expect.arrayContaining(["de", "en"]));
});

test.each(languages)("%s has every text, with the same values as English", (_name, speak) => {
  const sentences = readSentences(speak);
  expect(english.size).toBeGreaterThan(150);
  expect([...sentences.keys()]).toEqual([...english.keys()]);
  for (const [path, { texts, values }] of sentences) {
    expect([path, texts.join("").trim()]).not.toEqual([path, ""]);
    expect([path, values]).toEqual([path, english.get(path)?.values]);
  }
});

test("numbers and plurals follow the locale", () => {
  const british = inEnglish(grammarOf("en-GB"));
  const [german, swiss] = [inGerman(grammarOf("de-DE")), inGerman(grammarOf("de-CH"))];
  const counts = [1, 2, 2500];
  expect(counts.map((count) => british.category.products(count))).toEqual([
    "1 product",
    "2 products",
    "2,500 products",
  ]);
  expect(counts.map((count) => german.category.products(count))).toEqual(["1 Produkt", "2 Produkte", "2.500 Produkte"]);
  expect(swiss.category.products(2500)).toBe(`${new Intl.NumberFormat("de-CH").format(2500)} Produkte`);
  const spans = [
    { min: 1, max: 1 },
    { min: 2, max: 2 },
    { min: 1, max: 3 },
  ];
  expect(spans.map((span) => german.delivery.first("CH", "9 €", span))).toEqual([
    "CH: Lieferung in 1 Werktag, 9 €",
    "CH: Lieferung in 2 Werktagen, 9 €",
    "CH: Lieferung in 1 bis 3 Werktagen, 9 €",
  ]);
  expect(spans.map((span) => british.delivery.days(span))).toEqual([
    "1 working day",
    "2 working days",
    "1 to 3 working days",
  ]);
});

test("plurals use the forms that the language's rules require", () => {
  // Polish has the forms few and many, unlike English.
  const days = { one: "{count} dzień", few: "{count} dni", many: "{count} dni!", other: "{count} dnia" };
  const { plural, range } = grammarOf("pl-PL");
  expect([1, 2, 5].map((count) => plural(count, days))).toEqual(["1 dzień", "2 dni", "5 dni!"]);
  expect(range({ min: 2, max: 5 }, days, { few: "{min}–{max} few", many: "{min}–{max} many", other: "" })).toBe(
    "2–5 many",
  );
});

test("no sentence ends in the tax's name, which may have a full stop of its own", () => {
  for (const [name, speak] of languages)
    expect([name, speak(grammarOf(name)).llms.prices("V.A.T.")]).toEqual([name, expect.not.stringContaining("..")]);
  for (const words of [englishOnPrivatePages, germanOnPrivatePages])
    expect(JSON.stringify(words)).not.toContain("{tax}.");
});

test("German is written as in Germany, with ß and „ “", () => {
  const ours = [...readSentences(inGerman).values()].flatMap(({ texts }) => texts);
  const texts = JSON.stringify([ours, germanOnPrivatePages, forEditors]).replaceAll(/\{\w+\}/g, "");
  expect(texts).toMatch(/größte.*Straße/s);
  const swiss =
    /[«»‹›]|\p{L}*(?:stra|gr[oöuü]|[fhl]ie|[hwl]ei|f[uü]|m[aä]|sü|blo)ss\p{L}*|\p{L}*auss(?:er|en)\p{L}*/giu;
  expect(texts.match(swiss)).toBeNull();
});

/** The words of a shop's static pages. */
async function pageWords(locale: string): Promise<Words> {
  vi.resetModules();
  vi.doMock("../../../site/src/settings/shop.ts", () => ({ shop: { locale } }));
  // Other files may share this process.
  onTestFinished(() => vi.doUnmock("../../../site/src/settings/shop.ts"));
  const { words } = await import(join(folder, "words.ts"));
  return words;
}

test("a shop in Switzerland or Liechtenstein writes ss and « » on its pages, in functions and plural forms too", async () => {
  const [german, swiss] = [await pageWords("de-DE"), await pageWords("de-CH")];
  expect(german.product.enlarge(1)).toBe("Bild 1 vergrößern");
  expect(swiss.product.enlarge(1)).toBe("Bild 1 vergrössern");
  expect(swiss.product.largestSide.sheet(2)).toContain("Die grösste Seite ist so gross wie 2 Blatt A4");
  expect(german.scripts.comparison.quoted).toBe("„{name}“");
  expect((await pageWords("de-LI")).scripts.comparison.quoted).toBe("«{name}»");
});

test("editors of a Swiss shop read ss", () => {
  const [german, swiss] = ["de-DE", "de-CH"].map((locale) => wordsFor(locale).cms.fields.street);
  expect([german, swiss]).toEqual(["Straße", "Strasse"]);
});

test("components, layouts and pages take all their words from the language files", () => {
  const templates = globSync("**/*.astro", { cwd: site });
  expect(templates.length).toBeGreaterThan(40);
  const found = templates.flatMap((file) =>
    readLiterals(readFileSync(join(site, file), "utf8")).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test("the search for words covers a component's text, attributes, expressions and code", () => {
  const template =
    '---\nconst columns = ["Price of it"];\nif (!columns) throw new Error("no columns");\n---\n<p title="Some" class="A b">{columns} hello {columns && <b aria-label={`Two`}>{"or"}</b>}</p>\n';
  expect(readLiterals(template).sort()).toEqual(["Price of it", "Some", "Two", "hello", "or"]);
});
