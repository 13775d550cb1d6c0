import { expect, test } from "vitest";
import { kestrel, type Mistake, problemsAfter } from "./content-problems.ts";

const mistakes: Mistake[] = [
  [
    "a colon in a title",
    kestrel,
    "title: Kestrel C2 cordless scanner",
    "title: Scanner: 2D",
    `content/${kestrel}:2: A text with a colon needs quotes: \`title: "Scanner: 2D"\`.`,
  ],
  [
    "a blank from Word",
    kestrel,
    "brand: Kestrel",
    "brand:\u00a0Kestrel",
    `content/${kestrel}:3: A blank of another kind stands here, pasted from Word or a website. Delete it and type a plain one.`,
  ],
  [
    "a group of fields twice",
    kestrel,
    "formerly:",
    "specifications:\n  Weight: 90 g\nformerly:",
    `content/${kestrel}:14: The field specifications stands here twice. Keep one.`,
  ],
  ["a tab", kestrel, "  - src:", "\t- src:", `content/${kestrel}:6: This line starts with a Tab. Use two spaces.`],
  [
    "no space after a colon",
    kestrel,
    "brand: Kestrel",
    "brand:Kestrel",
    `content/${kestrel}:3: A space is missing after the colon: write \`brand: Kestrel\`.`,
  ],
  [
    "a hash in a text",
    kestrel,
    "brand: Kestrel",
    "brand: Kestrel #2 black",
    `content/${kestrel}:3: \` #\` starts a comment, so that only \`Kestrel\` is left. Write \`brand: "Kestrel #2 black"\`.`,
  ],
  [
    "an apostrophe in single quotes",
    kestrel,
    "brand: Kestrel",
    "brand: 'Shop's own'",
    `content/${kestrel}:3: The text ends at the apostrophe. Use the other quotes: \`brand: "Shop's own"\`.`,
  ],
  [
    "a quote that stays open",
    kestrel,
    'sku: "KES-C2"',
    'sku: "KES-C2',
    `content/${kestrel}:8: The quote at the end of a text is missing.`,
  ],
  [
    "a field twice",
    kestrel,
    "brand: Kestrel",
    "brand: Kestrel\nbrand: Kestrel",
    `content/${kestrel}:4: The field brand stands here twice. Keep one.`,
  ],
  [
    "no first line of hyphens",
    kestrel,
    "---\ntitle",
    "title",
    `content/${kestrel}:1: The first line must be \`---\`, and the fields stand below it.`,
  ],
  [
    "no second line of hyphens",
    "pages/about.md",
    "10-01\n---",
    "10-01",
    "content/pages/about.md:1: A second line `---` is missing: it ends the fields.",
  ],
];

test("a Tab is all that is said, whatever it makes of the lines below it", async () => {
  const problems = await problemsAfter(kestrel, "  Reads:", "\tPower: USB\n  Weight: 90 g\n  Width: 70 mm\n  Reads:");
  expect(problems).toEqual([`content/${kestrel}:13: This line starts with a Tab. Use two spaces.`]);
});

test.each(mistakes)(
  "%s is named with its file, its line and what to write",
  async (_what, file, text, replacement, problem) => {
    expect(await problemsAfter(file, text, replacement)).toContain(problem);
  },
);
