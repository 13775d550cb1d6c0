import { expect, test } from "vitest";
import { kestrel, type Mistake, osprey, problemsAfter } from "./content-problems.ts";

const single: Mistake[] = [
  [
    "a list of specifications",
    kestrel,
    "  Reads: 1D",
    "  - Weight: 5 g\n  - Reads: 1D",
    `content/${kestrel}:12: specifications is a list, not names with values. Write \`Reads: 1D and 2D codes\` below it, indented and without a hyphen.`,
  ],
  [
    "specifications that are not indented",
    kestrel,
    "  Reads: 1D",
    "Weight: 5 g\nReads: 1D",
    `content/${kestrel}:12: specifications is empty: indent the lines below it that belong to it by two spaces.`,
  ],
  [
    "a list of options",
    osprey,
    "{ Colour: Black }",
    "[Black]",
    `content/${osprey}:13: variant 1, options is a list, not names with values. Write \`Colour: Black\` below it, indented and without a hyphen.`,
  ],
  [
    "a specification with a name that programs can't keep",
    kestrel,
    "  Reads: 1D",
    "  constructor: any\n  __proto__: x\n  Reads: 1D",
    `content/${kestrel}:14: specifications, __proto__ can't be a name. Write other words.`,
  ],
  [
    "an option with a name that programs can't keep",
    osprey,
    "{ Colour: White }",
    "{ Colour: White, __proto__: x }",
    `content/${osprey}:17: variant 2, options, __proto__ can't be a name. Write other words.`,
  ],
  [
    "a number as a price",
    kestrel,
    '"189.00"',
    "89",
    `content/${kestrel}:10: price 89 must be text in quotes. Write "89.00".`,
  ],
  [
    "a day for what is in stock",
    kestrel,
    "availability: in_stock",
    "availability: in_stock\navailable_from: 2027-01-11",
    `content/${kestrel}:12: available_from is for \`preorder\` and \`backorder\`: take the line out, or write one of these as availability.`,
  ],
  [
    "a day beside variants",
    osprey,
    "specifications:",
    "available_from: 2027-01-11\nspecifications:",
    `content/${osprey}:18: available_from belongs to each of the \`variants\`: move it there.`,
  ],
  [
    "a day that has not come",
    "pages/about.md",
    "2026-10-01",
    "2099-10-01",
    "content/pages/about.md:4: updated 2099-10-01 is still to come. A typing slip?",
  ],
];

test.each(single)("%s is one mistake, and is named once", async (_what, file, text, replacement, problem) => {
  expect(await problemsAfter(file, text, replacement)).toEqual([problem]);
});
