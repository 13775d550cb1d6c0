import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { checkContent } from "../../site/content-check/check.ts";
import { formatProblem } from "../../site/content-check/problem.ts";
import { validContent, writeContent } from "./content-tree.ts";

const kestrel = "products/barcode-scanners/kestrel-c2.md";
const osprey = "products/barcode-scanners/osprey.md";

/** What the check says about the valid shop with changed files. */
function problemsWith(changes: Record<string, string | null>): string[] {
  const folder = writeContent(changes);
  try {
    return checkContent(folder).map(formatProblem);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the check says after a text of one file was replaced by another. */
function problemsAfter(file: string, text: string, replacement: string): string[] {
  const valid = validContent[file] ?? "";
  if (!valid.includes(text)) throw new Error(`${file} has no ${text}`);
  return problemsWith({ [file]: valid.replace(text, replacement) });
}

test("a shop without a mistake has no problems", () => {
  expect(problemsWith({})).toEqual([]);
});

test("line ends of Windows and a byte order mark are no mistakes", () => {
  const text = (validContent[kestrel] ?? "").replaceAll("\n", "\r\n");
  expect(problemsWith({ [kestrel]: `\uFEFF${text}` })).toEqual([]);
});

const mistakes: [what: string, file: string, text: string, replacement: string, problem: string][] = [
  // Fields
  [
    "a mistyped field",
    kestrel,
    "brand:",
    "barnd:",
    `content/${kestrel}:3: barnd is a field that does not exist here. Did you mean \`brand\`?`,
  ],
  [
    "a missing field",
    kestrel,
    "brand: Kestrel\n",
    "",
    `content/${kestrel}:1: brand is missing. Write, for example, \`brand: Kestrel\`.`,
  ],
  [
    "an empty field",
    kestrel,
    "brand: Kestrel",
    "brand:",
    `content/${kestrel}:3: brand is empty. Write, for example, \`brand: Kestrel\`.`,
  ],
  [
    "a summary that is too long",
    "pages/about.md",
    "About about us.",
    "x".repeat(161),
    "content/pages/about.md:3: summary has 161 characters; 160 is the most. Shorten it.",
  ],
  [
    "a mistyped word",
    kestrel,
    "in_stock",
    "instock",
    `content/${kestrel}:11: availability "instock" is none of in_stock, preorder, backorder, out_of_stock. Did you mean \`in_stock\`?`,
  ],
  [
    "yes for a boolean",
    "store.yaml",
    "prices_include_tax: true",
    "prices_include_tax: yes",
    "content/store.yaml:7: prices_include_tax must be `true` or `false`; you wrote `yes`.",
  ],
  [
    "a day that is none",
    "pages/about.md",
    "2026-10-01",
    "2026-02-30",
    'content/pages/about.md:4: updated "2026-02-30" is no date. Write it as `2026-11-20`: year-month-day.',
  ],
  [
    "a day in another order",
    "pages/about.md",
    "2026-10-01",
    "01/10/2026",
    'content/pages/about.md:4: updated "01/10/2026" is no date. Write it as `2026-11-20`: year-month-day.',
  ],
  [
    "curly quotes",
    kestrel,
    "brand: Kestrel",
    "brand: “Kestrel”",
    `content/${kestrel}:3: brand stands in curly quotes, which would be printed. Use straight ones: "`,
  ],
  [
    "HTML in a title",
    kestrel,
    "title: Kestrel C2",
    "title: Kestrel <b>C2</b>",
    `content/${kestrel}:2: title must be plain text, without HTML.`,
  ],
  [
    "a wrong category order",
    "categories/barcode-scanners.md",
    "order: 10",
    "order: first",
    "content/categories/barcode-scanners.md:4: order must be a whole number, for example `order: 10`.",
  ],
  // Identifiers
  [
    "a wrong check digit",
    kestrel,
    "2000000000015",
    "2000000000018",
    `content/${kestrel}:9: gtin "2000000000018" has a wrong check digit: the last digit should be 5. A typing slip?`,
  ],
  [
    "a GTIN that is too short",
    kestrel,
    "2000000000015",
    "20000000015",
    `content/${kestrel}:9: gtin "20000000015" has 11 digits. A GTIN has 13.`,
  ],
  [
    "a UPC",
    kestrel,
    "2000000000015",
    "012345678905",
    `content/${kestrel}:9: gtin "012345678905" has 12 digits. A UPC becomes a GTIN with a zero in front: write "0012345678905".`,
  ],
  [
    "a GTIN without quotes",
    kestrel,
    '"2000000000015"',
    "0217302001370",
    `content/${kestrel}:9: gtin must be text in quotes: 0217302001370 would become 217302001370. Write \`gtin: "0217302001370"\`.`,
  ],
  [
    "a SKU without quotes",
    kestrel,
    '"KES-C2"',
    "00123",
    `content/${kestrel}:8: sku must be text in quotes: 00123 would become 123. Write \`sku: "00123"\`.`,
  ],
  [
    "a SKU with a blank",
    osprey,
    '"OSP-WH"',
    '"OSP WH"',
    `content/${osprey}:14: variant 2, sku "OSP WH" has a blank or a letter beyond ASCII, which no ERP reads safely.`,
  ],
  [
    "a SKU that another product has",
    osprey,
    '"OSP-WH"',
    '"KES-C2"',
    `content/${osprey}:14: SKU KES-C2 is also in content/${kestrel}:8; use it once.`,
  ],
  [
    "a GTIN that another product has",
    osprey,
    "2000000000022",
    "2000000000015",
    `content/${osprey}:10: GTIN 2000000000015 is also in content/${kestrel}:9; use it once.`,
  ],
  // Variants
  [
    "options that differ",
    osprey,
    "{ Colour: White }",
    "{ Color: White }",
    `content/${osprey}:17: variant 2, options must be the same in every variant: Colour.`,
  ],
  [
    "the same options twice",
    osprey,
    "{ Colour: White }",
    "{ Colour: Black }",
    `content/${osprey}:17: variant 2, options are those of variant 1 too: every combination stands once.`,
  ],
  [
    "a price beside variants",
    osprey,
    "specifications:",
    'price: "1.00"\nspecifications:',
    `content/${osprey}:18: price belongs to each of the \`variants\`: move it there.`,
  ],
  [
    "neither SKU nor variants",
    kestrel,
    'sku: "KES-C2"\n',
    "",
    `content/${kestrel}:1: sku is missing. Write \`sku: "KES-C2-BK"\`, or a list of \`variants\`.`,
  ],
  [
    "a number as a specification",
    kestrel,
    "Reads: 1D and 2D codes",
    "Firmware: 1.10",
    `content/${kestrel}:13: specifications, Firmware must be text in quotes: 1.10 would become 1.1. Write \`Firmware: "1.10"\`.`,
  ],
  [
    "a day as a specification",
    kestrel,
    "Reads: 1D and 2D codes",
    "Since: 2026-10-02",
    `content/${kestrel}:13: Since would be read as a date. Write \`Since: "2026-10-02"\`.`,
  ],
  // Pictures
  [
    "a picture that is not there",
    kestrel,
    "./kestrel-c2.svg",
    "./kestrl-c2.svg",
    `content/${kestrel}:6: No file ./kestrl-c2.svg. Did you mean \`./kestrel-c2.svg\`?`,
  ],
  [
    "capitals in a picture's name",
    kestrel,
    "./kestrel-c2.svg",
    "./Kestrel-C2.svg",
    `content/${kestrel}:6: No file ./Kestrel-C2.svg; there is ./kestrel-c2.svg (capitals matter).`,
  ],
  [
    "a picture's path without a dot",
    kestrel,
    "./kestrel-c2.svg",
    "kestrel-c2.svg",
    `content/${kestrel}:6: A picture's path begins with a dot: write \`./kestrel-c2.svg\`.`,
  ],
  [
    "a picture without a description",
    kestrel,
    "    alt: The Kestrel C2 in its cradle\n",
    "",
    `content/${kestrel}:6: picture 1, alt is missing. Write, for example, \`alt: The scanner in its cradle, seen from the left\`.`,
  ],
  [
    "a picture in a text without a description",
    kestrel,
    "It scans.",
    "![](./kestrel-c2.svg)",
    `content/${kestrel}:20: The picture has no description. Write \`![What it shows](./picture.svg)\`.`,
  ],
  [
    "a picture from elsewhere",
    kestrel,
    "It scans.",
    "![A](https://example.com/a.png)",
    `content/${kestrel}:20: The picture https://example.com/a.png is elsewhere on the web. Save it beside this file and name it here.`,
  ],
  // YAML
  [
    "a colon in a title",
    kestrel,
    "title: Kestrel C2 cordless scanner",
    "title: Scanner: 2D",
    `content/${kestrel}:2: A text with a colon needs quotes: \`title: "Scanner: 2D"\`.`,
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
  // Links
  [
    "a link to nothing",
    kestrel,
    "/shipping#costs",
    "/products/ospry",
    `content/${kestrel}:20: No page \`/products/ospry\`. Did you mean \`/products/osprey\`?`,
  ],
  [
    "a slash at a link's end",
    kestrel,
    "/shipping#costs",
    "/shipping/",
    `content/${kestrel}:20: The link \`/shipping/\` must be written as \`/shipping\`.`,
  ],
  [
    "a link to a file",
    kestrel,
    "/shipping#costs",
    "../../pages/shipping.md",
    `content/${kestrel}:20: No page \`../../pages/shipping.md\`. Did you mean \`/shipping\`?`,
  ],
  [
    "a link to a former address",
    "pages/about.md",
    "/guides/choosing",
    "/products/kestrel-c1",
    "content/pages/about.md:7: The page `/products/kestrel-c1` has moved. Write `/products/kestrel-c2`.",
  ],
  [
    "a link to a heading that is not there",
    kestrel,
    "#costs",
    "#cost",
    `content/${kestrel}:20: The page \`/shipping\` has no heading \`#cost\`. Did you mean \`#costs\`?`,
  ],
  [
    "a link with the shop's own address",
    kestrel,
    "/shipping#costs",
    "https://test.example/shipping",
    `content/${kestrel}:20: Write a link within the shop without its address: \`/shipping\`.`,
  ],
  [
    "a link without https",
    kestrel,
    "/shipping#costs",
    "www.example.com",
    `content/${kestrel}:20: The link \`www.example.com\` lacks its beginning: write \`https://www.example.com\`.`,
  ],
  [
    "a link that runs code",
    kestrel,
    "/shipping#costs",
    "javascript:alert()",
    `content/${kestrel}:20: The link \`javascript:alert()\` is neither a web address nor mailto: nor tel:.`,
  ],
  // Texts
  [
    "a heading of level 1",
    kestrel,
    "## What it does",
    "# What it does",
    `content/${kestrel}:18: The title is the page's only heading of level 1. Write \`## What it does\` with two signs.`,
  ],
  [
    "pasted HTML",
    kestrel,
    "It scans.",
    '<p style="color: red">It scans.</p>',
    `content/${kestrel}:20: Found \`<p style="color: red">\`, pasted from Word or a website? Paste it as plain text (Ctrl+Shift+V) and write Markdown.`,
  ],
  [
    "a component in a .md file",
    "pages/about.md",
    "We test.",
    '\n\n<Callout kind="tip">\n\nA\n\n</Callout>\n\n',
    "content/pages/about.md:9: <Callout> works in an .mdx file only. Rename this file to end in .mdx.",
  ],
  [
    "an unknown SKU in a card",
    "guides/choosing.mdx",
    'sku="KES-C2"',
    'sku="KES-C3"',
    "content/guides/choosing.mdx:9: No product has the SKU KES-C3. Did you mean `KES-C2`?",
  ],
  [
    "an unknown component",
    "guides/choosing.mdx",
    "<ProductCard",
    "<ProductCart",
    "content/guides/choosing.mdx:9: There is no component <ProductCart>. Did you mean `ProductCard`?",
  ],
  [
    "a card within a line",
    "guides/choosing.mdx",
    "Take [",
    'Take <ProductCard sku="KES-C2" /> or [',
    "content/guides/choosing.mdx:7: <ProductCard> must stand on lines of its own, with an empty line before and after.",
  ],
  [
    "an unknown kind of callout",
    "guides/choosing.mdx",
    'kind="tip"',
    'kind="hint"',
    'content/guides/choosing.mdx:11: <Callout> has no kind "hint": tip, note, warning.',
  ],
];

test.each(mistakes)(
  "%s is named with its file, its line and what to write",
  (_what, file, text, replacement, problem) => {
    expect(problemsAfter(file, text, replacement)).toContain(problem);
  },
);

test.each([
  ["> # Heading in a quotation", "level 1"],
  ["1. # Heading in a list", "level 1"],
  ["Heading\n===", "level 1"],
  ["[A][a]\n\n[a]: /nowhere", "No page"],
  ["[A](\n/nowhere)", "No page"],
  ["[A](</nowhere>)", "No page"],
  ['[A](/nowhere "title")', "No page"],
  ["[A](/osprey&#47;)", "No page"],
  ["[![B](./kestrel-c2.svg)](/nowhere)", "No page"],
  ["| A |\n|---|\n| [A](/nowhere) |", "No page"],
  ["![A][a]\n\n[a]: ./nothing.svg", "No file"],
  ["<https://test.example/osprey>", "without its address"],
  ["See https://test.example/osprey.", "without its address"],
  ["A <b>bold</b> word", "pasted"],
])("a product's text with %j has a problem, though most texts are never parsed", (text, problem) => {
  expect(problemsAfter(kestrel, "It scans.", `${text}\n\n`).join()).toContain(problem);
});

test("code is no mistake, whatever it holds", () => {
  expect(problemsAfter(kestrel, "It scans.", "```html\n# <b>[A](/nowhere)</b>\n```\n\n`<i>`")).toEqual([]);
});

test("a brace in an .mdx file is named with its line", () => {
  const [problem] = problemsAfter("guides/choosing.mdx", "Take", "Take {this");
  expect(problem).toMatch(/^content\/guides\/choosing\.mdx:\d+: In an \.mdx file, \{ and < begin code/);
});

test("a folder without a category is named, with the one that was meant", () => {
  const moved = { [kestrel]: null, "products/barcode-scaners/kestrel-c2.md": validContent[kestrel] ?? "" };
  expect(problemsWith(moved)).toContain(
    "content/products/barcode-scaners/kestrel-c2.md:1: There is no category barcode-scaners: content/categories/barcode-scaners.md does not exist. Did you mean `barcode-scanners`?",
  );
});

test("a slug is used once in the whole shop, former ones included", () => {
  const other = validContent["categories/barcode-scanners.md"] ?? "";
  const twin = (validContent[kestrel] ?? "").replace("kestrel-c1", "osprey").replace("KES-C2", "KES-C9");
  const problems = problemsWith({ "categories/tills.md": other, "products/tills/kestrel-c2.md": twin });
  const addresses = problems.filter((problem) => problem.includes("address"));
  expect(addresses).toEqual([
    `content/products/tills/kestrel-c2.md:1: The address /products/kestrel-c2 is also that of content/${kestrel}:1. Choose another one.`,
    `content/products/tills/kestrel-c2.md:14: The address /products/osprey is also that of content/${osprey}:1. Choose another one.`,
  ]);
});

test("a file name that is no slug, in a wrong place or of a wrong type is named", () => {
  const page = validContent["pages/about.md"] ?? "";
  const problems = problemsWith({
    "pages/About_Us.md": page,
    "pages/search.md": page,
    "products/stray.md": page,
    "products/barcode-scanners/photo.JPG": "x",
  });
  expect(problems.map((problem) => problem.split(":1: ")[0])).toEqual(
    expect.arrayContaining([
      "content/pages/About_Us.md",
      "content/pages/search.md",
      "content/products/stray.md",
      "content/products/barcode-scanners/photo.JPG",
    ]),
  );
});

test("all problems of all files are named at once, by file and line", () => {
  const problems = problemsWith({
    [kestrel]: (validContent[kestrel] ?? "")
      .replace("brand", "barnd")
      .replace("189.00", "189,00")
      .replace("## W", "# W"),
    "pages/about.md": (validContent["pages/about.md"] ?? "").replace("/guides/choosing", "/guide"),
  });
  expect(problems.map((problem) => /^\S+:(\d+)/.exec(problem)?.[0])).toEqual([
    "content/pages/about.md:7",
    `content/${kestrel}:1`,
    `content/${kestrel}:3`,
    `content/${kestrel}:10`,
    `content/${kestrel}:18`,
  ]);
});

test("a shop without its settings or a page that others link to is told so", () => {
  expect(problemsWith({ "store.yaml": null, "pages/shipping.md": null })).toEqual(
    expect.arrayContaining([
      "content/store.yaml:1: The file is missing.",
      "content/pages/shipping.md:1: The page is missing; others link to it.",
    ]),
  );
});

test("a real GTIN, outside the restricted ranges, is right", () => {
  expect(problemsAfter(kestrel, "2000000000015", "4006381333931")).toEqual([]);
});
