import { AVAILABILITIES, type Availability } from "../../contract/availability.ts";
import type { Category, Page, Product, SearchFacts, SearchFile, Version } from "../../contract/built-files/search.ts";
import { checkDigit } from "../../contract/gtin.ts";
import { KINDS, NONE, type Sections, unpackIndex } from "../../contract/search/index-file.ts";
import { type Grammar, readLanguage, squeeze, termOf, tokenize } from "../../contract/search/tokens.ts";
import { writeSearchIndex } from "../../contract/search/write-index.ts";
import { mend } from "./spelling.ts";

export interface ProductEntry {
  kind: "product";
  /** Parsed when it's first asked for. */
  readonly product: Product;
  category: Category | undefined;
  /** All that list it, its own first. */
  readonly categories: readonly Category[];
  /** Its versions' numbers, in the order of `product.versions`. */
  versions: readonly number[];
}

interface PageEntry {
  kind: Page["kind"];
  readonly page: Page;
}

/** What can be found. */
export type Entry = ProductEntry | PageEntry | { kind: "category"; category: Category };

/** A version with its product. */
export interface FoundVariant {
  entry: ProductEntry;
  number: number;
  product: Product;
  variant: Version;
}

/** Makes an index in memory of what a build's file is made of. */
export async function makeSearchIndex(file: SearchFile): Promise<SearchIndex> {
  const index = openSearchIndex(Buffer.concat(await writeSearchIndex(file)));
  if (!index) throw new Error("The search index can't be read by the release that wrote it.");
  return index;
}

/** Opens .session/search.index, which stays in memory as it is; undefined if another release wrote it. */
export function openSearchIndex(bytes: Uint8Array): SearchIndex | undefined {
  // Buffers of Node may begin anywhere.
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  const unpacked = unpackIndex(aligned);
  return unpacked && new SearchIndex(unpacked.facts as SearchFacts, unpacked.sections, unpacked.records);
}

/** Everything that can be found. Entries, texts (words and terms) and versions have numbers, from 0. */
export class SearchIndex {
  readonly facts: SearchFacts;
  readonly language: Grammar;
  /** By term: the terms that mean the same. */
  readonly synonyms: ReadonlyMap<string, readonly string[]>;
  /** By term: the name of a maker that the shop doesn't sell. */
  readonly makers: ReadonlyMap<string, string>;
  readonly #sections: Sections;
  readonly #records: Buffer;
  readonly #texts: SortedTexts;
  readonly #codes: SortedTexts;
  readonly #slugs: SortedTexts;
  readonly #skus: TextList;

  constructor(facts: SearchFacts, sections: Sections, records: Uint8Array) {
    this.facts = facts;
    this.language = readLanguage(facts.language);
    const { stem } = this.language;
    this.synonyms = readSynonyms(facts, stem);
    this.makers = new Map(
      facts.categories.flatMap(({ instead_of }) =>
        instead_of.map((name) => [termOf(tokenize(name), stem), name] as const),
      ),
    );
    this.#sections = sections;
    this.#records = bufferOf(records);
    this.#texts = new SortedTexts(sections.texts, sections.textEnds);
    this.#codes = new SortedTexts(sections.codes, sections.codeEnds);
    this.#slugs = new SortedTexts(sections.slugs, sections.slugEnds);
    this.#skus = new TextList(sections.skus, sections.skuEnds);
  }

  /** How many entries there are. */
  get size(): number {
    return this.#sections.kinds.length;
  }

  kindOf(entry: number): Entry["kind"] {
    const kind = KINDS[this.#sections.kinds[entry] ?? -1];
    if (kind === undefined) throw new RangeError(`The search has no entry ${entry}.`);
    return kind;
  }

  /** The place of an entry among equals, from 0. */
  placeOf(entry: number): number {
    return this.#sections.places[entry] ?? 0;
  }

  /** The category of a product, or that an entry is. */
  categoryOf(entry: number): Category | undefined {
    return this.facts.categories[this.#sections.categories[entry] ?? -1];
  }

  entryAt(number: number): Entry {
    const kind = this.kindOf(number);
    const category = this.categoryOf(number);
    if (kind === "product") {
      return new LazyProduct(
        category,
        () => this.#otherCategoriesOf(number),
        () => this.versionsOf(number),
        () => this.#readRecord(number),
      );
    }
    if (kind === "category") {
      if (!category) throw new RangeError(`The entry ${number} has no category.`);
      return { kind, category };
    }
    return new LazyPage(kind, () => this.#readRecord(number));
  }

  #otherCategoriesOf(product: number): Category[] {
    const { otherCategories, otherCategoryEnds } = this.#sections;
    const places = otherCategories.subarray(...range(otherCategoryEnds, product));
    return Array.from(places).flatMap((place) => this.facts.categories[place] ?? []);
  }

  #readRecord<Kind>(entry: number): Kind {
    const [from, to] = range(this.#sections.recordEnds, entry);
    return JSON.parse(this.#records.toString("utf8", from, to));
  }

  /** The number of a term that an entry has; undefined if none has it. */
  findTerm(term: string): number | undefined {
    const number = this.#texts.find(term);
    return number === undefined || this.countEntries(number) === 0 ? undefined : number;
  }

  textOf(number: number): string {
    return this.#texts.at(number);
  }

  /** Where a term occurs (see `packPosting`), in the order of the entries. */
  postingsOf(term: number): Uint32Array {
    const { postings, postingEnds } = this.#sections;
    return postings.subarray(...range(postingEnds, term));
  }

  /** How many entries have a term. */
  countEntries(term: number): number {
    const [from, to] = range(this.#sections.postingEnds, term);
    return to - from;
  }

  /** The terms of the words that begin with a text, in the words' order. */
  *termsBeginningWith(beginning: string): Generator<number> {
    const { stems } = this.#sections;
    for (let place = this.#texts.lowerBound(beginning); place < stems.length; place += 1) {
      if (!this.#texts.at(place).startsWith(beginning)) return;
      const term = stems[place];
      if (term !== undefined && term !== NONE) yield term;
    }
  }

  /** The known word that was probably meant by another. */
  mend(word: string): string | undefined {
    return mend(word, (length) => this.#wordsOf(length));
  }

  *#wordsOf(length: number) {
    const { meantWords, meantLetters, meantEnds, stems } = this.#sections;
    const [from, to] = range(meantEnds, length);
    for (let place = from; place < to; place += 1) {
      const text = meantWords[place] ?? 0;
      yield {
        letters: meantLetters[place] ?? 0,
        readWord: () => this.textOf(text),
        countEntries: () => this.countEntries(stems[text] ?? 0),
      };
    }
  }

  /** The versions whose SKU, GTIN or other barcode a text is, as codes are compared. */
  versionsWith(code: string): readonly number[] {
    const squeezed = squeeze(code);
    const found = this.#versionsOfCode(this.#codes.find(squeezed));
    // A GTIN-14 is that of a carton: a digit for the packaging, the GTIN of what is in it, and a check digit of its own.
    if (found.length > 0 || !/^\d{14}$/.test(squeezed)) return found;
    const contained = squeezed.slice(1, -1);
    const gtin = contained + checkDigit(contained);
    return this.#versionsOfCode(this.#codes.find(gtin) ?? this.#codes.find(gtin.replace(/^0+/, "")));
  }

  #versionsOfCode(place: number | undefined): number[] {
    if (place === undefined) return [];
    const { codeVersions, codeVersionEnds } = this.#sections;
    return [...codeVersions.subarray(...range(codeVersionEnds, place))];
  }

  /** The versions with a GTIN, or another number of eight digits or more, that ends with these digits, as labels print it. */
  versionsEnding(digits: string): number[] {
    const { codes, codeEnds } = this.#sections;
    const ending = Buffer.from(digits);
    const versions = new Set<number>();
    for (let place = 0; place < codeEnds.length; place += 1) {
      const [from, to] = range(codeEnds, place);
      if (to - from < 8 || ending.compare(codes, Math.max(from, to - ending.length), to) !== 0) continue;
      if (/^\d+$/.test(this.#codes.at(place))) for (const version of this.#versionsOfCode(place)) versions.add(version);
    }
    return [...versions];
  }

  skuOf(version: number): string {
    return this.#skus.at(version);
  }

  availabilityOf(version: number): Availability {
    return AVAILABILITIES[this.#sections.availabilities[version] ?? -1] ?? "out_of_stock";
  }

  /** Of one piece at home; `gross` is the net price where no tax is charged. */
  priceOf(version: number): { net: bigint; gross: bigint } {
    const { nets, grosses } = this.#sections;
    return { net: nets[version] ?? 0n, gross: grosses[version] ?? 0n };
  }

  /** The terms that a version has itself. */
  termsOf(version: number): Uint32Array {
    const { versionTerms, versionTermEnds } = this.#sections;
    return versionTerms.subarray(...range(versionTermEnds, version));
  }

  /** The versions of a product, by its number as an entry. */
  versionsOf(entry: number): number[] {
    const [from, to] = range(this.#sections.versionEnds, entry);
    return Array.from({ length: to - from }, (_, place) => from + place);
  }

  /** The number of the product that has a version. */
  entryOfVersion(version: number): number {
    const { versionEnds } = this.#sections;
    let [low, high] = [0, versionEnds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((versionEnds[middle] ?? 0) <= version) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  variantAt(version: number): FoundVariant {
    const entry = this.entryAt(this.entryOfVersion(version));
    if (entry.kind !== "product") throw new RangeError(`The search has no version ${version}.`);
    const { product, versions } = entry;
    const variant = product.versions[versions.indexOf(version)];
    if (!variant) throw new RangeError(`${product.slug} has no version ${version}.`);
    return { entry, number: version, product, variant };
  }

  findSku(sku: string): FoundVariant | undefined {
    const version = this.versionsWith(sku).find((each) => this.skuOf(each) === sku);
    return version === undefined ? undefined : this.variantAt(version);
  }

  findProduct(slug: string): ProductEntry | undefined {
    const place = this.#slugs.find(slug);
    const entry = place === undefined ? undefined : this.entryAt(this.#sections.slugProducts[place] ?? 0);
    return entry?.kind === "product" ? entry : undefined;
  }
}

/** Texts one after the other. */
class TextList {
  readonly #bytes: Buffer;
  readonly #ends: Uint32Array;

  constructor(bytes: Uint8Array, ends: Uint32Array) {
    this.#bytes = bufferOf(bytes);
    this.#ends = ends;
  }

  get length(): number {
    return this.#ends.length;
  }

  at(place: number): string {
    return this.#bytes.toString("utf8", ...range(this.#ends, place));
  }
}

class SortedTexts extends TextList {
  find(text: string): number | undefined {
    const place = this.lowerBound(text);
    return place < this.length && this.at(place) === text ? place : undefined;
  }

  /** The first place whose text isn't before `text`. */
  lowerBound(text: string): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at(middle) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Where an item begins and ends. */
const range = (ends: Uint32Array, place: number): [from: number, to: number] => [
  ends[place - 1] ?? 0,
  ends[place] ?? ends.at(-1) ?? 0,
];

/** What a search finds thousands of, of which a page of results shows twelve. */
class LazyProduct implements ProductEntry {
  readonly kind = "product";
  readonly category: Category | undefined;
  readonly #listOtherCategories: () => Category[];
  readonly #listVersions: () => number[];
  readonly #read: () => Product;
  #product: Product | undefined;

  constructor(
    category: Category | undefined,
    listOtherCategories: () => Category[],
    listVersions: () => number[],
    read: () => Product,
  ) {
    this.category = category;
    this.#listOtherCategories = listOtherCategories;
    this.#listVersions = listVersions;
    this.#read = read;
  }

  get product(): Product {
    this.#product ??= this.#read();
    return this.#product;
  }

  get categories(): Category[] {
    return [this.category ?? [], this.#listOtherCategories()].flat();
  }

  get versions(): number[] {
    return this.#listVersions();
  }
}

class LazyPage implements PageEntry {
  readonly kind: PageEntry["kind"];
  readonly #read: () => Page;
  #page: Page | undefined;

  constructor(kind: PageEntry["kind"], read: () => Page) {
    this.kind = kind;
    this.#read = read;
  }

  get page(): Page {
    this.#page ??= this.#read();
    return this.#page;
  }
}

function readSynonyms({ synonyms: groups, language }: SearchFacts, stem: (word: string) => string) {
  const synonyms = new Map<string, string[]>();
  const both = groups.map((words) => ({ words, narrower: [] as string[] }));
  for (const { words, narrower } of [...both, ...language.wider]) {
    const [terms, others] = [words, narrower].map((names) => names.map((name) => termOf(tokenize(name), stem)));
    for (const term of terms ?? []) {
      const same = [...(terms ?? []), ...(others ?? [])].filter((other) => other !== term);
      synonyms.set(term, [...(synonyms.get(term) ?? []), ...same]);
    }
  }
  return synonyms;
}
