import { expect, test } from "vitest";
import { kestrel, type Mistake, problemsAfter, problemsWith } from "./content-problems.ts";

const mistakes: Mistake[] = [
  [
    "a heading of level 1",
    kestrel,
    "## What it does",
    "# What it does",
    `content/${kestrel}:18: Only the page's title is a heading of level 1. Write \`## What it does\` with two signs.`,
  ],
  [
    "a heading that jumps a level",
    kestrel,
    "It scans.",
    "#### Speed\n\n",
    `content/${kestrel}:20: A heading of level 4 can't follow one of level 2. Write \`### Speed\`.`,
  ],
  [
    "a first heading that jumps a level",
    "pages/shipping.md",
    "## Costs",
    "### Costs",
    "content/pages/shipping.md:7: A heading of level 3 can't follow one of level 1. Write `## Costs`.",
  ],
  [
    "an attribute of HTML that runs a script",
    kestrel,
    "It scans.",
    "<kbd onclick=x>F1</kbd>",
    `content/${kestrel}:20: Found \`<kbd onclick=x>\`, pasted from Word or a website? Paste it as plain text (Ctrl+Shift+V) and write Markdown.`,
  ],
  [
    "a script disguised as a comment",
    kestrel,
    "It scans.",
    "<!--><script>x</script>-->",
    `content/${kestrel}:20: Found \`<script>\`, pasted from Word or a website? Paste it as plain text (Ctrl+Shift+V) and write Markdown.`,
  ],
  [
    "a component that isn't one, and would be shown as text",
    kestrel,
    "It scans.",
    'See <ProductCard sku={"A"} /> here.\n\n',
    `content/${kestrel}:20: \`<ProductCard sku={"A"} /> here.\` is code, and would be shown as text. Put code in backticks, and use components in .mdx files only.`,
  ],
  [
    "a module's line in a .md file",
    kestrel,
    "It scans.",
    "\n\nexport const a = 1\n\n",
    `content/${kestrel}:22: \`export const a = 1\` is code, and would be shown as text. Put code in backticks, and use components in .mdx files only.`,
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
    "content/guides/choosing.mdx:9: <ProductCart> isn't a component. Did you mean `ProductCard`?",
  ],
  [
    "a card within a line",
    "guides/choosing.mdx",
    "Take [",
    'Take <ProductCard sku="KES-C2" /> or [',
    "content/guides/choosing.mdx:7: <ProductCard> must be on its own line, with an empty line before and after.",
  ],
  [
    "an unknown kind of callout",
    "guides/choosing.mdx",
    'kind="tip"',
    'kind="hint"',
    'content/guides/choosing.mdx:11: "hint" isn\'t a kind of <Callout>. Use tip, note, warning.',
  ],
  [
    "a table of fields without its subject",
    "guides/choosing.mdx",
    '<ProductCard sku="KES-C2" />',
    "<Fields />",
    'content/guides/choosing.mdx:9: <Fields> needs of="…". Write `<Fields of="Order" />`.',
  ],
];

test.each(mistakes)(
  "%s is reported with its file, its line and what to write",
  async (_what, file, text, replacement, problem) => {
    expect(await problemsAfter(file, text, replacement)).toContain(problem);
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
  ["<https://test.example/products/osprey>", "without its address"],
  ["See https://test.example/products/osprey.", "without its address"],
  ["A <b>bold</b> word", "pasted"],
])("a product's text with %j is reported, although plain texts skip the parser", async (text, problem) => {
  expect((await problemsAfter(kestrel, "It scans.", `${text}\n\n`)).join()).toContain(problem);
});

test("code blocks may contain anything", async () => {
  expect(await problemsAfter(kestrel, "It scans.", "```html\n# <b>[A](/nowhere)</b>\n```\n\n`<i>`")).toEqual([]);
});

test("a question mark within text is allowed", async () => {
  expect(
    await problemsWith({ "pages/about.md": "---\ntitle: A\nsummary: B?\nupdated: 2026-10-01\n---\nWhy? So.\n" }),
  ).toEqual([]);
});
