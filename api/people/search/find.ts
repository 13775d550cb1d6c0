import { AVAILABILITIES } from "../../contract/availability.ts";
import { entryOf, isName, weightOf } from "../../contract/search/index-file.ts";
import { ENOUGH, FACTOR, GOOD, HEAD_BONUS, LEAST_SHARE, MISSING } from "../../contract/search/ranking.ts";
import { type Token, termOf, tokenize } from "../../contract/search/tokens.ts";
import type { Entry, FoundVariant, ProductEntry, SearchIndex } from "./search-index.ts";

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
  namedVersions: (entry: ProductEntry) => readonly number[];
  /** The version to show of a product, among those that `isMeant` says; undefined if there are none. */
  variantOf: (entry: ProductEntry, isMeant?: (version: number) => boolean) => FoundVariant["variant"] | undefined;
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
export function findVariant(index: SearchIndex, query: string): FoundVariant | undefined {
  const alike = index.versionsWith(query);
  const exact = alike.filter((version) => index.skuOf(version) === query);
  const [found, ...others] = exact.length > 0 ? exact : alike;
  return found === undefined || others.length > 0 ? undefined : index.variantAt(found);
}

/** Finds what matches a query best. `isExact`: searches for its words as they are, slips too. */
export function find(index: SearchIndex, query: string, isExact = false): Found {
  const all = tokenize(query);
  const meant = all.filter(({ word }) => !index.language.isIgnored(word)).slice(0, MAX_WORDS);
  const { words, mended } = isExact ? { words: meant, mended: undefined } : mendWords(index, meant);
  const readings = readWords(index, words);
  const head = findHead(index, all, words.length);
  const scored = score(index, readings, words.length, head);
  const ranked = rank(index, scored, words.length);
  const kinds = ["product", "guide", "page"] as const;
  const groups = kinds.map((kind) => ranked.filter((each) => each.kind === kind));
  groups.sort((a, b) => (b[0]?.score ?? 0) - (a[0]?.score ?? 0));
  return {
    mended,
    makers: [...new Set(windowsOf(index, words).flatMap(({ term }) => index.makers.get(term) ?? []))],
    hits: groups.flat().map(({ entry }) => index.entryAt(entry)),
    categories: ranked
      .filter(({ kind, isWhole }) => kind === "category" && isWhole)
      .map(({ entry }) => index.entryAt(entry)),
    namedVersions: ({ versions }) => nameVersions(index, readings, versions),
    variantOf: ({ product, versions }, isMeant = () => true) => {
      const chosen = chooseVersion(index, readings, versions.filter(isMeant));
      return chosen === undefined ? undefined : product.versions[versions.indexOf(chosen)];
    },
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
      windows.push({ from, to, term: termOf(words.slice(from, to), index.language.stem) });
  return windows;
}

/** A way to understand some words of the query: an entry must have all of these terms. */
interface Reading {
  from: number;
  to: number;
  terms: readonly Term[];
  factor: number;
}

/** A term that the index knows, and its number there. */
interface Term {
  text: string;
  number: number;
}

/** All ways to understand the words. */
function readWords(index: SearchIndex, words: readonly Token[]): Reading[] {
  const { synonyms } = index;
  const { stem } = index.language;
  const readings: Reading[] = [];
  const add = (from: number, to: number, texts: readonly string[], factor: number) => {
    const terms = texts.map((text) => ({ text, number: index.findTerm(text) }));
    if (terms.every(isFound)) readings.push({ from, to, terms, factor });
  };
  for (const { from, to, term } of windowsOf(index, words)) {
    add(from, to, [term], 1);
    if (to - from > 1) add(from, to, [stem(joined(words, from, to))], 1);
    for (const synonym of synonyms.get(term) ?? []) add(from, to, synonym.split(" "), FACTOR.synonym);
  }
  for (const [from, { word, parts }] of words.entries()) {
    const to = from + 1;
    if (parts.length > 0) add(from, to, parts.map(stem), FACTOR.parts);
    for (const term of beginningWith(index, word)) {
      const terms = [{ text: index.textOf(term), number: term }];
      readings.push({ from, to, terms, factor: FACTOR.beginning });
    }
    const halves = isKnown(index, word) ? undefined : splitWord(index, word);
    if (halves) add(from, to, halves.map(stem), FACTOR.parts);
  }
  return readings;
}

const isFound = (term: { text: string; number: number | undefined }): term is Term => term.number !== undefined;

const joined = (words: readonly Token[], from: number, to: number) =>
  words
    .slice(from, to)
    .map(({ word }) => word)
    .join("");

/** The terms of longer words that begin with `word`. */
function beginningWith(index: SearchIndex, word: string): Set<number> {
  const found = new Set<number>();
  if (word.length < (/\d/.test(word) ? 2 : 3)) return found;
  const own = index.language.stem(word);
  for (const term of index.termsBeginningWith(word)) {
    if (index.textOf(term) !== own) found.add(term);
    if (found.size === MAX_BEGINNINGS) break;
  }
  return found;
}

function isKnown(index: SearchIndex, word: string): boolean {
  const term = index.language.stem(word);
  return index.findTerm(term) !== undefined || index.synonyms.has(term) || beginningWith(index, word).size > 0;
}

/** Two known words that were written as one: `cashdrawer`. Of several the one whose rarer half is the most frequent. */
function splitWord(index: SearchIndex, word: string): [string, string] | undefined {
  let best: [string, string] | undefined;
  let most = 0;
  for (let at = 3; at <= word.length - 3; at += 1) {
    const halves: [string, string] = [word.slice(0, at), word.slice(at)];
    const entries = Math.min(...halves.map((half) => countEntries(index, half)));
    if (entries > most) [best, most] = [halves, entries];
  }
  return best;
}

function countEntries(index: SearchIndex, word: string): number {
  const term = index.findTerm(index.language.stem(word));
  return term === undefined ? 0 : index.countEntries(term);
}

/** Replaces words that nothing has by the most similar ones. */
function mendWords(index: SearchIndex, words: readonly Token[]): { words: Token[]; mended: string | undefined } {
  const { stem } = index.language;
  const has = (term: string) => index.findTerm(term) !== undefined;
  const inTerm = new Set(
    windowsOf(index, words).flatMap(({ from, to, term }) =>
      to - from > 1 && (has(term) || index.synonyms.has(term) || has(stem(joined(words, from, to))))
        ? Array.from({ length: to - from }, (_, offset) => from + offset)
        : [],
    ),
  );
  let isMended = false;
  const meant = words.map((token, place): Token => {
    const { word, parts } = token;
    if (inTerm.has(place) || isKnown(index, word) || parts.some((part) => has(stem(part)))) return token;
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
    if (index.language.isPreposition(word) && place >= 0) break;
    if (!index.language.isIgnored(word)) place += 1;
  }
  return Math.min(place, words - 1);
}

/** For each word of the query and entry, the best match; and which entries' names have the head. */
interface Scores {
  byWord: Float32Array[];
  heads: Uint8Array;
}

function score(index: SearchIndex, readings: readonly Reading[], words: number, head: number): Scores {
  const byWord = Array.from({ length: words }, () => new Float32Array(index.size));
  const heads = new Uint8Array(index.size);
  for (const { from, to, terms, factor } of readings) {
    const isHead = from <= head && head < to;
    const apply = (entry: number, weight: number, named: boolean) => {
      for (let word = from; word < to; word += 1) {
        const weights = byWord[word];
        if (weights && weight > (weights[entry] ?? 0)) weights[entry] = weight;
      }
      if (isHead && named) heads[entry] = Math.max(heads[entry] ?? 0, factor * 100);
    };
    const [first, ...others] = terms.map(({ number }) => index.postingsOf(number));
    if (!first) continue;
    if (others.length === 0) {
      for (const posting of first) apply(entryOf(posting), weightOf(posting) * factor, isName(posting));
      continue;
    }
    let common = new Map<number, { weight: number; named: boolean }>();
    for (const posting of first) common.set(entryOf(posting), { weight: weightOf(posting), named: isName(posting) });
    for (const list of others) {
      const next: typeof common = new Map();
      for (const posting of list) {
        const entry = entryOf(posting);
        const before = common.get(entry);
        if (before === undefined) continue;
        const weight = Math.min(before.weight, weightOf(posting));
        next.set(entry, { weight, named: before.named && isName(posting) });
      }
      common = next;
    }
    for (const [entry, { weight, named }] of common) apply(entry, weight * factor, named);
  }
  return { byWord, heads };
}

interface Ranked {
  entry: number;
  kind: Entry["kind"];
  place: number;
  score: number;
  /** Has all words. */
  isWhole: boolean;
}

function rank(index: SearchIndex, { byWord, heads }: Scores, words: number): Ranked[] {
  const matches: Ranked[] = [];
  for (let entry = 0; entry < index.size; entry += 1) {
    let sum = 0;
    let missing = 0;
    for (const weights of byWord) {
      const weight = weights[entry] ?? 0;
      sum += weight;
      if (weight === 0) missing += 1;
    }
    if (sum === 0) continue;
    const total = sum + ((heads[entry] ?? 0) / 100) * HEAD_BONUS - missing * MISSING;
    if (total <= 0) continue;
    matches.push({
      ...{ entry, kind: index.kindOf(entry), place: index.placeOf(entry), score: total, isWhole: missing === 0 },
    });
  }
  const good = matches.filter(({ kind, isWhole, score }) => isWhole && kind !== "category" && score >= GOOD * words);
  const shown = good.length >= ENOUGH ? matches.filter(({ isWhole }) => isWhole) : matches;
  const best = shown.reduce((most, { score }) => Math.max(most, score), 0);
  return shown
    .filter(({ score }) => score >= best * LEAST_SHARE)
    .sort((a, b) => b.score - a.score || a.place - b.place);
}

/** The places of the query's words that something has, of which is known which terms it has. */
function matchedWords(readings: readonly Reading[], hasTerm: (term: Term) => boolean): Set<number> {
  const words = new Set<number>();
  for (const { from, to, terms } of readings)
    if (terms.every(hasTerm)) for (let word = from; word < to; word += 1) words.add(word);
  return words;
}

function readTerms({ language: { stem } }: SearchIndex, text: string): (term: Term) => boolean {
  const own = new Set(tokenize(text).flatMap(({ word, parts }) => [word, ...parts].map(stem)));
  return ({ text: term }) => own.has(term);
}

/** The versions that have the most of the query's words. */
function nameVersions(index: SearchIndex, readings: readonly Reading[], versions: readonly number[]): number[] {
  const counts = versions.map((version) => {
    const own = index.termsOf(version);
    return matchedWords(readings, ({ number }) => own.includes(number)).size;
  });
  const most = Math.max(...counts);
  return versions.filter((_, place) => counts[place] === most);
}

/** Of the versions that have the most of the query's words, the one that can be had soonest, and of these the cheapest. */
function chooseVersion(index: SearchIndex, readings: readonly Reading[], versions: readonly number[]) {
  const soonOf = (version: number) => AVAILABILITIES.indexOf(index.availabilityOf(version));
  const priceOf = (version: number) => Number(index.priceOf(version).net);
  const [best] = nameVersions(index, readings, versions).sort(
    (a, b) => soonOf(a) - soonOf(b) || priceOf(a) - priceOf(b),
  );
  return best;
}
