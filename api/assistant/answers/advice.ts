import type { Passage } from "../../contract/built-files/assistant.ts";
import type { SearchFacts } from "../../contract/built-files/search.ts";
import { readLanguage, tokenize, wordSet } from "../../contract/search/tokens.ts";

/** Finds the passages that answer a question, the best first; none where that is doubtful. */
export type FindPassages = (question: string) => Passage[];

/** What a word counts besides in the heading and in the page's title, which say what the text below them is about. */
const [IN_HEADING, IN_PAGE] = [1.3, 1];
/** Of BM25: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), section 3.2. */
const [SATURATION, BY_LENGTH] = [1.2, 0.5];
/** What a synonym counts, and two words side by side besides each of them. */
const [SYNONYM, SIDE_BY_SIDE] = [0.9, 0.4];
/** The share of a question that its best passage must have, each word by how rare it is. */
const ENOUGH = 0.5;
/** What a word counts for that share if the heading has it. */
const OF_HEADING = 2;
/** Passages of the best one's page, and how good those of others must be, as a share of the best. */
const MOST_OF_PAGE = 3;
const LEAST_SHARE = 0.5;
/** Words that a synonym may have: `money back`. */
const MAX_PHRASE = 3;
/** Letters of a word that is a part of another, and of the rest. */
const [SHORTEST_PART, SHORTEST_REST] = [5, 3];

/** Prepares passages for questions, in the shop's language and with its synonyms. */
export function preparePassages(
  passages: readonly Passage[],
  { language, synonyms, currency }: SearchFacts,
): FindPassages {
  const { stem } = readLanguage(language);
  const { prepositions, questions } = language;
  const words = wordSet([...prepositions, ...language.ignored, ...questions.ignored, ...currency]);
  const ignored = new Set([...words].map(stem));
  const stemsOf = (text: string): string[] =>
    tokenize(text)
      .flatMap(({ word, parts }) => (parts.length > 1 ? parts : [word]))
      .map((word) => stem(word.replace(/\.0+$/, "")))
      .filter((word) => !ignored.has(word));
  const groups = new Map<string, string>();
  for (const [number, words] of [...questions.synonyms, ...synonyms].entries()) {
    const phrases = words.map((phrase) => stemsOf(phrase).join(" "));
    // The shop's own words for what the language knows join it.
    const known = phrases.find((phrase) => groups.has(phrase));
    const group = groups.get(known ?? "") ?? `#${number}`;
    for (const phrase of phrases) groups.set(phrase, group);
  }

  /** The words from a place on that stand for a group of synonyms, as many as possible. */
  function groupAt(stems: readonly string[], from: number) {
    for (let to = Math.min(stems.length, from + MAX_PHRASE); to > from; to -= 1) {
      const group = groups.get(stems.slice(from, to).join(" "));
      if (group !== undefined) return { group, length: to - from };
    }
    return undefined;
  }

  /** Words, groups and pairs. */
  function termsOf(text: string): string[] {
    const stems = stemsOf(text);
    return stems.flatMap((each, place) => {
      const group = groupAt(stems, place)?.group;
      const next = stems[place + 1];
      return [each, ...(group === undefined ? [] : [group]), ...(next === undefined ? [] : [`${each} ${next}`])];
    });
  }

  const readTitle = (text: string) => ({ terms: new Set(termsOf(text)), words: stemsOf(text).length });

  const documents = passages.map((passage) => {
    const counts = new Map<string, number>();
    // What is said before the first heading has the page's title alone.
    const heading = passage.title === passage.page ? "" : passage.title;
    for (const text of [heading, passage.page, passage.text])
      for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
    const titles = [
      { ...readTitle(heading), factor: IN_HEADING, share: OF_HEADING },
      { ...readTitle(passage.page), factor: IN_PAGE, share: 1 },
    ];
    return { passage, counts, titles, length: stemsOf(passage.text).length };
  });
  const meanLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const documentsWith = new Map<string, number>();
  for (const { counts } of documents)
    for (const term of counts.keys()) documentsWith.set(term, (documentsWith.get(term) ?? 0) + 1);
  const rarityOf = (term: string) => {
    const count = documentsWith.get(term) ?? 0;
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
  };

  const isKnown = (stem: string) => documentsWith.has(stem) || groups.has(stem);

  /** A known word with which an unknown one begins or ends: `Garantie` of `Garantiefall`. */
  function knownPart(stem: string): string {
    if (isKnown(stem)) return stem;
    for (let length = stem.length - SHORTEST_REST; length >= SHORTEST_PART; length -= 1) {
      const part = [stem.slice(0, length), stem.slice(-length)].find(isKnown);
      if (part !== undefined) return part;
    }
    return stem;
  }

  /** Each word of a question with what means the same, and pairs of words. */
  function readQuestion(question: string) {
    const stems = stemsOf(question).map(knownPart);
    const words: { term: string; group: string | undefined }[] = [];
    for (let from = 0; from < stems.length; ) {
      const { group, length } = groupAt(stems, from) ?? { group: undefined, length: 1 };
      words.push({ term: stems.slice(from, from + length).join(" "), group });
      from += length;
    }
    return { words, pairs: stems.slice(1).map((each, place) => `${stems[place]} ${each}`) };
  }

  return (question) => {
    const { words, pairs } = readQuestion(question);
    const scored = documents.map(({ passage, counts, titles, length }) => {
      const weigh = (term: string) => {
        const count = counts.get(term) ?? 0;
        const norm = SATURATION * (1 - BY_LENGTH + (BY_LENGTH * length) / meanLength);
        return (rarityOf(term) * count * (SATURATION + 1)) / (count + norm);
      };
      let [score, had, asked] = [0, 0, 0];
      for (const { term, group } of words) {
        const meant = group ?? term;
        const weight = weigh(meant) * (counts.has(term) ? 1 : SYNONYM);
        let rarity = rarityOf(meant);
        for (const title of titles) {
          if (!title.terms.has(meant)) continue;
          // A heading of many words is about each of them a little.
          score += (rarityOf(meant) * title.factor) / Math.sqrt(title.words);
          rarity *= title.share;
        }
        score += weight;
        asked += rarity;
        if (weight > 0) had += rarity;
      }
      for (const pair of pairs) {
        if (!counts.has(pair)) continue;
        score += weigh(pair) * SIDE_BY_SIDE;
        had += rarityOf(pair) * SIDE_BY_SIDE;
        asked += rarityOf(pair) * SIDE_BY_SIDE;
      }
      return { passage, score, share: had / asked };
    });
    const ranked = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
    const [best] = ranked;
    if (!best || best.share < ENOUGH) return [];
    // The rest of the best page says more than another page that has the same words.
    const isOfBest = ({ passage }: (typeof ranked)[number]) => passage.page === best.passage.page;
    const others = ranked.filter((each) => !isOfBest(each) && each.score >= best.score * LEAST_SHARE);
    return [...ranked.filter(isOfBest).slice(0, MOST_OF_PAGE), ...others].map(({ passage }) => passage);
  };
}
