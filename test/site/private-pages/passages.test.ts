import { expect, test } from "vitest";
import { readPageText } from "../../../site/private-pages/passages.ts";

const pageWith = (main: string) =>
  `<!DOCTYPE html><html><head><title>Returns</title></head><body><main>${main}</main></body></html>`;

const read = (main: string) => readPageText(pageWith(main), "/returns", "https://shop.example");

test("each heading of a page begins a passage with its own address, as Markdown with absolute links", () => {
  const { passages } = read(
    `<nav><ol><li>Home</li></ol></nav><article><h1>Returns</h1><p class="lead">Send it back.</p>
    <div class="prose"><p>Try it.</p><h2 id="how">How to</h2><ol><li>Write to <a href="/contact">us</a>.</li></ol>
    <h3 id="when">When</h3><section class="scroll"><table><thead><tr><th>To</th></tr></thead><tbody><tr><td>NL</td></tr></tbody></table></section></div>
    <p class="updated">Updated yesterday</p></article><nav><ul><li>How to</li></ul></nav>`,
  );
  expect(passages).toEqual([
    { page: "Returns", title: "Returns", path: "/returns", text: "Send it back.\n\nTry it." },
    { page: "Returns", title: "How to", path: "/returns#how", text: "1. Write to [us](https://shop.example/contact)." },
    { page: "Returns", title: "When", path: "/returns#when", text: "| To |\n| - |\n| NL |" },
  ]);
});

test("a heading without text below it is no passage, and one without an id stays at the address above it", () => {
  const { passages } = read(
    '<h1>Returns</h1><div class="prose"><h2 id="a">A</h2><h3 id="b">B</h3><p>Text.</p><h3>C</h3><p>More.</p></div>',
  );
  expect(passages.map(({ title, path }) => [title, path])).toEqual([
    ["B", "/returns#b"],
    ["C", "/returns#b"],
  ]);
});

test("a long text is several passages of whole paragraphs at one address", () => {
  const paragraph = `${"A sentence of some length. ".repeat(20).trim()}`;
  const { passages } = read(
    `<h1>Terms</h1><div class="prose"><h2 id="all">All</h2>${`<p>${paragraph}</p>`.repeat(5)}</div>`,
  );
  expect(passages.map(({ text }) => text.split("\n\n").length)).toEqual([2, 2, 1]);
  expect(new Set(passages.flatMap(({ text }) => text.split("\n\n")))).toEqual(new Set([paragraph]));
  expect(new Set(passages.map(({ path }) => path))).toEqual(new Set(["/returns#all"]));
});

test("the search gets the same text in plain lines, without the lead, code and products' cards", () => {
  const { passages, text } = read(
    `<h1>Returns</h1><p class="lead">Send it back.</p><div class="prose"><h2 id="how">How <em>to</em></h2>
    <p>Write<br>to <a href="/contact">us</a> &amp; *wait*.</p><ul><li>Box</li><li><p>Label</p></li></ul>
    <dl><dt>Days</dt><dd>30</dd></dl><aside data-callout><p class="callout-title">Tip</p><p>Keep it.</p></aside>
    <table><tr><th>To</th><th>Costs</th></tr><tr><td>NL</td><td>free</td></tr></table><pre><code>code</code></pre><p>…</p>
    <article class="card"><p><a href="/products/merlin">Merlin</a></p></article></div>
    <section class="questions"><div class="prose"><h3 id="q">Is it free?</h3><p>Yes.</p></div></section>`,
  );
  expect(text.split("\n")).toEqual(
    ["How to", "Write to us & *wait*.", "Box", "Label", "Days: 30", "Tip", "Keep it.", "To Costs", "NL free"].concat([
      "Is it free?",
      "Yes.",
    ]),
  );
  expect(passages.map((passage) => passage.text).join("\n")).toMatch(/code.*Merlin/s);
});
