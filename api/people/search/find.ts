import { AVAILABILITIES } from "../../contract/availability.ts";
import type { Category } from "../../contract/built-files/search.ts";
import { entryOf, isName, weightOf } from "../../contract/search/index-file.ts";
import {
  ENOUGH,
  FACTOR,
  GOOD,
  HEAD_BONUS,
  LEAST_SHARE,
  MENTIONED,
  MISSING,
  NEAR_SHARE,
  WEIGHT,
} from "../../contract/search/ranking.ts";
import { mayBeMeant, squeeze, type Token, termOf, tokenize } from "../../contract/search/tokens.ts";
import { availabilityOf, type Offers, offered, priceOf } from "./offers.ts";
import type { Entry, FoundVariant, ProductEntry, SearchIndex } from "./search-index.ts";
import { isWish, readWish, type Wish } from "./wishes.ts";

/** What a search finds. */
export interface Found {
  /** What was searched for, if slips were mended. */
  mended: string | undefined;
  /** What the query says of price and stock, and whether a product fulfils it: otherwise the nearest are found. */
  wish: (Wish & Granted) | undefined;
  /** Makers in the query that the shop doesn't sell. */
  makers: string[];
  /** Products, guides and pages, the kind of the best result first, each kind's best first. */
  hits: Entry[];
  /** Categories that the query names. */
  categories: Entry[];
  /** The versions of a product that have the most of the query's words: one that reads QR codes, if that was asked for. */
  namedVersions: (entry: Pick<ProductEntry, "versions">) => readonly number[];
  /**
   * The version to show of a product, among those that `isMeant` says, as it's offered; undefined if there are none.
   */
  variantOf: (
    entry: ProductEntry,
    offers: Offers,
    isMeant?: (version: number) => boolean,
  ) => FoundVariant["variant"] | undefined;
  /** The places of the query's words that a text has. */
  wordsIn: (text: string) => Set<number>;
  /** The places of all words that were searched for. */
  words: Set<number>;
}

/** What becomes of a wish. */
interface Granted {
  isMet: boolean;
  meets: (version: number) => boolean;
  /** The SKUs of all among which it chose. */
  among: string[];
}

/** Longer queries are cut: nobody describes a product in more. */
const MAX_QUERY = 200;
const MAX_WORDS = 12;
/** Words that one term may have: `till roll`. */
const MAX_WINDOW = 4;
/** Letters of a word with which another ends. */
const SHORTEST_END = 5;
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

/** Finds as `find` does, and grants wishes by what versions cost now and whether they can be had. */
export async function findOffered(
  index: SearchIndex,
  query: string,
  readOffers: (skus: readonly string[]) => Promise<Offers>,
  isExact = false,
): Promise<Found> {
  const found = find(index, query, { isExact });
  if (!found.wish) return found;
  return find(index, query, { isExact, offers: await readOffers(found.wish.among) });
}

interface Options {
  /** Searches for the words as they are, slips and wishes too. */
  isExact?: boolean;
  /** By which wishes are granted; what isn't there is as the build has it. */
  offers?: Offers;
}

/** Finds what matches a query best. */
export function find(index: SearchIndex, query: string, { isExact = false, offers = new Map() }: Options = {}): Found {
  const read = isExact ? undefined : readWish(query, index.facts);
  const wish = read && isWish(read) ? read : undefined;
  const all = tokenize(wish?.rest ?? query);
  const meant = all.filter(({ word }) => !index.language.isIgnored(word)).slice(0, MAX_WORDS);
  const { words, mended } = isExact ? { words: meant, mended: undefined } : mendWords(index, meant);
  const readings = readWords(index, words);
  const head = findHead(index, all, words.length);
  const scored = score(index, readings, words.length, head);
  const ranked = wish && words.length === 0 ? listProducts(index) : rank(index, scored, words.length);
  const namedVersions: Found["namedVersions"] = ({ versions }) => nameVersions(index, readings, versions);
  const granted = wish && grant({ index, ranked, wish, offers, head: words[head]?.word, namedVersions });
  const groups = GROUPS.map((kind) => (granted?.ranked ?? ranked).filter((each) => each.kind === kind));
  groups.sort((a, b) => precedence(b) - precedence(a) || bestOf(b, "order") - bestOf(a, "order"));
  const ends = isExact ? [] : findEnds(index, query, ranked.length > 0);
  const isWanted = ends.length > 0 ? (version: number) => ends.includes(version) : granted?.meets;
  return {
    mended,
    wish: wish && granted && { ...wish, isMet: granted.isMet, meets: granted.meets, among: granted.among },
    makers: [...new Set(windowsOf(index, words).flatMap(({ term }) => index.makers.get(term) ?? []))],
    hits: [
      ...new Set([...ends.map((version) => index.entryOfVersion(version)), ...groups.flat().map(({ entry }) => entry)]),
    ].map((entry) => index.entryAt(entry)),
    categories: ranked
      .filter(({ kind, isWhole }) => kind === "category" && isWhole)
      .map(({ entry }) => index.entryAt(entry)),
    namedVersions,
    variantOf: ({ product, versions }, offers, isMeant = () => true) => {
      const meant = versions.filter(isMeant);
      const wanted = isWanted ? meant.filter(isWanted) : [];
      const chosen = chooseVersion(index, readings, wanted.length > 0 ? wanted : meant, offers);
      const version = chosen === undefined ? undefined : product.versions[versions.indexOf(chosen)];
      return version && offered(version, offers);
    },
    wordsIn: (text) => matchedWords(readings, readTerms(index, text)),
    words: new Set(words.keys()),
  };
}

/** Each kind of result is shown together. */
const GROUPS = ["product", "guide", "page", "developers"] as const;

const bestOf = (group: readonly Ranked[], by: "score" | "order" = "score") =>
  group.reduce((most, each) => Math.max(most, each[by]), 0);

/** Pages for programmers come after what has all words, too. */
const precedence = ([best]: readonly Ranked[]) => (best?.isWhole ? (best.kind === "developers" ? 1 : 2) : 0);

/** The versions whose GTIN ends with what was typed: four digits or five may also be a number in a text. */
function findEnds(index: SearchIndex, query: string, isKnown: boolean): number[] {
  const digits = squeeze(query);
  return /^\d{4,8}$/.test(digits) && (digits.length > 5 || !isKnown) ? index.versionsEnding(digits) : [];
}

/** A query of nothing but wishes means all products. */
const listProducts = (index: SearchIndex): Ranked[] =>
  Array.from({ length: index.size }, (_, entry) => entry)
    .filter((entry) => index.kindOf(entry) === "product")
    .map((entry) => ({
      entry,
      kind: "product",
      place: index.placeOf(entry),
      score: 1,
      order: 1,
      isNamed: true,
      isWhole: true,
    }));

/** Whether a version that the words mean meets a condition: a price doesn't help where the words mean a dearer one. */
export const canMeet = (
  namedVersions: Found["namedVersions"],
  entry: Pick<ProductEntry, "versions">,
  meets: (version: number) => boolean,
): boolean =>
  // Only where they could differ are the words looked at, since that takes longer than the rest.
  entry.versions.every(meets) || (entry.versions.some(meets) && namedVersions(entry).some(meets));

/** The products that fulfil a wish; where none does, all that are meant, the nearest in price first. Pages stay. */
function grant({
  index,
  ranked,
  wish: { least = 0n, most, isInStock },
  offers,
  head,
  namedVersions,
}: {
  index: SearchIndex;
  ranked: readonly Ranked[];
  wish: Wish;
  offers: Offers;
  head: string | undefined;
  namedVersions: Found["namedVersions"];
}) {
  const distanceOf = (version: number) => {
    const { net } = priceOf(index, version, offers);
    return Number(net < least ? least - net : most !== undefined && net > most ? net - most : 0n);
  };
  const meets = (version: number) =>
    distanceOf(version) === 0 && (!isInStock || availabilityOf(index, version, offers) === "in_stock");
  const products = ranked.filter(({ kind }) => kind === "product");
  // Not what goes with it: labels and a scanner's cable are cheaper than label printers and scanners.
  const named = products.filter(({ isNamed }) => isNamed);
  const categories = categoriesNamed(index, head);
  const ofKind = named.filter(({ entry }) => categories.has(index.categoryOf(entry)));
  const [first] = products;
  const meant = first && ofKind.includes(first) ? ofKind : named.length > 0 ? named : products;
  const granted = meant.filter(({ entry }) => canMeet(namedVersions, { versions: index.versionsOf(entry) }, meets));
  const isMet = granted.length > 0;
  const best = bestOf(meant);
  const nearest = meant
    .filter(({ score }) => score >= best * NEAR_SHARE)
    .map((each) => {
      const versions = namedVersions({ versions: index.versionsOf(each.entry) });
      return { ...each, distance: Math.min(...versions.map(distanceOf)) };
    })
    .sort((a, b) => a.distance - b.distance);
  return {
    ranked: [...(isMet ? granted : nearest), ...ranked.filter(({ kind }) => kind !== "product")],
    ...{ meets, isMet },
    among: meant.flatMap(({ entry }) => index.versionsOf(entry).map((version) => index.skuOf(version))),
  };
}

/** The categories whose name a word is, or the last word of it, which says what a thing is: `printer`. */
function categoriesNamed(
  { facts, language: { stem } }: SearchIndex,
  head: string | undefined,
): Set<Category | undefined> {
  const isHead = (name: string) => head !== undefined && stem(tokenize(name).at(-1)?.word ?? "") === stem(head);
  return new Set(facts.categories.filter(({ title, also_called }) => [title, ...also_called].some(isHead)));
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
    if (isKnown(index, word)) continue;
    const halves = splitWord(index, word);
    if (halves) add(from, to, halves.map(stem), FACTOR.parts);
    const last = halves?.[1] ?? knownEnd(index, word);
    if (last !== undefined) add(from, to, [stem(last)], FACTOR.beginning);
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

function isTerm(index: SearchIndex, word: string): boolean {
  const term = index.language.stem(word);
  return index.findTerm(term) !== undefined || index.synonyms.has(term);
}

const isKnown = (index: SearchIndex, word: string) => isTerm(index, word) || beginningWith(index, word).size > 0;

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

/** The longest known word with which another ends, which says what it is: a `handscanner` is a scanner. */
function knownEnd(index: SearchIndex, word: string): string | undefined {
  if (!mayBeMeant(word)) return undefined;
  for (let at = 1; at <= word.length - SHORTEST_END; at += 1)
    if (countEntries(index, word.slice(at)) > 0) return word.slice(at);
  return undefined;
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
    if (inTerm.has(place) || isTerm(index, word) || parts.some((part) => has(stem(part)))) return token;
    const isBeginning = isKnown(index, word);
    if (!isBeginning && splitWord(index, word)) return token;
    const similar = index.mend(word);
    // Of a word that lacks its last letter alone the other words that begin like it aren't meant.
    if (similar === undefined || (isBeginning && similar.slice(0, -1) !== word)) return token;
    isMended = true;
    return { word: similar, parts: [] };
  });
  return { words: meant, mended: isMended ? meant.map(({ word }) => word).join(" ") : undefined };
}

/**
 * The place of the word that the query is about: the last one before a preposition, or the last of all. A size or a code is
 * only that if there is nothing else: `scanner 2D`.
 */
function findHead(index: SearchIndex, all: readonly Token[], words: number): number {
  let place = -1;
  let named = -1;
  for (const { word } of all) {
    if (index.language.isPreposition(word) && place >= 0) break;
    if (index.language.isIgnored(word)) continue;
    place += 1;
    if (!/\d/.test(word)) named = place;
  }
  return Math.min(named < 0 ? place : named, words - 1);
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
  /** The score, less what only a product's text has. */
  order: number;
  /** What the query is about is (a part of) its name. */
  isNamed: boolean;
  /** Has all words. */
  isWhole: boolean;
}

function rank(index: SearchIndex, { byWord, heads }: Scores, words: number): Ranked[] {
  const matches: Ranked[] = [];
  for (let entry = 0; entry < index.size; entry += 1) {
    let sum = 0;
    let missing = 0;
    let mentioned = 0;
    for (const weights of byWord) {
      const weight = weights[entry] ?? 0;
      sum += weight;
      if (weight === 0) missing += 1;
      else if (weight <= WEIGHT.text) mentioned += 1;
    }
    if (sum === 0) continue;
    const total = sum + ((heads[entry] ?? 0) / 100) * HEAD_BONUS - missing * MISSING;
    if (total <= 0) continue;
    const kind = index.kindOf(entry);
    matches.push({
      ...{ entry, kind, place: index.placeOf(entry), score: total },
      ...{ isNamed: (heads[entry] ?? 0) > 0, isWhole: missing === 0 },
      order: total - (kind === "product" ? mentioned * MENTIONED : 0),
    });
  }
  const good = matches.filter(({ kind, isWhole, score }) => isWhole && kind !== "category" && score >= GOOD * words);
  const shown = good.length >= ENOUGH ? matches.filter(({ isWhole }) => isWhole) : matches;
  const others = shown.filter(({ kind }) => kind !== "developers");
  const best = bestOf(others.length > 0 ? others : shown);
  return shown
    .filter(({ score }) => score >= best * LEAST_SHARE)
    .sort((a, b) => b.order - a.order || a.place - b.place);
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
function chooseVersion(index: SearchIndex, readings: readonly Reading[], versions: readonly number[], offers: Offers) {
  const soonOf = (version: number) => AVAILABILITIES.indexOf(availabilityOf(index, version, offers));
  const netOf = (version: number) => Number(priceOf(index, version, offers).net);
  const [best] = nameVersions(index, readings, versions).sort((a, b) => soonOf(a) - soonOf(b) || netOf(a) - netOf(b));
  return best;
}
