import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toString as textOf } from "mdast-util-to-string";
import { gfm } from "micromark-extension-gfm";
import { expect, test } from "vitest";
import { pageToMarkdown } from "../../../site/markdown-face/page-to-markdown.ts";
import { byDepth, seedFor } from "../../depth.ts";

const escapeHtml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Converts HTML below the H1 of a page. */
function convert(content: string): string {
  const html = `<html><head><title>A</title></head><body><main><h1>A</h1>${content}</main></body></html>`;
  const [, body = ""] = (pageToMarkdown(html, "https://shop.example") ?? "").split("\n# A\n\n");
  return body;
}

const read = (markdown: string) =>
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

test.each([
  "snake_case and a__b",
  "version 1. of 2) and #3 + 4 - 5 = 6",
  "sales@shop.example, https://shop.example/a_b and www.shop.example",
  "arr[0] and [x]",
  "AT&T, R&D and a & b",
  "2 * 3 and a _ b",
  "a < b, a <3 and b > a",
  "from €5*",
  "about ~5 m",
  "$5, 50 %, {x} and ^",
  "“quotes” 'single' \"double\"",
  "a ] b, a ) b, a | b",
  "Emoji 🎉👩‍💻, العربية, עברית, 日本語, e\u0301",
])("%s needs no escape", (text) => {
  expect(convert(`<p>${escapeHtml(text)}</p>`)).toBe(`${text}\n`);
});

const hostile = [
  "1. not a list",
  "- not a list",
  "+ not a list",
  "# no heading",
  "> no quote",
  "[x]: https://no.definition",
  "[!NOTE] no alert",
  "[ ] no task",
  "[x](https://no.link)",
  "![x](https://no.picture)",
  "*no emphasis* _no emphasis_ **no** ~~no~~ ~no~",
  "`no code` ``` no fence",
  "<b>no tag</b> <script>alert(1)</script> <!-- no --> </main>",
  "&amp; &copy; &#33; no entities",
  "---",
  "===",
  "***",
  "| no | table |",
  "a\\b \\* \\[ \\\\",
  "a\u00a0b",
];

test.each(hostile)("%s stays text in a paragraph, a list, a quote and a table cell", (text) => {
  const plain = escapeHtml(text);
  const content = `<p>${plain}</p><ul><li>${plain}</li></ul><blockquote><p>${plain}</p></blockquote><table><thead><tr><th>H</th></tr></thead><tr><td>${plain}</td></tr></table>`;
  const { children } = read(convert(content));
  expect(children.map((node) => node.type)).toEqual(["paragraph", "list", "blockquote", "table"]);
  expect(children.map((node) => textOf(node))).toEqual([text, text, text, `H${text}`]);
});

test.each(hostile)("%s stays text in a heading, bold text and a link", (text) => {
  const plain = escapeHtml(text);
  const { children } = read(
    convert(`<h2>${plain}</h2><p><strong>${plain}</strong></p><p><a href="/x">${plain}</a></p>`),
  );
  expect(children.map((node) => node.type)).toEqual(["heading", "paragraph", "paragraph"]);
  expect(children.map((node) => textOf(node))).toEqual([text, text, text]);
});

test("an address that would absorb the text after it is escaped", () => {
  expect(convert("<p>https://a.example<em>y</em></p>")).toBe("https\\://a.example*y*\n");
});

test("any text made of Markdown's own characters is read back unchanged", () => {
  const piece = fc.constantFrom(..."ab1 .)(][!*_~`#<>&;:|\\-+=@$\"'/é🎉", "&amp;", "www.a", "https://", "](", "[^1]");
  const line = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join("").replace(/ +/g, " ").trim());
  fc.assert(
    fc.property(line, line, fc.constantFrom(" ", ""), (first, second, gap) => {
      const markdown = convert(`<p>x ${escapeHtml(first)}${gap}<em>y</em>${gap}${escapeHtml(second)}</p><p>end</p>`);
      const expected = `x ${first}${gap}y${gap}${second}`.replace(/ +/g, " ").trim();
      const [paragraph, end] = read(markdown).children;
      expect([textOf(paragraph), textOf(end)]).toEqual([expected, "end"]);
    }),
    { numRuns: byDepth({ usual: 1_000, deep: 10_000 }), seed: seedFor("site/markdown-face") },
  );
});
