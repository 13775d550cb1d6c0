import { AVAILABILITIES } from "../availability.ts";
import type { Category, Page, Product, SearchFacts, SearchFile, Version } from "../built-files/search.ts";
import { parseMoney } from "../money.ts";
import { type Bytes, KINDS, NO_CATEGORY, NONE, packIndex, packPosting } from "./index-file.ts";
import { endsOf, inOrder, Lists, Numbering, Numbers, packTexts } from "./packed-lists.ts";
import { MOST_OFTEN, WEIGHT } from "./ranking.ts";
import { lettersOf, mayBeMeant, readLanguage, squeeze, type Token, termOf, tokenize } from "./tokens.ts";

/** Entries that are indexed at a time, between which others of the process have their turn. */
const BATCH = 50;

/** Short texts whose words are kept, since specifications repeat. */
const MAX_KEPT = 10_000;
const KEPT_LENGTH = 60;

interface Input extends Omit<SearchFile, "products"> {
  products: Iterable<Product> | AsyncIterable<Product>;
}

/** Makes .session/search.index, in small steps. Of each product only numbers and its own JSON stay in memory. */
export async function writeSearchIndex({ products, pages, ...facts }: Input): Promise<Bytes[]> {
  const writer = makeWriter(facts);
  let count = 0;
  const pause = async () => {
    count += 1;
    if (count % BATCH === 0) await new Promise((resolve) => setImmediate(resolve));
  };
  for await (const product of products) {
    writer.addProduct(product);
    await pause();
  }
  for (const page of pages) {
    writer.addPage(page);
    await pause();
  }
  for (const category of facts.categories) writer.addCategory(category);
  return writer.finish();
}

function makeWriter(facts: SearchFacts) {
  const { language, categories } = facts;
  const { stem, isIgnored, isPreposition } = readLanguage(language);
  const none = new RegExp(language.none, "i");
  const placeOfCategory = new Map(categories.map(({ slug }, place) => [slug, place]));
  const texts = new Numbering();
  /** By text: the number of its stem. */
  const stems = new Map<string, number>();
  /** By word: the same, or NONE if it's ignored. */
  const meanings = new Map<string, number>();
  /** The texts that occur as words, in this order. */
  const words = new Set<number>();
  const postings = new Lists();
  const codes = new Numbering();
  const codeVersions = new Lists();
  const slugs: string[] = [];
  const skus: string[] = [];
  const nets: bigint[] = [];
  const grosses: bigint[] = [];
  const availabilities: number[] = [];
  const versionTerms = new Numbers();
  const versionTermEnds: number[] = [];
  const versionEnds: number[] = [];
  const kinds: number[] = [];
  const categoryPlaces: number[] = [];
  const otherCategories: number[] = [];
  const otherCategoryEnds: number[] = [];
  const orders: (readonly number[])[] = [];
  const records: Bytes[] = [];
  const encoder = new TextEncoder();
  const kept = new Map<string, Token[]>();

  /** As tokenize(). */
  function tokensOf(text: string): Token[] {
    if (text.length > KEPT_LENGTH) return tokenize(text);
    const known = kept.get(text);
    if (known) return known;
    const tokens = tokenize(text);
    if (kept.size === MAX_KEPT) kept.clear();
    kept.set(text, tokens);
    return tokens;
  }

  function stemOf(word: string): number {
    const known = stems.get(word);
    if (known !== undefined) return known;
    const term = texts.numberOf(stem(word));
    stems.set(word, term);
    return term;
  }

  /** The number of a word's stem; the word is one that occurs from now on. */
  function learn(word: string): number {
    words.add(texts.numberOf(word));
    return stemOf(word);
  }

  /** As learn(); NONE for a word that is ignored. One look-up for a known word, since this is most of the work. */
  function readWord(word: string): number {
    const known = meanings.get(word);
    if (known !== undefined) return known;
    const meaning = isIgnored(word) ? NONE : learn(word);
    meanings.set(word, meaning);
    return meaning;
  }

  function makeEntry(kind: (typeof KINDS)[number], category: number, order: readonly number[]) {
    const entry = kinds.length;
    kinds.push(KINDS.indexOf(kind));
    categoryPlaces.push(category);
    orders.push(order);
    /** By term: how much it counts, twice, plus 1 if it is (a part of) the name. */
    const found = new Map<number, number>();
    const add = (term: number, weight: number, named: boolean) => {
      const before = found.get(term) ?? 0;
      found.set(term, Math.max(before >> 1, weight) * 2 + (named ? 1 : before & 1));
    };
    const addWord = (word: string, weight: number, named: boolean) => {
      const term = readWord(word);
      if (term !== NONE) add(term, weight, named);
    };
    const addWords = (tokens: readonly Token[], weight: number, named = false) => {
      for (const { word, parts } of tokens) {
        addWord(word, weight, named);
        for (const part of parts) addWord(part, weight, named);
      }
    };
    return {
      addWords,
      addText: (text: string, weight: number) => addWords(tokensOf(text), weight),
      /** A page is about what its text says often; a product's text may say it of others. */
      addPageText(text: string) {
        const tokens = tokensOf(text);
        for (const [word, { length }] of Map.groupBy(tokens, (each) => each.word))
          addWord(word, WEIGHT.text + Math.min(MOST_OFTEN, Math.floor(Math.log2(length))), false);
        for (const { parts } of tokens) for (const part of parts) addWord(part, WEIGHT.text, false);
      },
      addTitle(text: string, weight: number) {
        const tokens = tokensOf(text);
        const end = tokens.findIndex(({ word }, place) => place > 0 && isPreposition(word));
        addWords(end === -1 ? tokens : tokens.slice(0, end), weight, true);
        if (end !== -1) addWords(tokens.slice(end), WEIGHT.titleRest);
      },
      addNames(names: readonly string[], weight: number, wordWeight: number) {
        for (const name of names) {
          const tokens = tokensOf(name);
          for (const { word } of tokens) learn(word);
          add(texts.numberOf(termOf(tokens, stem)), weight, true);
          if (tokens.length > 1) addWords(tokens, wordWeight);
        }
      },
      addSpecifications(specifications: Product["specifications"], weight: number) {
        for (const { name, value } of specifications) {
          if (none.test(value)) continue;
          addWords(tokensOf(name), WEIGHT.specification);
          addWords(tokensOf(value), weight);
        }
      },
      end() {
        for (const [term, match] of found) postings.add(term, packPosting(entry, match >> 1, (match & 1) === 1));
      },
    };
  }

  function addVersion({ sku, gtin, barcode, price, availability, specifications }: Version): void {
    const version = skus.length;
    skus.push(sku);
    nets.push(parseMoney(price.net));
    grosses.push(parseMoney(price.gross ?? price.net));
    availabilities.push(AVAILABILITIES.indexOf(availability));
    const keys = [sku, gtin, barcode].flatMap((code) => {
      if (code === null) return [];
      // People leave out the zeros that a GTIN begins with.
      const squeezed = squeeze(code);
      return [squeezed, squeezed.replace(/^0+(?=\d{8,}$)/, "")];
    });
    for (const key of new Set(keys)) codeVersions.add(codes.numberOf(key), version);
    const own = [sku, gtin ?? "", barcode ?? "", ...specifications.map(({ value }) => value)];
    const terms = own.flatMap(tokensOf).flatMap(({ word, parts }) => [word, ...parts].map(stemOf));
    for (const term of new Set(terms)) versionTerms.add(term);
    versionTermEnds.push(versionTerms.length);
  }

  return {
    addProduct(product: Product): void {
      const {
        slug,
        title,
        brand,
        category: categorySlug,
        listed_in,
        also_called,
        specifications,
        summary,
        text,
      } = product;
      const { versions: variants, works_with } = product;
      const place = placeOfCategory.get(categorySlug);
      const isGone = variants.every(({ availability }) => availability === "out_of_stock");
      // Equals are in the order of what can be had, the shop's categories, and what fits the most.
      const entry = makeEntry("product", place ?? NO_CATEGORY, [Number(isGone), place ?? 0, -works_with]);
      entry.addTitle(title, WEIGHT.title);
      entry.addText(brand, WEIGHT.brand);
      entry.addNames(also_called, WEIGHT.otherName, WEIGHT.wordOfName);
      const category = place === undefined ? undefined : categories[place];
      if (category) {
        entry.addWords(tokensOf(category.title), WEIGHT.category, true);
        entry.addNames(category.also_called, WEIGHT.categoryOtherName, WEIGHT.specification);
        entry.addNames(category.instead_of, WEIGHT.maker, WEIGHT.specification);
      }
      for (const slug of listed_in) {
        const other = placeOfCategory.get(slug);
        if (other === undefined) continue;
        otherCategories.push(other);
        entry.addText(categories[other]?.title ?? "", WEIGHT.otherCategory);
      }
      otherCategoryEnds.push(otherCategories.length);
      entry.addSpecifications(specifications, WEIGHT.value);
      for (const variant of variants) {
        entry.addText(variant.sku, WEIGHT.sku);
        for (const code of [variant.gtin, variant.barcode]) if (code !== null) entry.addText(code, WEIGHT.sku);
        entry.addSpecifications(variant.specifications, WEIGHT.version);
        addVersion(variant);
      }
      entry.addText(summary, WEIGHT.summary);
      entry.addText(text, WEIGHT.text);
      entry.end();
      slugs.push(slug);
      versionEnds.push(skus.length);
      records.push(encoder.encode(JSON.stringify(product)));
    },

    addPage(page: Page): void {
      const entry = makeEntry(page.kind, NO_CATEGORY, LAST);
      entry.addTitle(page.title, WEIGHT.title);
      entry.addText(page.summary, WEIGHT.summary);
      entry.addPageText(page.text);
      entry.end();
      records.push(encoder.encode(JSON.stringify(page)));
    },

    addCategory({ slug, title, summary, also_called, instead_of }: Category): void {
      const entry = makeEntry("category", placeOfCategory.get(slug) ?? NO_CATEGORY, LAST);
      entry.addTitle(title, WEIGHT.category);
      entry.addNames([...also_called, ...instead_of], WEIGHT.categoryOtherName, WEIGHT.specification);
      entry.addText(summary, WEIGHT.text);
      entry.end();
    },

    finish(): Bytes[] {
      const { sorted, placeOf } = texts.sort();
      const { lists: sortedPostings, ends: postingEnds } = postings.inOrder(sorted);
      const meant = [...words].filter((word) => mayBeMeant(texts.textOf(word)));
      const byLength = Map.groupBy(meant, (word) => texts.textOf(word).length);
      const longest = Math.max(0, ...byLength.keys());
      const meantByLength = Array.from({ length: longest + 1 }, (_, length) => byLength.get(length) ?? []);
      const meantWords = meantByLength.flat();
      const sortedCodes = codes.sort();
      const { lists: sortedVersions, ends: codeVersionEnds } = codeVersions.inOrder(sortedCodes.sorted);
      const slugOrder = inOrder(slugs, (one, other) => (one < other ? -1 : Number(one > other)));
      const places = new Uint32Array(kinds.length);
      for (const [place, entry] of inOrder(orders, compareKeys).entries()) places[entry] = place;
      const [packedTexts, packedCodes, packedSlugs, packedSkus] = [
        packTexts(sorted.map((number) => texts.textOf(number))),
        packTexts(sortedCodes.sorted.map((number) => codes.textOf(number))),
        packTexts(slugOrder.map((product) => slugs[product] ?? "")),
        packTexts(skus),
      ];
      const sections = {
        texts: packedTexts.bytes,
        textEnds: packedTexts.ends,
        stems: Uint32Array.from(sorted, (number) =>
          words.has(number) ? (placeOf[stemOf(texts.textOf(number))] ?? NONE) : NONE,
        ),
        postings: sortedPostings,
        postingEnds,
        meantWords: Uint32Array.from(meantWords, (word) => placeOf[word] ?? NONE),
        meantLetters: Uint32Array.from(meantWords, (word) => lettersOf(texts.textOf(word))),
        meantEnds: endsOf(meantByLength.map(({ length }) => length)),
        codes: packedCodes.bytes,
        codeEnds: packedCodes.ends,
        codeVersions: sortedVersions,
        codeVersionEnds,
        slugs: packedSlugs.bytes,
        slugEnds: packedSlugs.ends,
        slugProducts: Uint32Array.from(slugOrder),
        skus: packedSkus.bytes,
        skuEnds: packedSkus.ends,
        nets: BigUint64Array.from(nets),
        grosses: BigUint64Array.from(grosses),
        availabilities: Uint8Array.from(availabilities),
        versionTerms: versionTerms.toArray().map((term) => placeOf[term] ?? NONE),
        versionTermEnds: Uint32Array.from(versionTermEnds),
        versionEnds: Uint32Array.from(versionEnds),
        kinds: Uint8Array.from(kinds),
        categories: Uint16Array.from(categoryPlaces),
        places,
        otherCategories: Uint16Array.from(otherCategories),
        otherCategoryEnds: Uint32Array.from(otherCategoryEnds),
        recordEnds: endsOf(records.map(({ byteLength }) => byteLength)),
      };
      return packIndex(facts, sections, records);
    },
  };
}

/** The order of what is no product. */
const LAST = [2, 0, 0];

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (const [place, key] of a.entries()) if (key !== b[place]) return key - (b[place] ?? 0);
  return 0;
}
