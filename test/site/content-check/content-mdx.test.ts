import { expect, test } from "vitest";
import { problemsAfter, problemsWith } from "./content-problems.ts";
import { validContent } from "./content-tree.ts";

const guide = "guides/choosing.mdx";

test.each([
  ["Hello {x}.", "`{x}` is code. To show it as text, write `\\{x\\}`."],
  ["{1 + 1}", "`{1 + 1}` is code. To show it as text, write `\\{1 + 1\\}`."],
  [
    'import fs from "fs"',
    '`import fs from "fs"` is code. Components work without an import. To show it as text, start the line with another word.',
  ],
  [
    "export const a = 1",
    "`export const a = 1` is code. Components work without an import. To show it as text, start the line with another word.",
  ],
  [
    '<ProductCard sku={"KES-C2"} />',
    '<ProductCard> has code in its attributes. Write them as text in quotes: name="text".',
  ],
  ["<ProductCard {...a} />", '<ProductCard> has code in its attributes. Write them as text in quotes: name="text".'],
  ["<sub title={x}>2</sub>", '<sub> has code in its attributes. Write them as text in quotes: name="text".'],
  ['<ProductCard id="a" />', '<ProductCard> has no attribute id. Write `<ProductCard sku="KES-C2-BK" />`.'],
])("%j never runs, and is reported with what to write", async (text, problem) => {
  expect(await problemsAfter(guide, "Take", `${text}\n\nTake`)).toEqual([`content/${guide}:7: ${problem}`]);
});

test("a table of the API's fields is of an object that there is, and others are named", async () => {
  expect(await problemsAfter(guide, "Take", '<Fields of="Order.lines.tax_lines" />\n\nTake')).toEqual([]);
  for (const path of ["order", "Order.lines.sku", "Order.nothing", "__proto__"]) {
    const [problem] = await problemsAfter(guide, "Take", `<Fields of="${path}" />\n\nTake`);
    expect(problem).toContain(`${guide}:7: "${path}" isn't an object of the API. Write one of Problem, Order,`);
  }
});

test("a character that nobody sees is found where it's written as an entity, too", async () => {
  expect(await problemsAfter(guide, "Take", "A&#x202e;b\n\nTake")).toEqual([
    `content/${guide}:7: This has a character that nobody can see (U+202E), written as an entity. Delete it.`,
  ]);
});

test("an .mdx file may show code as text and in code blocks", async () => {
  expect(
    await problemsAfter(guide, "Take", "A \\{x\\}, \\<b> and `{x}`:\n\n```js\nimport {x} from 'y'\n```\n\nTake"),
  ).toEqual([]);
});

test("a brace in an .mdx file is reported with its line", async () => {
  const [problem] = await problemsAfter(guide, "Take", "Take {this");
  expect(problem).toMatch(/^content\/guides\/choosing\.mdx:\d+: In an \.mdx file, \{ and < start code/);
});

test("a component without a closing tag is reported where it starts", async () => {
  expect(await problemsAfter(guide, "</Callout>", "")).toEqual([
    `content/${guide}:11: <Callout> isn't closed. Write \`</Callout>\` below its text.`,
  ]);
});

test("an unreadable product is reported once, without errors for links to it", async () => {
  const file = "products/barcode-scanners/kestrel-c2.md";
  expect(await problemsAfter(file, "10-02\n---", "10-02")).toEqual([
    `content/${file}:1: The fields must end with a second line \`---\`.`,
  ]);
  const page = (validContent["pages/shipping.md"] ?? "").replace("10-01\n---", "10-01");
  expect(await problemsWith({ "pages/shipping.md": page })).toEqual([
    "content/pages/shipping.md:1: The fields must end with a second line `---`.",
  ]);
});
