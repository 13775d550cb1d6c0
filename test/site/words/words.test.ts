import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { completeWords, makeSay, type WordTree } from "../../../api/contract/words.ts";
import { wordsFor } from "../../../site/admin/words.ts";
import { formatProblem, listErrors, listWarnings } from "../../../site/content-check/problem.ts";
import { compareWords, findLanguageProblems } from "../../../site/content-check/words.ts";
import { english, translations } from "../../../site/words/languages.ts";
import { spell } from "../../../site/words/spelling.ts";
import { speak } from "../../../site/words/spoken.ts";
import { documentLanguage, foreignWords } from "../../../site/words/text-language.ts";
import { wordsIn } from "../../../site/words/words-in.ts";
import { readLiterals } from "./astro-literals.ts";
import { readTexts } from "./sentences.ts";
import type { scriptWords, words } from "./words.ts";

const site = join(import.meta.dirname, "../../../site/src");
const store = { file: "content/store.yaml", line: 5 };

test("every language has every word, with the same places as English", () => {
  expect(Object.keys(translations)).toContain("de");
  for (const language of Object.keys(translations)) expect(findLanguageProblems(language, store)).toEqual([]);
  expect(readTexts(english).length).toBeGreaterThan(600);
  for (const [key, texts] of [...readTexts(english), ...readTexts(translations as WordTree)])
    expect([key, texts.join("")]).not.toEqual([key, ""]);
});

test("the check names what a language lacks, what it has too much, and places that can't be filled", () => {
  const words = {
    basket: {
      title: "Basket",
      pieces: { one: "{count} piece", other: "{count} pieces" },
      greeting: "Hello {name}!",
      empty: "None",
    },
    ask: "<link>Ask us</link>",
  };
  const own = { basket: { titel: "Panier", pieces: "des pièces", greeting: "Bonjour {nom}!", empty: " " } };
  const warning = { isWarning: true };
  expect(compareWords(words, words, "de")).toEqual([]);
  expect(compareWords(words, own, "fr")).toEqual([
    { message: "3 words are missing, so English ones are shown: basket.title, basket.empty, ask.", ...warning },
    { message: "basket.titel isn't one of the shop's words. Did you mean `basket.title`?", ...warning },
    { message: "basket.pieces lacks {count}, which the English word has.", ...warning },
    { message: "basket.greeting has {nom}. It can't be filled. The English word has: {name}." },
    { message: "basket.greeting lacks {name}, which the English word has.", ...warning },
  ]);
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`word${index}`, "x"]));
  expect(compareWords(many, {}, "fr")[0]?.message).toMatch(/^12 words .* word8, word9, and 2 others\.$/);
});

test("the check names what would be read as it's written: places with spaces, tags without their partners", () => {
  const words = {
    greeting: "Hello {name}!",
    ask: "<link>Ask us</link>",
    wait: "Please wait.",
    pair: "<a><b>x</b></a>",
  };
  const messages = (own: WordTree) =>
    compareWords(words, { ...words, ...own }, "fr").map(({ message, isWarning = false }) => [message, isWarning]);
  expect(messages({ ask: "<link>Écrivez\nnous</link>" })).toEqual([]);
  expect(messages({ greeting: "Bonjour {name }!" })).toEqual([
    ["greeting has {name }. Write {name}, without spaces.", false],
  ]);
  expect(messages({ ask: "<link>Écrivez" })).toEqual([["ask has <link> without </link>.", false]]);
  expect(messages({ ask: "Écrivez</link>" })).toEqual([["ask has </link> without <link>.", false]]);
  expect(messages({ pair: "<a>x<b>y</a></b>" })).toEqual([
    ["pair has <b> without </b>.", false],
    ["pair has </b> without <b>.", false],
  ]);
  expect(messages({ ask: "Écrivez" })).toEqual([["ask lacks <link>, which the English word has.", true]]);
  expect(messages({ wait: "<br>" })).toEqual([
    ["wait has <br>. It can't be filled. The English word has: none.", false],
    ["wait has <br> without </br>.", false],
  ]);
});

test("the check names plural forms that a language has and a word lacks", () => {
  const words = { days: { one: "{count} day", other: "{count} days" }, weeks: "Weeks: {count}" };
  expect(compareWords(words, words, "pl").map(({ message }) => message)).toEqual([
    'days lacks the plural forms few, many, which "pl" has: `other` is shown instead.',
  ]);
  expect(compareWords(words, { ...words, days: { other: "Dni: {count}" } }, "pl")).toEqual([]);
  expect(compareWords(words, { ...words, weeks: { few: "{count}", other: "{count}" } }, "ja")).toEqual([]);
});

test("the check names the language of a file that was copied", () => {
  expect(compareWords({ language: "en" }, { language: "de" }, "fr")).toEqual([
    { message: 'language is "de". Write "fr".' },
  ]);
  expect(compareWords({ language: "en" }, { language: "fr-CA" }, "fr")).toEqual([]);
});

test("a word that is null is a missing one", () => {
  const words = { basket: { title: "Basket" }, day: { one: "day", other: "days" } };
  for (const own of [
    { basket: { title: null }, day: { one: null, other: "jours" } },
    { basket: null, day: null },
  ]) {
    expect(compareWords(words, own as unknown as WordTree, "fr").map(({ message }) => message)).toEqual([
      "2 words are missing, so English ones are shown: basket.title, day.",
    ]);
    expect(completeWords(words, own as unknown as WordTree)).toEqual(words);
  }
});

test("a problem of a language file has no line, and isn't counted as one in content/", () => {
  const found = { file: "site/words/fr/pages.ts", message: "1 word is missing." };
  expect(formatProblem(found)).toBe("site/words/fr/pages.ts: 1 word is missing.");
  expect(listErrors([formatProblem(found)])).toMatch(/\n1 error\.\n$/);
  expect(listWarnings([formatProblem(found), "content/a.md:1: x"])).toMatch(/\n2 warnings\.\n$/);
});

test("what a language lacks is English, word by word", () => {
  const own = { basket: { title: "Panier", empty: "" }, order: "a word in the place of a section" };
  const words = { basket: { title: "Basket", empty: "It’s empty." }, order: { title: "Order" } };
  expect(completeWords(words, own)).toEqual({ ...words, basket: { title: "Panier", empty: "It’s empty." } });
  expect(wordsIn("fr-CH")).toEqual(english);
  const ours = { pages: { frame: { home: "Großer Anfang" } } };
  expect(wordsIn("de-CH", ours).pages.frame).toEqual({ ...wordsIn("de-CH").pages.frame, home: "Großer Anfang" });
});

test("numbers and plurals follow the locale", () => {
  const inLocale = (locale: string) => speak(english.pages, wordsIn(locale).pages, locale);
  const [british, german, swiss] = [inLocale("en-GB"), inLocale("de-DE"), inLocale("de-CH")];
  const counts = [1, 2, 2500];
  expect(counts.map((count) => british.category.products({ count }))).toEqual([
    "1 product",
    "2 products",
    "2,500 products",
  ]);
  expect(counts.map((count) => german.category.products({ count }))).toEqual([
    "1 Produkt",
    "2 Produkte",
    "2.500 Produkte",
  ]);
  expect(swiss.category.products({ count: 2500 })).toBe(`${new Intl.NumberFormat("de-CH").format(2500)} Produkte`);
  expect(british.category.severalOnPage({ title: "Hubs", min: 1000, max: 1023, count: 2500 })).toBe(
    "Hubs: products 1,000 to 1,023 of 2,500.",
  );
});

test("plurals use the forms that the language's rules require, by the end of a range too", () => {
  // Polish has the forms few and many, unlike English.
  const say = makeSay("pl-PL");
  const days = { one: "{count} dzień", few: "{count} dni", many: "{count} dni!", other: "{count} dnia" };
  expect([1, 2, 5].map((count) => say(days, { count }))).toEqual(["1 dzień", "2 dni", "5 dni!"]);
  expect(say({ few: "{min}–{max} few", many: "{min}–{max} many", other: "" }, { min: 2, max: 5 })).toBe("2–5 many");
});

test("a place, a wrapped part or a number without its value is an error, never an empty place", () => {
  const say = makeSay("en-GB");
  const wrap = (text: string) => `[${text}]`;
  expect(say("{a}: <link>Ask {b}</link>", { a: "{b}", b: "<link>us</link>", link: wrap })).toBe(
    "{b}: [Ask <link>us</link>]",
  );
  expect(say("<link>Ask\nus</link>", { link: wrap })).toBe("[Ask\nus]");
  for (const count of ["two", "", Number.NaN])
    expect(() => say("{count} days", { count })).toThrow('"{count} days" needs a number for count.');
  for (const values of [{}, { a: undefined }, { a: null }])
    expect(() => say("from {a}", values)).toThrow('"from {a}" needs a value for a.');
  expect(() => say({ one: "{count} day", other: "{count} days" })).toThrow("needs a value for count");
  expect(() => say("{toString}")).toThrow("needs a value for toString");
  for (const link of [undefined, "/contact"])
    expect(() => say("<link>Ask us</link>", { link })).toThrow("needs a function for link");
});

test("a call with a wrong place, or of a word without places, is a type error", () => {
  const { category, frame } = speak(english.pages, english.pages, "en-GB");
  // @ts-expect-error: the place is called page.
  expect(() => category.page({ title: "Hubs", number: 2 })).toThrow("needs a value for page");
  // @ts-expect-error: a number is counted.
  expect(category.products({ count: "2" })).toBe("2 products");
  // @ts-expect-error: there is no such word.
  expect(frame.hom).toBe(undefined);
});

test("no sentence ends in the tax's name, which may have a full stop of its own", () => {
  expect(JSON.stringify([english, translations])).not.toContain("{tax}.");
});

test("German is written as in Germany, with ß and „ “", () => {
  const texts = JSON.stringify(translations["de"]).replaceAll(/\{\w+\}|<\/?\w+>/g, "");
  expect(texts).toMatch(/größere.*Straße/s);
  const swiss =
    /[«»‹›]|\p{L}*(?:stra|gr[oöuü]|[fhl]ie|[hwl]ei|f[uü]|m[aä]|sü|blo)ss\p{L}*|\p{L}*auss(?:er|en)\p{L}*/giu;
  expect(texts.match(swiss)).toBeNull();
});

/** The words of a shop's static pages and of their scripts. */
async function pageWords(locale: string): Promise<{ words: typeof words; scriptWords: typeof scriptWords }> {
  vi.resetModules();
  vi.doMock("../../../site/src/settings/shop.ts", () => ({ shop: { locale } }));
  vi.doMock("../../../site/src/settings/own-words.ts", () => ({ ownWords: {} }));
  // Other files may share this process.
  onTestFinished(() => {
    vi.doUnmock("../../../site/src/settings/shop.ts");
    vi.doUnmock("../../../site/src/settings/own-words.ts");
  });
  return import(join(site, "words/words.ts"));
}

test("a shop in Switzerland or Liechtenstein writes ss and « » on its pages, in plural forms too", async () => {
  const [german, swiss] = [await pageWords("de-DE"), await pageWords("de-CH")];
  expect(german.words.product.enlarge({ picture: 1 })).toBe("Bild 1 vergrößern");
  expect(swiss.words.product.enlarge({ picture: 1 })).toBe("Bild 1 vergrössern");
  expect(spell({ streets: { one: "{count} Straße", other: "{count} Straßen" } }, "de-CH").streets.other).toBe(
    "{count} Strassen",
  );
  expect(german.scriptWords.comparison.quoted).toBe("„{name}“");
  expect((await pageWords("de-LI")).scriptWords.comparison.quoted).toBe("«{name}»");
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

test("a page says its language, its direction where that isn't the usual one, and which words are in another language", () => {
  expect(documentLanguage("en-GB")).toEqual({ lang: "en-GB" });
  expect(documentLanguage("he-IL")).toEqual({ lang: "he-IL", dir: "rtl" });
  expect(["en-GB", "de-CH", "he-IL", "sv-SE"].map((locale) => foreignWords(locale))).toEqual([
    ...[undefined, undefined, "en", "en"],
  ]);
  expect(foreignWords("sv-SE", { pages: { frame: { home: "Hem" } } })).toBe("en");
  expect(foreignWords("sv-SE", { pages: english.pages })).toBe(undefined);
});
