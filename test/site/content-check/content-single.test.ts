import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { checkContent } from "../../../site/content-check/check.ts";
import { kestrel, type Mistake, osprey, problemsAfter } from "./content-problems.ts";
import { validContent, writeContent } from "./content-tree.ts";

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
    `content/${kestrel}:12: specifications is empty. Indent the lines that belong to it by two spaces.`,
  ],
  [
    "a list of options",
    osprey,
    "{ Colour: Black }",
    "[Black]",
    `content/${osprey}:12: variant 1, options is a list, not names with values. Write \`Colour: Black\` below it, indented and without a hyphen.`,
  ],
  [
    "a specification with a name reserved by JavaScript",
    kestrel,
    "  Reads: 1D",
    "  constructor: any\n  __proto__: x\n  Reads: 1D",
    `content/${kestrel}:14: specifications, __proto__ can't be used as a name. Choose another one.`,
  ],
  [
    "an option with a name reserved by JavaScript",
    osprey,
    "{ Colour: White }",
    "{ Colour: White, __proto__: x }",
    `content/${osprey}:17: variant 2, options, __proto__ can't be used as a name. Choose another one.`,
  ],
  [
    "a number as a price",
    kestrel,
    '"189.00"',
    "89",
    `content/${kestrel}:10: price 89 must be text in quotes. Write "89.00".`,
  ],
  [
    "an expected date for a product in stock",
    kestrel,
    "availability: in_stock",
    "availability: in_stock\navailable_from: 2099-01-11",
    `content/${kestrel}:12: available_from is for \`preorder\` and \`backorder\` only. Delete the line, or change the availability to one of these.`,
  ],
  [
    "an empty SKU",
    osprey,
    'sku: "OSP-BK"',
    'sku: ""',
    `content/${osprey}:8: variant 1, sku is empty. Write, for example, \`sku: "KES-C2-BK"\`.`,
  ],
  [
    "an empty price above the versions",
    osprey,
    "variants:",
    'price: ""\nvariants:',
    `content/${osprey}:7: price is filled in above the versions (\`variants\`), and each of them has its own. Empty it above: only the versions' count.`,
  ],
  [
    "an expected date beside variants",
    osprey,
    "specifications:",
    "available_from: 2099-01-11\nspecifications:",
    `content/${osprey}:18: available_from is filled in above the versions (\`variants\`). Empty it there, and write it into the versions that it belongs to.`,
  ],
  [
    "an expected date that has passed",
    osprey,
    "2099-01-11",
    "2026-01-05",
    `content/${osprey}:13: available_from 2026-01-05 has passed, so the shop no longer shows it, and Google's feed leaves this out. Write the new date. If the product has arrived, write \`availability: in_stock\` and delete this line.`,
  ],
  [
    "a pre-order without a date",
    kestrel,
    "in_stock",
    "preorder",
    `content/${kestrel}:11: availability is preorder, which Google lists only with a date, so its feed leaves this out. If you know the expected date, add \`available_from:\` with it.`,
  ],
  [
    "a back-order without a date",
    osprey,
    "    available_from: 2099-01-11\n",
    "",
    `content/${osprey}:11: availability is backorder, which Google lists only with a date, so its feed leaves this out. If you know the expected date, add \`available_from:\` with it.`,
  ],
  [
    "a date in the future",
    "pages/about.md",
    "2026-10-01",
    "2099-10-01",
    "content/pages/about.md:4: updated 2099-10-01 is in the future. Check it for a typo.",
  ],
  [
    "a product that is sold since a day in the future",
    kestrel,
    "updated:",
    "added: 2099-10-01\nupdated:",
    `content/${kestrel}:15: added 2099-10-01 is in the future. Check it for a typo.`,
  ],
];

test("a date that has passed is only a warning", async () => {
  const text = (validContent[kestrel] ?? "").replace("in_stock", "preorder\navailable_from: 2026-01-05");
  const root = writeContent({ [kestrel]: text });
  const problems = await checkContent(root);
  rmSync(root, { recursive: true });
  expect(problems.map(({ line, isWarning }) => [line, isWarning])).toEqual([[12, true]]);
});

test.each(single)("%s is reported once", async (_what, file, text, replacement, problem) => {
  expect(await problemsAfter(file, text, replacement)).toEqual([problem]);
});
