import { expect, test } from "vitest";
import { pageToMarkdown } from "../../../site/markdown-face/page-to-markdown.ts";

function convert(content: string): string {
  const html = `<html><head><title>A</title></head><body><main><h1>A</h1>${content}</main></body></html>`;
  const [, body = ""] = (pageToMarkdown(html, "https://shop.example") ?? "").split("\n# A\n\n");
  return body;
}

test("a table has no padding", () => {
  const table =
    "<table><thead><tr><th>SKU</th><th>Price</th></tr></thead><tbody><tr><td>KES-C2-BK</td><td>€1</td></tr></tbody></table>";
  expect(convert(table)).toBe("| SKU | Price |\n| - | - |\n| KES-C2-BK | €1 |\n");
});

test("a first row with a row heading and a value is a normal row", () => {
  const table =
    '<table><tr><th scope="row">Reads</th><td>1D</td></tr><tr><th scope="row">Weight</th><td>1 g</td></tr></table>';
  expect(convert(table)).toBe("| | |\n| - | - |\n| Reads | 1D |\n| Weight | 1 g |\n");
});

test("every row has as many cells as the widest row", () => {
  const table =
    "<table><thead><tr><th>A</th><th colspan=2>B</th></tr></thead><tr><td>1</td></tr><tr><td>1</td><td>2</td><td>3</td><td>4</td></tr></table>";
  const rows = convert(table).trim().split("\n");
  expect(rows).toHaveLength(4);
  expect(rows.map((row) => row.split("|").length - 2)).toEqual([4, 4, 4, 4]);
});

test("pipes in cells are escaped, including in code", () => {
  const table = "<table><thead><tr><th>A</th></tr></thead><tr><td>a|b <code>c|d</code></td></tr></table>";
  expect(convert(table)).toBe("| A |\n| - |\n| a\\|b `c\\|d` |\n");
});

test("blocks, lists, code and breaks in a cell become one line with spaces between words", () => {
  const cell = "<p>a</p><p>b</p><ul><li>c</li><li>d</li></ul>e<br>f<pre><code>g\n  h</code></pre>";
  expect(convert(`<table><thead><tr><th>A</th></tr></thead><tr><td>${cell}</td></tr></table>`)).toBe(
    "| A |\n| - |\n| a b c; d e f `g h` |\n",
  );
});

test("code with a backslash before a pipe becomes text, because a cell can't hold it", () => {
  expect(convert("<table><tr><th>A</th></tr><tr><td><code>a\\|b</code></td></tr></table>")).toBe(
    "| A |\n| - |\n| a\\\\\\|b |\n",
  );
});

test("a caption keeps its link", () => {
  expect(convert('<table><caption>See <a href="/x">x</a></caption><tr><th>A</th></tr></table>')).toBe(
    "**See [x](https://shop.example/x)**\n\n| A |\n| - |\n",
  );
});

test("a caption becomes a bold line above the table", () => {
  expect(convert("<table><caption>Sizes</caption><thead><tr><th>A</th></tr></thead><tr><td>1</td></tr></table>")).toBe(
    "**Sizes**\n\n| A |\n| - |\n| 1 |\n",
  );
});

test("a cell that spans rows and columns is placed in the first of them", () => {
  const table =
    '<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td rowspan="2" colspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></table>';
  expect(convert(table)).toBe("| A | B | C |\n| - | - | - |\n| 1 | | 2 |\n| | | 3 |\n");
});
