import { HIDDEN } from "../../api/contract/hidden-characters.ts";

/**
 * A character that nobody sees: control characters, halves of surrogates, line separators, and what is hidden. Not a
 * variation selector, which chooses a form of the character before it, nor tags after a black flag, which make England's
 * of it (UTS 51, ED-14a).
 */
const unseen = new RegExp(
  String.raw`(?![\t\n]|[\u180B-\u180F\uFE00-\uFE0F\u{E0100}-\u{E01EF}]|(?<=\u{1F3F4}[\u{E0020}-\u{E007E}]*)[\u{E0020}-\u{E007F}])(?:[\p{Cc}\p{Cs}\u2028\u2029]|${HIDDEN.source})`,
  "u",
);

/** The first character of a text that nobody sees, in words, and its place; undefined without one. */
export const findUnseenCharacter = (text: string) => find(unseen, text);

/**
 * The same of those that turn the direction of what follows (UAX 9, §2). As an entity, which one writes on purpose, these
 * alone aren't for a text: `&shy;` and `&#8203;` are where a word may break.
 */
export const findTurningCharacter = (text: string) => find(/[\u202A-\u202E\u2066-\u2069]/u, text);

function find(kind: RegExp, text: string): { index: number; what: string } | undefined {
  const found = kind.exec(text);
  return found === null ? undefined : { index: found.index, what: describe(found[0]) };
}

const describe = (character: string) =>
  `a character that nobody can see (U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")})`;
