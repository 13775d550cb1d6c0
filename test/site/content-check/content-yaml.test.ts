import { expect, test } from "vitest";
import { kestrel, type Mistake, osprey, problemsAfter, problemsWith } from "./content-problems.ts";
import { validContent } from "./content-tree.ts";

const mistakes: Mistake[] = [
  [
    "a colon in a title",
    kestrel,
    "title: Kestrel C2 cordless scanner",
    "title: Scanner: 2D",
    `content/${kestrel}:2: Text with a colon needs quotes: \`title: "Scanner: 2D"\`.`,
  ],
  [
    "a no-break space from Word",
    kestrel,
    "brand: Kestrel",
    "brand:\u00a0Kestrel",
    `content/${kestrel}:3: This line has a special space, pasted from Word or a website. Delete it and type a normal one.`,
  ],
  [
    "an anchor",
    kestrel,
    "brand: Kestrel",
    "brand: &co Kestrel",
    `content/${kestrel}:3: Text that starts with \`&\` needs quotes: \`brand: "&co Kestrel"\`.`,
  ],
  [
    "a tag in front of a field",
    kestrel,
    "brand: Kestrel",
    "!!binary brand: Kestrel",
    `content/${kestrel}:3: \`!!binary\` means something else in front of a field. Write \`brand: Kestrel\`.`,
  ],
  [
    "an alias",
    kestrel,
    "brand: Kestrel",
    "brand: *new*",
    `content/${kestrel}:3: Text that starts with \`*\` needs quotes: \`brand: "*new*"\`.`,
  ],
  [
    "a tag",
    kestrel,
    "brand: Kestrel",
    "brand: !new",
    `content/${kestrel}:3: Text that starts with \`!\` needs quotes: \`brand: "!new"\`.`,
  ],
  [
    "a control character",
    kestrel,
    "title: Kestrel",
    "title: Kestrel\u0003",
    `content/${kestrel}:2: After “title: Kestrel” is a character that nobody can see (U+0003). Delete it, or type the line again.`,
  ],
  [
    "a control character written with a backslash",
    kestrel,
    "brand: Kestrel",
    'brand: "Kestrel\\x03"',
    `content/${kestrel}:3: brand has a character that nobody can see (U+0003), written with a backslash. Delete both.`,
  ],
  [
    "a character in a text that turns its direction",
    kestrel,
    "It scans.",
    "\u202eIt scans.",
    `content/${kestrel}:20: This line starts with a character that nobody can see (U+202E). Delete it, or type the line again.`,
  ],
  [
    "a group of fields twice",
    kestrel,
    "formerly:",
    "specifications:\n  Weight: 90 g\nformerly:",
    `content/${kestrel}:14: The field specifications is here twice. Keep one.`,
  ],
  ["a tab", kestrel, "  - src:", "\t- src:", `content/${kestrel}:6: This line starts with a tab. Use spaces.`],
  [
    "a missing space after a colon",
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
    `content/${kestrel}:3: \` #\` starts a comment, so only \`Kestrel\` remains. Write \`brand: "Kestrel #2 black"\`.`,
  ],
  [
    "an apostrophe in single quotes",
    kestrel,
    "brand: Kestrel",
    "brand: 'Shop's own'",
    `content/${kestrel}:3: The text ends at the apostrophe. Use double quotes: \`brand: "Shop's own"\`.`,
  ],
  [
    "a missing closing quote",
    kestrel,
    'sku: "KES-C2"',
    'sku: "KES-C2',
    `content/${kestrel}:8: The closing quote is missing.`,
  ],
  [
    "a field twice",
    kestrel,
    "brand: Kestrel",
    "brand: Kestrel\nbrand: Kestrel",
    `content/${kestrel}:4: The field brand is here twice. Keep one.`,
  ],
  [
    "a missing first line of hyphens",
    kestrel,
    "---\ntitle",
    "title",
    `content/${kestrel}:1: The first line must be \`---\`, with the fields below it.`,
  ],
  [
    "a missing second line of hyphens",
    "pages/about.md",
    "10-01\n---",
    "10-01",
    "content/pages/about.md:1: The fields must end with a second line `---`.",
  ],
];

const conflict = (first: number, last: number) =>
  `${first}: Two people changed the same lines, and git kept both versions (a merge conflict) in lines ${first} to ${last}. Keep what is right, and delete the rest with the lines that begin with <<<<<<<, ======= and >>>>>>>.`;
const indentation = (line: number, field: string, has: string, needs: string) =>
  `${line}: Wrong indent: \`${field}\` has ${has}, and needs ${needs}.`;

test.each([
  [
    "a field too far left",
    osprey,
    '    price: "1299',
    '   price: "1299',
    indentation(10, "price", "3 spaces", "4 spaces"),
  ],
  [
    "a field too far right",
    osprey,
    '    price: "1299',
    '      price: "1299',
    indentation(10, "price", "6 spaces", "4 spaces"),
  ],
  ["an indented field", kestrel, "brand:", "  brand:", indentation(3, "brand", "2 spaces", "none")],
  [
    "a specification below another",
    kestrel,
    "codes\nf",
    "codes\n    Weight: 5 g\nf",
    indentation(14, "Weight", "4 spaces", "2 spaces"),
  ],
  [
    "a specification that is not indented, above another",
    kestrel,
    "codes\nf",
    "codes\nSize: 5 cm\n  Weight: 5 g\nf",
    indentation(14, "Size", "no indent", "2 spaces"),
  ],
  [
    "two specifications that are not indented, above another",
    kestrel,
    "  Reads:",
    "  Width: 5 cm\nSize: 5 cm\nSpeed: fast\n  Reads:",
    indentation(14, "Size", "no indent", "2 spaces"),
  ],
  [
    "a variant's field that is not indented",
    osprey,
    '    price: "1299',
    'price: "1299',
    indentation(10, "price", "no indent", "4 spaces"),
  ],
  ["a date too far right", kestrel, "updated:", "  updated:", indentation(15, "updated", "2 spaces", "none")],
  ["a description too far left", kestrel, "    alt:", "  alt:", indentation(7, "alt", "2 spaces", "4 spaces")],
  [
    "a description that is not indented",
    kestrel,
    "    alt:",
    "alt:",
    "7: alt belongs to picture 1. Indent it like the fields above.",
  ],
  [
    "a first entry without its dash",
    osprey,
    '  - sku: "OSP-BK"',
    '    sku: "OSP-BK"',
    '8: A dash is missing at the start of a list entry. Write `  - sku: "OSP-BK"`.',
  ],
  [
    "a later entry without its dash",
    osprey,
    '  - sku: "OSP-WH"',
    '    sku: "OSP-WH"',
    '14: A dash is missing at the start of a list entry. Write `  - sku: "OSP-WH"`.',
  ],
  [
    "the only entry without its dash",
    kestrel,
    "  - src:",
    "    src:",
    "5: images must be a list. Write a dash before each picture, `- src: …`, and `alt: …` below it.",
  ],
  [
    "a dash without a space",
    osprey,
    '  - sku: "OSP-WH"',
    '  -sku: "OSP-WH"',
    '14: A space is missing after the dash: write `  - sku: "OSP-WH"`.',
  ],
  [
    "text where a list belongs",
    kestrel,
    "[kestrel-c1]",
    "kestrel-c1",
    '14: formerly must be a list: write `formerly: ["kestrel-c1"]`.',
  ],
  [
    "an open bracket",
    kestrel,
    "[kestrel-c1]",
    "[kestrel-c1",
    "15: A bracket is open here or above. Close every [ with ], and every { with }.",
  ],
  [
    "a merge conflict",
    kestrel,
    "brand: Kestrel\n",
    "<<<<<<< HEAD\nbrand: A\n=======\nbrand: B\n>>>>>>> b\n",
    conflict(3, 7),
  ],
  [
    "a merge conflict in the text",
    kestrel,
    "It scans.",
    "<<<<<<< HEAD\nIt scans.\n=======\nIt reads.\n>>>>>>> b\n",
    conflict(20, 24),
  ],
  [
    "a merge conflict in the shop's settings",
    "store.yaml",
    "name: Testcounter\n",
    "<<<<<<< HEAD\nname: A\n||||||| base\n=======\nname: B\n>>>>>>> b\n",
    conflict(1, 6),
  ],
  [
    "a price in curly quotes",
    kestrel,
    '"189.00"',
    "“189.00”",
    '10: These quotes are curly. Use straight quotes: `price: "189.00"`.',
  ],
  [
    "a SKU in mixed quotes",
    kestrel,
    '"KES-C2"',
    '"KES-C2”',
    '8: These quotes are curly. Use straight quotes: `sku: "KES-C2"`.',
  ],
  [
    "a brand in single curly quotes",
    kestrel,
    "brand: Kestrel",
    "brand: ‘Kestrel’",
    '3: These quotes are curly. Use straight quotes: `brand: "Kestrel"`.',
  ],
  [
    "a title with a colon in curly quotes",
    kestrel,
    "title: Kestrel C2 cordless scanner",
    "title: “Which one: this?”",
    '2: These quotes are curly. Use straight quotes: `title: "Which one: this?"`.',
  ],
  [
    "a boolean in curly quotes",
    "store.yaml",
    "tax: true",
    "tax: “true”",
    "7: These quotes are curly. Use straight quotes: `prices_include_tax: true`.",
  ],
  [
    "an option in curly quotes",
    osprey,
    "Black",
    "“Black”",
    '12: variant 1, options, Colour is in curly quotes, which would be printed. Use straight quotes: `"Black"`.',
  ],
  [
    "a date in another order",
    kestrel,
    "2026-10-02",
    "2.10.2026",
    '15: updated "2.10.2026" isn\'t a valid date. Write `2026-10-02`.',
  ],
])("%s is reported once, in plain words", async (_what, file, text, replacement, problem) => {
  expect(await problemsAfter(file, text, replacement)).toEqual([`content/${file}:${problem}`]);
});

test.each(["|", ">-", "|2 # as written"])(
  "text below a field that ends in %s may contain any characters",
  async (sign) => {
    const text = `      He said: “Yes”
      -dash: it works

      \t“Quoted”
      since: 2026-10-02 #1`;
    const questions = `questions:\n  - question: Does it read?\n    answer: ${sign}\n${text}\nupdated:`;
    expect(await problemsAfter(kestrel, "updated:", questions)).toEqual([]);
  },
);

test("a field after block text is checked", async () => {
  const questions = "questions:\n  - question: Does it read?\n    answer: >\n      “Yes”\nupdated:";
  const text = (validContent[kestrel] ?? "").replace("updated:", questions).replace("updated: 2026", "updated: “2026");
  expect(await problemsWith({ [kestrel]: text.replace("10-02\n---", "10-02”\n---") })).toEqual([
    `content/${kestrel}:19: These quotes are curly. Use straight quotes: \`updated: "2026-10-02"\`.`,
  ]);
});

test.each([
  ["in a code block", "```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> b\n```"],
  ["in a code block with a line of a shorter fence", "~~~~\n~~~\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> b\n~~~~"],
  ["without the other two markers", "<<<<<<< HEAD\n\nIt scans."],
  ["without its last marker", "<<<<<<< HEAD\n\nIt scans.\n\n```\n=======\n```"],
])("a merge conflict marker %s is text", async (_where, text) => {
  expect(await problemsAfter(kestrel, "It scans.", `\n${text}\n\n`)).toEqual([]);
});

test.each([
  ["title: Kestrel C2 cordless scanner", "title: Kestrel # 2 scanner", 2, "# 2 scanner", "Kestrel # 2 scanner"],
  ["Reads: 1D and 2D codes\n", "Reads: 1D and 2D codes # QR too\n", 13, "# QR too", "1D and 2D codes # QR too"],
  [
    "alt: The",
    "alt: O'Neill # 2, the",
    7,
    "# 2, the Kestrel C2 in its cradle",
    "O'Neill # 2, the Kestrel C2 in its cradle",
  ],
])("%j written as %j may have lost what follows #, which is a doubt", async (text, written, line, comment, whole) => {
  expect(await problemsAfter(kestrel, text, written)).toEqual([
    `content/${kestrel}:${line}: \` #\` starts a comment, so \`${comment}\` isn't read. If it belongs to the text, use quotes: \`"${whole}"\`.`,
  ]);
});

test("a comment after what isn't words, or in a line of its own, is one", async () => {
  const commented = (validContent[kestrel] ?? "")
    .replace("title:", "# Of the shop\ntitle:")
    .replace('price: "189.00"', 'price: "189.00" # per piece')
    .replace("in_stock", "in_stock # until May")
    .replace("2026-10-02", "2026-10-02 # by Ann")
    .replace("specifications:", "specifications: # of the maker")
    .replace("./kestrel-c2.svg", "./kestrel-c2.svg # drawn")
    .replace("1D and 2D codes\n", '"1D and 2D codes" # both\n');
  expect(await problemsWith({ [kestrel]: commented })).toEqual([]);
});

test("a merge conflict after a code block is reported", async () => {
  const text = "```\ncode\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> b\n";
  expect(await problemsAfter(kestrel, "It scans.", text)).toEqual([`content/${kestrel}:${conflict(23, 27)}`]);
});

test("extra spaces before any line get advice on the right indent or the missing part", async () => {
  const lines = (validContent[osprey] ?? "").split("\n").slice(1, 23);
  for (const [index, line] of lines.entries())
    for (const more of [" ", "  ", "   "]) {
      const problems = await problemsAfter(osprey, `\n${line}\n`, `\n${more}${line}\n`);
      expect(problems.filter((problem) => /can't be read|Nested mappings|implicit/.test(problem))).toEqual([]);
      expect([index, more, problems.length < 3]).toEqual([index, more, true]);
    }
});

test("a tab is reported alone, without the errors it causes", async () => {
  const problems = await problemsAfter(kestrel, "  Reads:", "\tPower: USB\n  Weight: 90 g\n  Width: 70 mm\n  Reads:");
  expect(problems).toEqual([`content/${kestrel}:13: This line starts with a tab. Use spaces.`]);
});

test.each(mistakes)(
  "%s is reported with its file, its line and what to write",
  async (_what, file, text, replacement, problem) => {
    expect(await problemsAfter(file, text, replacement)).toContain(problem);
  },
);
