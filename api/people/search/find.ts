import { AVAILABILITIES } from "../../contract/availability.ts";
import type { Version } from "../../contract/built-files/search.ts";
import { ENOUGH, FACTOR, GOOD, HEAD_BONUS, LEAST_SHARE, MISSING } from "./ranking.ts";
import { type Entry, entryOf, isName, type SearchIndex, termOf, weightOf } from "./search-index.ts";
import { squeeze, type Token, tokenize } from "./tokens.ts";

/** What a search finds. */
export interface Found {
  /** What was searched for, if slips were mended. */
  mended: string | undefined;
  /** Makers in the query that the shop doesn't sell. */
  makers: string[];
  /** Products, guides and pages, the kind of the best result first, each kind's best first. */
  hits: Entry[];
  /** Categories that the query names. */
  categories: Entry[];
  /** The versions of a product that have the most of the query's words: one that reads QR codes, if that was asked for. */
  namedVariants: (entry: Entry) => readonly Version[];
  /** The version to show of a product, among those that `isMeant` says; undefined if there are none. */
  variantOf: (entry: Entry, isMeant?: (variant: Version) => boolean) => Version | undefined;
  /** The places of the query's words that a text has. */
  wordsIn: (text: string) => Set<number>;
  /** The places of all words that were searched for. */
  words: Set<number>;
}

/** Longer queries are cut: nobody describes a product in more. */
const MAX_QUERY = 200;
const MAX_WORDS = 12;
/** Words that one term may have: `till roll`. */
const MAX_WINDOW = 4;
/** Words that begin like a word of the query. */
const MAX_BEGINNINGS = 60;

/** Cleans what people type: no control characters, at most `MAX_QUERY` characters. */
export const cleanQuery = (text: string): string =>
  text
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, MAX_QUERY)
    .trim();

/** The version whose SKU, GTIN or other barcode the query is; undefined if it's none, or that of several versions. */
export function findVariant({ variants }: SearchIndex, query: string): Version | undefined {
  const alike = variants.get(squeeze(query)) ?? [];
  const exact = alike.filter(({ sku }) => sku === query);
  const [found, ...others] = exact.length > 0 ? exact : alike;
  return others.length === 0 ? found : undefined;
}

/** Finds what matches a query best. `isExact`: searches for its words as they are, slips too. */
export function find(index: SearchIndex, query: string, isExact = false): Found {
  const all = tokenize(query);
  const meant = all.filter(({ word }) => !index.isIgnored(word)).slice(0, MAX_WORDS);
  const { words, mended } = isExact ? { words: meant, mended: undefined } : mendWords(index, meant);
  const readings = readWords(index, words);
  const head = findHead(index, all, words.length);
  const scored = score(index, readings, words.length, head);
  const ranked = rank(index, scored, words.length);
  const kinds = ["product", "guide", "page"] as const;
  const groups = kinds.map((kind) => ranked.filter(({ entry }) => entry.kind === kind));
  groups.sort((a, b) => (b[0]?.score ?? 0) - (a[0]?.score ?? 0));
  return {
    mended,
    makers: [...new Set(windowsOf(index, words).flatMap(({ term }) => index.makers.get(term) ?? []))],
    hits: groups.flat().map(({ entry }) => entry),
    categories: ranked.filter(({ entry, isWhole }) => entry.kind === "category" && isWhole).map(({ entry }) => entry),
    namedVariants: (entry) => (entry.kind === "product" ? nameVariants(index, readings, entry.product.versions) : []),
    variantOf: (entry, isMeant = () => true) =>
      entry.kind === "product" ? chooseVariant(index, readings, entry.product.versions.filter(isMeant)) : undefined,
    wordsIn: (text) => matchedWords(readings, readTerms(index, text)),
    words: new Set(words.keys()),
  };
}

/** Words of the query that stand side by side, as one term. */
interface Window {
  from: number;
  to: number;
  term: string;
}

function windowsOf(index: SearchIndex, words: readonly Token[]): Window[] {
  const windows: Window[] = [];
  for (let from = 0; from < words.length; from += 1)
    for (let to = from + 1; to <= Math.min(words.length, from + MAX_WINDOW); to += 1)
      windows.push({ from, to, term: termOf(words.slice(from, to), index.stem) });
  return windows;
}

/** A way to understand some words of the query: an entry must have all of these terms. */
interface Reading {
  from: number;
  to: number;
  terms: readonly string[];
  factor: number;
}

/** All ways to understand the words. */
function readWords(index: SearchIndex, words: readonly Token[]): Reading[] {
  const { postings, stem, synonyms } = index;
  const readings: Reading[] = [];
  for (const { from, to, term } of windowsOf(index, words)) {
    const add = (terms: readonly string[], factor: number) => {
      if (terms.every((each) => postings.has(each))) readings.push({ from, to, terms, factor });
    };
    add([term], 1);
    if (to - from > 1) add([stem(joined(words, from, to))], 1);
    for (const synonym of synonyms.get(term) ?? []) add(synonym.split(" "), FACTOR.synonym);
  }
  for (const [from, { word, parts }] of words.entries()) {
    const to = from + 1;
    if (parts.length > 0 && parts.every((part) => postings.has(stem(part))))
      readings.push({ from, to, terms: parts.map(stem), factor: FACTOR.parts });
    for (const term of beginningWith(index, word)) readings.push({ from, to, terms: [term], factor: FACTOR.beginning });
    if (!isKnown(index, word)) {
      const halves = splitWord(index, word);
      if (halves) readings.push({ from, to, terms: halves.map(stem), factor: FACTOR.parts });
    }
  }
  return readings;
}

const joined = (words: readonly Token[], from: number, to: number) =>
  words
    .slice(from, to)
    .map(({ word }) => word)
    .join("");

/** The terms of longer words that begin with `word`. */
function beginningWith({ vocabulary, stem }: SearchIndex, word: string): Set<string> {
  const found = new Set<string>();
  if (word.length < (/\d/.test(word) ? 2 : 3)) return found;
  const own = stem(word);
  for (let place = lowerBound(vocabulary, word); found.size < MAX_BEGINNINGS; place += 1) {
    const longer = vocabulary[place];
    if (!longer?.startsWith(word)) return found;
    const term = stem(longer);
    if (term !== own) found.add(term);
  }
  return found;
}

/** The first place of a sorted list whose word isn't before `word`. */
function lowerBound(sorted: readonly string[], word: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isKnown = (index: SearchIndex, word: string): boolean =>
  index.postings.has(index.stem(word)) || index.synonyms.has(index.stem(word)) || beginningWith(index, word).size > 0;

/** Two known words that were written as one: `cashdrawer`. Of several the one whose rarer half is the most frequent. */
function splitWord({ postings, stem }: SearchIndex, word: string): [string, string] | undefined {
  let best: [string, string] | undefined;
  let most = 0;
  for (let at = 3; at <= word.length - 3; at += 1) {
    const halves: [string, string] = [word.slice(0, at), word.slice(at)];
    const pages = Math.min(...halves.map((half) => postings.get(stem(half))?.length ?? 0));
    if (pages > most) [best, most] = [halves, pages];
  }
  return best;
}

/** Replaces words that nothing has by the most similar ones. */
function mendWords(index: SearchIndex, words: readonly Token[]): { words: Token[]; mended: string | undefined } {
  const inTerm = new Set(
    windowsOf(index, words).flatMap(({ from, to, term }) =>
      to - from > 1 &&
      (index.postings.has(term) || index.synonyms.has(term) || index.postings.has(index.stem(joined(words, from, to))))
        ? Array.from({ length: to - from }, (_, offset) => from + offset)
        : [],
    ),
  );
  let isMended = false;
  const meant = words.map((token, place): Token => {
    const { word, parts } = token;
    if (inTerm.has(place) || isKnown(index, word) || parts.some((part) => index.postings.has(index.stem(part))))
      return token;
    if (splitWord(index, word)) return token;
    const similar = index.mend(word);
    if (similar === undefined) return token;
    isMended = true;
    return { word: similar, parts: [] };
  });
  return { words: meant, mended: isMended ? meant.map(({ word }) => word).join(" ") : undefined };
}

/** The place of the word that the query is about: the last one before a preposition, or the last of all. */
function findHead(index: SearchIndex, all: readonly Token[], words: number): number {
  let place = -1;
  for (const { word } of all) {
    if (index.isPreposition(word) && place >= 0) break;
    if (!index.isIgnored(word)) place += 1;
  }
  return Math.min(place, words - 1);
}

/** For each word of the query and entry, the best match; and which entries' names have the head. */
interface Scores {
  byWord: Float32Array[];
  heads: Uint8Array;
}

function score({ postings, entries }: SearchIndex, readings: readonly Reading[], words: number, head: number): Scores {
  const byWord = Array.from({ length: words }, () => new Float32Array(entries.length));
  const heads = new Uint8Array(entries.length);
  for (const { from, to, terms, factor } of readings) {
    const isHead = from <= head && head < to;
    const apply = (entry: number, weight: number, named: boolean) => {
      for (let word = from; word < to; word += 1) {
        const weights = byWord[word];
        if (weights && weight > (weights[entry] ?? 0)) weights[entry] = weight;
      }
      if (isHead && named) heads[entry] = Math.max(heads[entry] ?? 0, factor * 100);
    };
    const [first = [], ...others] = terms.map((term) => postings.get(term) ?? []);
    if (others.length === 0) {
      for (const posting of first) apply(entryOf(posting), weightOf(posting) * factor, isName(posting));
      continue;
    }
    let common = new Map(first.map((posting) => [entryOf(posting), posting & 0xff]));
    for (const list of others) {
      const next = new Map<number, number>();
      for (const posting of list) {
        const entry = entryOf(posting);
        const before = common.get(entry);
        if (before === undefined) continue;
        const weight = Math.min(weightOf(before), weightOf(posting));
        next.set(entry, weight + (isName(before) && isName(posting) ? 0x80 : 0));
      }
      common = next;
    }
    for (const [entry, match] of common) apply(entry, weightOf(match) * factor, isName(match));
  }
  return { byWord, heads };
}

interface Ranked {
  entry: Entry;
  place: number;
  score: number;
  /** Has all words. */
  isWhole: boolean;
}

function rank({ entries, places }: SearchIndex, { byWord, heads }: Scores, words: number): Ranked[] {
  const matches: Ranked[] = [];
  for (const [number, entry] of entries.entries()) {
    let sum = 0;
    let missing = 0;
    for (const weights of byWord) {
      const weight = weights[number] ?? 0;
      sum += weight;
      if (weight === 0) missing += 1;
    }
    if (sum === 0) continue;
    const total = sum + ((heads[number] ?? 0) / 100) * HEAD_BONUS - missing * MISSING;
    if (total > 0) matches.push({ entry, place: places[number] ?? 0, score: total, isWhole: missing === 0 });
  }
  const good = matches.filter(
    ({ entry, isWhole, score }) => isWhole && entry.kind !== "category" && score >= GOOD * words,
  );
  const shown = good.length >= ENOUGH ? matches.filter(({ isWhole }) => isWhole) : matches;
  const best = shown.reduce((most, { score }) => Math.max(most, score), 0);
  return shown
    .filter(({ score }) => score >= best * LEAST_SHARE)
    .sort((a, b) => b.score - a.score || a.place - b.place);
}

/** Whether one of a text's terms is what the reading asks for. */
const reads = ({ terms }: Reading, own: ReadonlySet<string>): boolean => terms.every((term) => own.has(term));

/** The places of the query's words that a set of terms has. */
function matchedWords(readings: readonly Reading[], own: ReadonlySet<string>): Set<number> {
  const words = new Set<number>();
  for (const reading of readings)
    if (reads(reading, own)) for (let word = reading.from; word < reading.to; word += 1) words.add(word);
  return words;
}

const readTerms = ({ stem }: SearchIndex, text: string): Set<string> =>
  new Set(tokenize(text).flatMap(({ word, parts }) => [word, ...parts].map(stem)));

/** The versions that have the most of the query's words. */
function nameVariants(index: SearchIndex, readings: readonly Reading[], variants: readonly Version[]): Version[] {
  const counts = variants.map((variant) => matchedWords(readings, index.termsOf(variant)).size);
  const most = Math.max(...counts);
  return variants.filter((_, place) => counts[place] === most);
}

/** Of the versions that have the most of the query's words, the one that can be had soonest, and of these the cheapest. */
function chooseVariant(index: SearchIndex, readings: readonly Reading[], variants: readonly Version[]) {
  const [best] = nameVariants(index, readings, variants).sort(
    (a, b) =>
      AVAILABILITIES.indexOf(a.availability) - AVAILABILITIES.indexOf(b.availability) ||
      Number(a.price.net) - Number(b.price.net),
  );
  return best;
}
