import type { Nodes, Root } from "mdast";
import { visit } from "unist-util-visit";
import { alignBlocks, type Block, blocksOf, type Group, type Range, type Same } from "./blocks.ts";

/** How a file's text is written. */
export interface BodyFormat {
  isMdx: boolean;
  eol: string;
}

/** Two texts that contradict each other: what somebody else has saved, and what the editor wants to save. */
export interface Contradiction {
  theirs: string;
  mine: string;
}

/**
 * The text below a file's fields with what an editor has changed; every other block keeps its bytes. Sveltia rewrites a
 * whole text as soon as it shows it: `shown` is what it made of this one before anybody typed, so what stands there isn't
 * the editor's. Where that isn't known, blocks that mean the same keep their bytes. MDX is edited as it is.
 */
export function keepBlocks(
  base: string,
  next: string,
  { isMdx, eol, shown }: BodyFormat & { shown?: string | undefined },
): string {
  const [old, text] = [base, next].map(withLineFeeds) as [string, string];
  const from = shown === undefined ? undefined : withLineFeeds(shown).trim();
  if (old.trim() === text.trim() || from === text.trim()) return base;
  if (isMdx) return inPlaceOf(base, text, eol);
  const { text: written } =
    from === undefined
      ? merge({ from: old, theirs: old, mine: text.trim() }, { same: meansTheSame, prefer: "mine" })
      : merge({ from, theirs: old, mine: text.trim() }, { same: isSame, prefer: "mine" });
  return withLineFeeds(base) === written ? base : inPlaceOf(base, written, eol);
}

/**
 * A text with what two editors have made of it, block by block, and what contradicts itself: there the text is the one that is
 * preferred. An MDX text is one block, since its tags may reach over several.
 */
export function mergeBodies(
  { from, theirs, mine }: { from: string; theirs: string; mine: string },
  { isMdx, eol, prefer }: BodyFormat & { prefer: "theirs" | "mine" },
): { text: string; contradictions: Contradiction[] } {
  const [a, b, c] = [from, theirs, mine].map((text) => withLineFeeds(text).trim()) as [string, string, string];
  if (c === a || b === c) return { text: theirs, contradictions: [] };
  if (b === a) return { text: inPlaceOf(theirs, withLineFeeds(mine), eol), contradictions: [] };
  if (isMdx) return { text: prefer === "mine" ? mine : theirs, contradictions: [{ theirs: b, mine: c }] };
  const merged = merge(
    { from: withLineFeeds(from), theirs: withLineFeeds(theirs), mine: withLineFeeds(mine) },
    { same: isSame, prefer },
  );
  return { text: inPlaceOf(theirs, merged.text, eol), contradictions: merged.contradictions };
}

const withLineFeeds = (text: string): string => text.replaceAll("\r\n", "\n");

/** A text with the blank lines above and below it that the one had in whose place it stands. */
function inPlaceOf(base: string, text: string, eol: string): string {
  const old = withLineFeeds(base);
  const body = text.replace(/^(?:[^\S\n]*\n)*/, "").trimEnd();
  if (body === "") return "";
  const [lead = ""] = old.trim() === "" ? [] : (/^(?:[^\S\n]*\n)*/.exec(old) ?? []);
  const [end] = /\n\s*$/.exec(old) ?? ["\n"];
  return `${lead}${body}${end}`.replaceAll("\n", eol);
}

const isSame: Same = (one, other) => one.text === other.text;

const meansTheSame: Same = (one, other) => isSame(one, other) || meaningOf(one) === meaningOf(other);

/** A block's tree without places, and with a space for each line break within a paragraph. */
function meaningOf({ node: block }: Block): string {
  const tree: Root = { type: "root", children: [structuredClone(block)] };
  visit(tree, (node: Nodes) => {
    delete node.position;
    if (node.type === "text") node.value = node.value.replaceAll(/\s+/g, " ");
    // A blank line between the items of a list is a matter of taste.
    if (node.type === "list" || node.type === "listItem") delete node.spread;
  });
  return JSON.stringify(tree);
}

/** Blocks of a text, and what two others have in their place. */
interface Cluster {
  from: Range;
  theirs: Range;
  mine: Range;
}

interface Texts {
  from: string;
  theirs: string;
  mine: string;
}

/**
 * Their text with what differs between the one that both come from and mine. The blocks in which that one differs from theirs, too, are
 * contradictions.
 */
function merge(texts: Texts, { same, prefer }: { same: Same; prefer: "theirs" | "mine" }) {
  const blocks = { from: blocksOf(texts.from), theirs: blocksOf(texts.theirs), mine: blocksOf(texts.mine) };
  const toTheirs = alignBlocks(blocks.from, blocks.theirs, same);
  const toMine = alignBlocks(blocks.from, blocks.mine, same);
  const of = (side: keyof Texts, [start, end]: Range) => blocks[side].slice(start, end);
  const isEqual = (one: readonly Block[], other: readonly Block[]) =>
    one.length === other.length && one.every((block, index) => same(block, other[index] as Block));
  const contradictions: Contradiction[] = [];
  const written = new Writer(texts, blocks);
  for (const cluster of clusters(toTheirs, toMine)) {
    const [from, theirs, mine] = [of("from", cluster.from), of("theirs", cluster.theirs), of("mine", cluster.mine)];
    if (from.length === 0) {
      written.add("theirs", cluster);
      for (const [index, block] of mine.entries()) {
        const at = cluster.mine[0] + index;
        if (!theirs.some((each) => same(each, block))) written.add("mine", { ...cluster, mine: [at, at + 1] });
      }
      continue;
    }
    const isMine = !isEqual(from, mine);
    const isTheirs = !isEqual(from, theirs);
    const contradict = isMine && isTheirs && !isEqual(theirs, mine);
    const [before, there, wanted] = [textOf(texts.from, from), textOf(texts.theirs, theirs), textOf(texts.mine, mine)];
    const lines = contradict && theirs.length !== from.length ? replaceLines(before, there, wanted) : undefined;
    if (lines !== undefined) {
      written.add("theirs", cluster, lines);
      continue;
    }
    if (contradict) contradictions.push({ theirs: there, mine: wanted });
    const side =
      isMine && (!contradict || prefer === "mine") && !(isTheirs && isEqual(theirs, mine)) ? "mine" : "theirs";
    written.add(side, cluster);
  }
  return { text: written.text, contradictions };
}

/**
 * Theirs with the lines that were changed in mine, where theirs has those lines, too, and once: blocks that Sveltia took for
 * one block of code. Undefined elsewhere.
 */
function replaceLines(from: string, theirs: string, mine: string): string | undefined {
  const [old, wanted] = [from.split("\n"), mine.split("\n")];
  let [start, end] = [0, 0];
  while (start < old.length && old[start] === wanted[start]) start++;
  while (end < Math.min(old.length, wanted.length) - start && old.at(-end - 1) === wanted.at(-end - 1)) end++;
  if (start === old.length - end) start = Math.max(0, start - 1);
  const lines = (of: readonly string[]) => `\n${of.slice(start, of.length - end).join("\n")}\n`;
  const parts = `\n${theirs}\n`.split(lines(old));
  return parts.length === 2 && lines(old).trim() !== "" ? parts.join(lines(wanted)).slice(1, -1) : undefined;
}

const textOf = (text: string, blocks: readonly Block[]): string =>
  text.slice(blocks[0]?.start ?? 0, blocks.at(-1)?.end ?? 0);

/** What belongs together in three texts, in order. */
function clusters(toTheirs: readonly Group[], toMine: readonly Group[]): Cluster[] {
  const found: Cluster[] = [];
  let [at, one, other] = [0, 0, 0];
  const last = (groups: readonly Group[]) => groups.at(-1)?.from[1] ?? 0;
  const end = Math.max(last(toTheirs), last(toMine));
  const placeOf = (groups: readonly Group[], index: number) => groups[index]?.to[0] ?? groups.at(-1)?.to[1] ?? 0;
  for (;;) {
    const [first, second] = [toTheirs[one], toMine[other]];
    const isNew = (group: Group | undefined) => group?.from[0] === at && group.from[1] === at;
    if (isNew(first) || isNew(second)) {
      const [theirs, mine] = [placeOf(toTheirs, one), placeOf(toMine, other)];
      while (isNew(toTheirs[one])) one++;
      while (isNew(toMine[other])) other++;
      const ends = [placeOf(toTheirs, one), placeOf(toMine, other)] as const;
      found.push({ from: [at, at], theirs: [theirs, ends[0]], mine: [mine, ends[1]] });
      continue;
    }
    if (at >= end || !first || !second) return found;
    const start = at;
    const [theirs, mine] = [first.to[0], second.to[0]];
    let [theirEnd, mineEnd, oneAt, otherAt] = [theirs, mine, at, at];
    do {
      const [next, nextOther] = [toTheirs[one], toMine[other]];
      if (next && (oneAt <= otherAt || !nextOther)) {
        [oneAt, theirEnd] = [next.from[1], next.to[1]];
        one++;
      } else if (nextOther) {
        [otherAt, mineEnd] = [nextOther.from[1], nextOther.to[1]];
        other++;
      } else break;
    } while (oneAt !== otherAt);
    at = oneAt;
    found.push({ from: [start, at], theirs: [theirs, theirEnd], mine: [mine, mineEnd] });
  }
}

/** Puts a text together from blocks of two. */
class Writer {
  text = "";
  readonly #texts: Texts;
  readonly #blocks: Record<keyof Texts, readonly Block[]>;
  #last: { side: "theirs" | "mine"; cluster: Cluster } | undefined;

  constructor(texts: Texts, blocks: Record<keyof Texts, readonly Block[]>) {
    this.#texts = texts;
    this.#blocks = blocks;
  }

  add(side: "theirs" | "mine", cluster: Cluster, instead?: string): void {
    const [start, end] = cluster[side];
    if (start === end) return;
    const text = instead ?? textOf(this.#texts[side], this.#blocks[side].slice(start, end));
    this.text += this.#last ? this.#gap(this.#last, { side, cluster }) + text : text;
    this.#last = { side, cluster };
  }

  /** What stands between two parts: as it was where they are neighbours of old, else a blank line. */
  #gap(before: { side: "theirs" | "mine"; cluster: Cluster }, after: { side: "theirs" | "mine"; cluster: Cluster }) {
    for (const side of ["theirs", "mine"] as const) {
      const [, end] = before.cluster[side];
      const [start] = after.cluster[side];
      const blocks = this.#blocks[side];
      const isOf = (part: { side: "theirs" | "mine"; cluster: Cluster }, last: boolean) =>
        part.side === side || (side === "theirs" && this.#isLike(part, last));
      const isNext = end === start && before.cluster[side][0] < end && start < after.cluster[side][1];
      if (isNext && isOf(before, true) && isOf(after, false))
        return this.#texts[side].slice(blocks[end - 1]?.end, blocks[start]?.start);
    }
    return "\n\n";
  }

  /** Whether a part that was changed begins or ends with the same kind of block as before. */
  #isLike({ cluster }: { cluster: Cluster }, last: boolean): boolean {
    const blockOf = (side: "theirs" | "mine") =>
      this.#blocks[side][last ? cluster[side][1] - 1 : cluster[side][0]]?.node.type;
    return blockOf("theirs") === blockOf("mine");
  }
}
