// What decides the order of search results. test/api/people/search/golden-queries.tsv says what must be found first.

/** How much a match counts, at most 127, by where it is. */
export const WEIGHT = {
  /** What a thing is counts more than what its title says besides. */
  category: 46,
  title: 40,
  sku: 40,
  /** Of a product; other names of a category are shared by its products. */
  otherName: 38,
  categoryOtherName: 36,
  brand: 30,
  maker: 30,
  /** What a title says after its preposition: `cable for printers`. */
  titleRest: 20,
  /** Another category that lists a product, such as the one above its own. */
  otherCategory: 20,
  /** A single word of a name that has several. */
  wordOfName: 16,
  version: 18,
  value: 16,
  summary: 14,
  specification: 8,
  text: 4,
} as const;

/** What a word of a page's text counts more at most, one for twice, two for four times … */
export const MOST_OFTEN = 3;
/** How much a match counts besides an exact one. */
export const FACTOR = { parts: 0.9, synonym: 0.85, beginning: 0.5 } as const;
/** For what the query is about, if it's (a part of) a result's name. */
export const HEAD_BONUS = 40;
/** For each word of the query that a result lacks. */
export const MISSING = 25;
/** For each that only a product's text has, which may speak of another product: the one that has it itself comes first. */
export const MENTIONED = 20;
/** A result worth less than this share of the best isn't shown. */
export const LEAST_SHARE = 0.2;
/** Nor is it near to a wish that nothing fulfils with less than this. */
export const NEAR_SHARE = 0.75;
/** With fewer results that have all words, those that lack some are shown too. */
export const ENOUGH = 3;
/** Per word: with a lower score, a result has the words merely somewhere in its text. */
export const GOOD = 10;
