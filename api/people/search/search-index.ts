import { setImmediate } from "node:timers/promises";
import type { Category, Page, Product, SearchFile, Version } from "../../contract/built-files/search.ts";
import { WEIGHT } from "./ranking.ts";
import { type Mend, makeMend } from "./spelling.ts";
import { makeStem, squeeze, type Token, tokenize } from "./tokens.ts";

export interface ProductEntry {
  kind: "product";
  product: Product;
  category: Category | undefined;
}

/** What can be found. */
export type Entry = ProductEntry | { kind: "guide" | "page"; page: Page } | { kind: "category"; category: Category };

/** Everything that can be found, in memory. */
export interface SearchIndex {
  file: SearchFile;
  entries: readonly Entry[];
  /** The place of each entry among equals, from 0. */
  places: Int32Array;
  /** By term: a word's stem, or the stems of several that belong together with blanks between. See `pack`. */
  postings: ReadonlyMap<string, readonly number[]>;
  /** Every word that occurs, sorted, for the beginnings of words. */
  vocabulary: readonly string[];
  stem: (word: string) => string;
  isIgnored: (word: string) => boolean;
  isPreposition: (word: string) => boolean;
  mend: Mend;
  /** By term: the terms that mean the same. */
  synonyms: ReadonlyMap<string, readonly string[]>;
  /** By term: the name of a maker that the shop doesn't sell. */
  makers: ReadonlyMap<string, string>;
  /** By squeezed SKU, GTIN or other barcode. */
  variants: ReadonlyMap<string, readonly Version[]>;
  /** By version: its own terms. */
  termsOf: (variant: Version) => ReadonlySet<string>;
}

const NAME = 0x80;

/** An entry, how much a word's match with it counts, and whether the word is (a part of) its name. */
const pack = (entry: number, weight: number, isName: boolean): number => entry * 256 + (isName ? NAME : 0) + weight;
export const entryOf = (posting: number): number => Math.floor(posting / 256);
export const weightOf = (posting: number): number => posting & 0x7f;
export const isName = (posting: number): boolean => (posting & NAME) !== 0;

/** Entries that are indexed at a time, between which other requests have their turn. */
const BATCH = 50;

/** The term of a text: the stems of its words. */
export const termOf = (tokens: readonly Token[], stem: (word: string) => string): string =>
  tokens.map(({ word }) => stem(word)).join(" ");

/** Indexes what the build wrote, in small steps. */
export async function makeSearchIndex(file: SearchFile): Promise<SearchIndex> {
  const { language, products, categories, pages } = file;
  const stem = makeStem(language);
  const prepositions = wordSet(language.prepositions);
  const ignored = wordSet([...language.prepositions, ...language.ignored]);
  const none = new RegExp(language.none, "i");
  const bySlug = new Map(categories.map((category) => [category.slug, category]));
  const entries: Entry[] = [
    ...products.map((product) => ({ kind: "product" as const, product, category: bySlug.get(product.category) })),
    ...pages.map((page) => ({ kind: page.kind, page })),
    ...categories.map((category) => ({ kind: "category" as const, category })),
  ];
  const postings = new Map<string, number[]>();
  const words = new Map<string, string>();
  const variants = new Map<string, Version[]>();

  const learn = (word: string): string => {
    const known = words.get(word);
    if (known !== undefined) return known;
    const term = stem(word);
    words.set(word, term);
    return term;
  };

  function indexEntry(entry: Entry, number: number): void {
    const found = new Map<string, number>();
    const add = (term: string, weight: number, named: boolean) => {
      const before = found.get(term) ?? 0;
      found.set(term, Math.max(before & 0x7f, weight) | (named ? NAME : before & NAME));
    };
    const addWords = (tokens: readonly Token[], weight: number, named = false) => {
      for (const { word, parts } of tokens)
        for (const each of [word, ...parts]) if (!ignored.has(each)) add(learn(each), weight, named);
    };
    const addText = (text: string, weight: number) => addWords(tokenize(text), weight);
    const addTitle = (text: string, weight: number) => {
      const tokens = tokenize(text);
      const end = tokens.findIndex(({ word }, index) => index > 0 && prepositions.has(word));
      addWords(end === -1 ? tokens : tokens.slice(0, end), weight, true);
      if (end !== -1) addWords(tokens.slice(end), WEIGHT.titleRest);
    };
    const addNames = (names: readonly string[], weight: number, wordWeight: number) => {
      for (const name of names) {
        const tokens = tokenize(name);
        add(termOf(tokens, learn), weight, true);
        if (tokens.length > 1) addWords(tokens, wordWeight);
      }
    };
    const addSpecifications = (specifications: Product["specifications"], weight: number) => {
      for (const { name, value } of specifications) {
        if (none.test(value)) continue;
        addText(name, WEIGHT.specification);
        addText(value, weight);
      }
    };
    if (entry.kind === "product") {
      const { product, category } = entry;
      addTitle(product.title, WEIGHT.title);
      addText(product.brand, WEIGHT.brand);
      addNames(product.also_called, WEIGHT.otherName, WEIGHT.wordOfName);
      if (category) {
        addWords(tokenize(category.title), WEIGHT.category, true);
        addNames(category.also_called, WEIGHT.categoryOtherName, WEIGHT.specification);
        addNames(category.instead_of, WEIGHT.maker, WEIGHT.specification);
      }
      addSpecifications(product.specifications, WEIGHT.value);
      for (const variant of product.versions) {
        addText(variant.sku, WEIGHT.sku);
        for (const code of [variant.gtin, variant.barcode]) if (code !== null) addText(code, WEIGHT.sku);
        addSpecifications(variant.specifications, WEIGHT.version);
        for (const code of [variant.sku, variant.gtin, variant.barcode]) note(code, variant);
      }
      addText(product.summary, WEIGHT.summary);
      addText(product.text, WEIGHT.text);
    } else if (entry.kind === "category") {
      const { title, summary, also_called, instead_of } = entry.category;
      addTitle(title, WEIGHT.category);
      addNames([...also_called, ...instead_of], WEIGHT.categoryOtherName, WEIGHT.specification);
      addText(summary, WEIGHT.text);
    } else {
      const { title, summary, text } = entry.page;
      addTitle(title, WEIGHT.title);
      addText(summary, WEIGHT.summary);
      addText(text, WEIGHT.text);
    }
    for (const [term, weight] of found) {
      const list = postings.get(term) ?? [];
      postings.set(term, list);
      list.push(pack(number, weight & 0x7f, (weight & NAME) !== 0));
    }
  }

  function note(code: string | null, variant: Version): void {
    if (code === null) return;
    // People leave out the zeros that a GTIN begins with.
    const squeezed = squeeze(code);
    for (const key of new Set([squeezed, squeezed.replace(/^0+(?=\d{8,}$)/, "")])) {
      const alike = variants.get(key) ?? [];
      variants.set(key, alike);
      if (!alike.includes(variant)) alike.push(variant);
    }
  }

  for (const [number, entry] of entries.entries()) {
    indexEntry(entry, number);
    if (number % BATCH === BATCH - 1) await setImmediate();
  }

  const cached = new WeakMap<Version, Set<string>>();
  return {
    file,
    entries,
    places: placeEntries(entries, categories),
    postings,
    vocabulary: [...words.keys()].sort(),
    stem,
    isIgnored: (word) => ignored.has(word),
    isPreposition: (word) => prepositions.has(word),
    mend: makeMend([...words].map(([word, term]) => [word, postings.get(term)?.length ?? 0])),
    synonyms: readSynonyms(file.synonyms, stem),
    makers: new Map(
      categories.flatMap(({ instead_of }) => instead_of.map((name) => [termOf(tokenize(name), stem), name] as const)),
    ),
    variants,
    termsOf(variant) {
      const known = cached.get(variant) ?? readVariantTerms(variant, stem);
      cached.set(variant, known);
      return known;
    },
  };
}

const wordSet = (words: readonly string[]) =>
  new Set(words.flatMap((word) => tokenize(word).map((token) => token.word)));

/** Equals are in the order of what can be had, the shop's categories, and what fits the most. */
function placeEntries(entries: readonly Entry[], categories: readonly Category[]): Int32Array {
  const order = new Map(categories.map(({ slug }, index) => [slug, index]));
  const keys = entries.map((entry) =>
    entry.kind === "product"
      ? [
          Number(entry.product.versions.every(({ availability }) => availability === "out_of_stock")),
          order.get(entry.product.category) ?? 0,
          -entry.product.works_with,
        ]
      : [2, 0, 0],
  );
  const sorted = entries.map((_, index) => index).sort((a, b) => compareKeys(keys[a], keys[b]) || a - b);
  const places = new Int32Array(entries.length);
  for (const [place, index] of sorted.entries()) places[index] = place;
  return places;
}

function compareKeys(a: readonly number[] = [], b: readonly number[] = []): number {
  for (const [index, key] of a.entries()) if (key !== b[index]) return key - (b[index] ?? 0);
  return 0;
}

function readSynonyms(groups: readonly (readonly string[])[], stem: (word: string) => string) {
  const synonyms = new Map<string, string[]>();
  for (const group of groups) {
    const terms = group.map((name) => termOf(tokenize(name), stem));
    for (const term of terms) {
      const others = terms.filter((other) => other !== term);
      synonyms.set(term, [...(synonyms.get(term) ?? []), ...others]);
    }
  }
  return synonyms;
}

function readVariantTerms({ sku, gtin, barcode, specifications }: Version, stem: (word: string) => string) {
  const texts = [sku, gtin ?? "", barcode ?? "", ...specifications.map(({ value }) => value)];
  return new Set(texts.flatMap(tokenize).flatMap(({ word, parts }) => [word, ...parts].map(stem)));
}
