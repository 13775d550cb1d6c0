import { expect, test } from "vitest";
import { pageToMarkdown } from "../../../site/markdown-face/page-to-markdown.ts";
import { contentOfHtml, contentOfMarkdown, splitMarkdown } from "./faces.ts";

const html = `<head><title>A</title><link rel="describedby" href="/llms.txt" title="All pages: llms.txt"></head><main><h1>A</h1><h2>Costs</h2>
<p>See <a href="/returns" title="Money back">returns</a>, <strong>now</strong>.<br>Write.</p>
<p><img src="/a.svg" alt="A reader"></p>
<ol start="3"><li>one<ul><li>two</li></ul></li></ol>
<dl><dt>SKU</dt><dd><code>A-1</code></dd></dl>
<table><tr><th>x</th><th>y</th></tr><tr><td>c|d</td><td>e</td></tr><tr><td>f</td><td>g</td></tr></table>
<pre><code class="language-sh">curl  x</code></pre><blockquote>quote</blockquote><p>end</p></main>`;
const { body } = splitMarkdown(pageToMarkdown(html, "https://shop.example") ?? "");
const page = contentOfHtml({ name: "a", html }, "https://shop.example");

test("a page and its Markdown have the same content", () => {
  expect(contentOfMarkdown(body)).toEqual(page);
});

test.each([
  ["a lost cell", "| f | g |", "| f | |"],
  ["two swapped cells", "| f | g |", "| g | f |"],
  ["two swapped rows", /(\| c.*\n)(\| f.*\n)/, "$2$1"],
  ["an unescaped pipe", "c\\|d", "c|d"],
  ["a link that lost its title", ' "Money back"', ""],
  ["another address", "/returns", "/return"],
  ["a lost link", /\[returns\]\([^)]*\)/, "returns"],
  ["another alternative text", "A reader", "A scanner"],
  ["a lost picture", /!\[.*\n/, ""],
  ["a heading of another level", "## Costs", "### Costs"],
  ["a heading that became text", "## Costs", "Costs"],
  ["a nested list that lost its indent", "   - two", "- two"],
  ["another number", "3. one", "4. one"],
  ["a lost term", "**SKU**: ", ""],
  ["code that became text", "`A-1`", "A-1"],
  ["a lost language", "```sh", "```"],
  ["a lost space in code", "curl  x", "curl x"],
  ["lost emphasis", "**now**", "now"],
  ["a lost line break", "\\\nWrite", " Write"],
  ["a quote that became text", "> quote", "quote"],
  ["a word twice", "end", "end end"],
  ["a paragraph twice", "end\n", "end\n\nend\n"],
  ["an invented tag", "end", "<b>end</b>"],
])("the comparison detects %s", (_name, from, to) => {
  const changed = body.replace(from, to);
  expect(changed).not.toBe(body);
  expect(contentOfMarkdown(changed)).not.toEqual(page);
});
