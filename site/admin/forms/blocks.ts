import type { RootContent } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";

const markdown = unified().use(remarkParse).use(remarkGfm);

/** A paragraph, list, table or the like of a text. */
export interface Block {
  /** From the beginning of its first line. */
  start: number;
  end: number;
  text: string;
  node: RootContent;
  /** Its letters and digits, which Sveltia leaves as they are; without any, its signs. */
  words: string;
}

/** A text's blocks, in order; between them is white space. */
export function blocksOf(text: string): Block[] {
  let before = 0;
  return markdown.parse(text).children.map((node) => {
    // A heading that is underlined, below definitions, has their place, too (remark-parse 11).
    const first = Math.max(node.position?.start.offset ?? 0, before);
    const at = first + text.slice(first).search(/\S|$/);
    const line = text.lastIndexOf("\n", at - 1) + 1;
    const start = text.slice(line, at).trim() === "" ? line : at;
    const end = node.position?.end.offset ?? at;
    before = end;
    const slice = text.slice(start, end);
    const words = slice.replaceAll(/[^\p{L}\p{N}]+/gu, "").toLowerCase() || slice.replaceAll(/\s+/g, "");
    return { start, end, text: slice, node, words };
  });
}

/** From the first of these blocks to the one after the last. */
export type Range = readonly [number, number];

/** Blocks of one text, and what has become of them in another; none for what was added or taken out. */
export interface Group {
  from: Range;
  to: Range;
}

export type Same = (one: Block, other: Block) => boolean;

/** Which blocks of two texts belong together, in order: each block is in one group. */
export function alignBlocks(from: readonly Block[], to: readonly Block[], same: Same): Group[] {
  const anchors = [...findAnchors(from, to, same), [from.length, to.length] as const];
  let [at, toAt] = [0, 0];
  return anchors.flatMap(([anchor, toAnchor]) => {
    const between = alignBetween(from, to, { from: [at, anchor], to: [toAt, toAnchor] }, same);
    const isEnd = anchor === from.length && toAnchor === to.length;
    [at, toAt] = [anchor + 1, toAnchor + 1];
    return isEnd ? between : [...between, { from: [anchor, at], to: [toAnchor, toAt] } as const];
  });
}

/** Pairs of blocks that certainly belong together: the same in both texts, and nothing else like them in either. */
function findAnchors(from: readonly Block[], to: readonly Block[], same: Same): (readonly [number, number])[] {
  const count = (blocks: readonly Block[]) => {
    const places = new Map<string, number[]>();
    for (const [index, { words }] of blocks.entries()) places.set(words, [...(places.get(words) ?? []), index]);
    return places;
  };
  const [ones, others] = [count(from), count(to)];
  const pairs: [number, number][] = [];
  for (const [words, [one, ...more]] of ones) {
    const [other, ...others_] = others.get(words) ?? [];
    if (one === undefined || other === undefined || more.length > 0 || others_.length > 0) continue;
    const [a, b] = [from[one] as Block, to[other] as Block];
    if (same(a, b) || a.node.type === b.node.type) pairs.push([one, other]);
  }
  return longestRise(pairs);
}

/** The longest series of pairs, in the order of their first numbers, whose second ones rise. */
function longestRise(pairs: readonly [number, number][]): (readonly [number, number])[] {
  const sorted = pairs.toSorted(([a], [b]) => a - b);
  const tails: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, [, second]] of sorted.entries()) {
    const found = tails.findIndex((tail) => (sorted[tail]?.[1] ?? 0) > second);
    const place = found === -1 ? tails.length : found;
    before[index] = tails[place - 1];
    tails[place] = index;
  }
  const rise: [number, number][] = [];
  for (let index = tails.at(-1); index !== undefined; index = before[index])
    rise.unshift(sorted[index] as [number, number]);
  return rise;
}

/** As many blocks as one can become, or come from. */
const MOST_IN_GROUP = 4;
/** As many as one of code can: Sveltia takes all for code below a fence that it doesn't see the end of. */
const MOST_IN_CODE = 40;
/** Above this many pairs nothing is compared: all of them are one group. */
const MOST_PAIRS = 10_000;
/** What it costs that blocks come from nothing, or become nothing; a block that has become another one costs up to 1. */
const LONE = 0.7;

/** The cheapest groups of what lies between two anchors. */
function alignBetween(
  from: readonly Block[],
  to: readonly Block[],
  { from: [a0, a1], to: [b0, b1] }: Group,
  same: Same,
) {
  const [rows, columns] = [a1 - a0, b1 - b0];
  if (rows === 0 && columns === 0) return [];
  if (rows === 0 || columns === 0 || rows * columns > MOST_PAIRS)
    return rows * columns > MOST_PAIRS || rows + columns === 1
      ? [{ from: [a0, a1], to: [b0, b1] } as Group]
      : loneGroups({ from: [a0, a1], to: [b0, b1] });
  const costs = new Map<number, { cost: number; step: readonly [number, number] }>();
  const key = (i: number, j: number) => i * (columns + 1) + j;
  costs.set(0, { cost: 0, step: [0, 0] });
  for (let i = 0; i <= rows; i++)
    for (let j = 0; j <= columns; j++) {
      const now = costs.get(key(i, j));
      if (now === undefined) continue;
      for (const [n, m] of STEPS) {
        if (i + n > rows || j + m > columns) continue;
        const single = n === 1 ? from[a0 + i] : to[b0 + j];
        if (n + m > MOST_IN_GROUP + 1 && single?.node.type !== "code") continue;
        const ones = from.slice(a0 + i, a0 + i + n);
        const others = to.slice(b0 + j, b0 + j + m);
        const cost = now.cost + costOf(ones, others, same);
        const old = costs.get(key(i + n, j + m));
        if (old === undefined || cost < old.cost - 1e-9) costs.set(key(i + n, j + m), { cost, step: [n, m] });
      }
    }
  const groups: Group[] = [];
  for (let [i, j] = [rows, columns]; i > 0 || j > 0; ) {
    const [n, m] = costs.get(key(i, j))?.step ?? [i, j];
    groups.unshift({ from: [a0 + i - n, a0 + i], to: [b0 + j - m, b0 + j] });
    [i, j] = [i - n, j - m];
  }
  return groups;
}

function loneGroups({ from, to }: Group): Group[] {
  const groups: Group[] = [];
  for (let at = from[0]; at < from[1]; at++) groups.push({ from: [at, at + 1], to: [to[0], to[0]] });
  for (let at = to[0]; at < to[1]; at++) groups.push({ from: [from[1], from[1]], to: [at, at + 1] });
  return groups;
}

const STEPS: readonly (readonly [number, number])[] = [
  [1, 1],
  [1, 0],
  [0, 1],
  ...Array.from({ length: MOST_IN_CODE - 1 }, (_, index) => [1, index + 2] as const),
  ...Array.from({ length: MOST_IN_CODE - 1 }, (_, index) => [index + 2, 1] as const),
];

function costOf(ones: readonly Block[], others: readonly Block[], same: Same): number {
  const [one, ...more] = ones;
  const [other, ...others_] = others;
  if (one === undefined || other === undefined) return LONE;
  if (more.length === 0 && others_.length === 0 && same(one, other)) return 0;
  const words = (blocks: readonly Block[]) => blocks.map((block) => block.words).join("");
  const differs = one.node.type === other.node.type ? 0 : 0.05;
  return 1 - likeness(words(ones), words(others)) + differs + 0.02 * (more.length + others_.length) + 0.01;
}

/** From 0 to 1, by the pairs of letters that both have (Dice). */
function likeness(one: string, other: string): number {
  if (one === other) return 1;
  if (one.length < 2 || other.length < 2) return 0;
  const pairs = new Map<string, number>();
  for (let at = 0; at < one.length - 1; at++) {
    const pair = one.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let common = 0;
  for (let at = 0; at < other.length - 1; at++) {
    const pair = other.slice(at, at + 2);
    const left = pairs.get(pair) ?? 0;
    if (left === 0) continue;
    common++;
    pairs.set(pair, left - 1);
  }
  return (2 * common) / (one.length + other.length - 2);
}
