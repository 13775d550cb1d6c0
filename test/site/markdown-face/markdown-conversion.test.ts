import { expect, test } from "vitest";
import { pageToMarkdown } from "../../../site/markdown-face/page-to-markdown.ts";

const origin = "https://shop.example";

/** Converts HTML below the H1 of a page at /products/a. */
function convert(content: string): string {
  const head = `<title>A</title><link rel="canonical" href="${origin}/products/a">`;
  const html = `<!doctype html><html><head>${head}</head><body><main><h1>A</h1>${content}</main></body></html>`;
  const [, body = ""] = (pageToMarkdown(html, origin) ?? "").split("\n# A\n\n");
  return body;
}

test.each([
  ["emphasis", "<p><em>a</em> <strong>b</strong> <del>c</del> <kbd>Ctrl</kbd></p>", "*a* **b** ~~c~~ `Ctrl`\n"],
  ["a line break", "<p>Street<br>City</p>", "Street\\\nCity\n"],
  ["superscript and subscript digits", "<p>m<sup>2</sup>, H<sub>2</sub>O, 10<sup>−3</sup></p>", "m², H₂O, 10⁻³\n"],
  ["superscript letters", "<p>1<sup>st</sup></p>", "1st\n"],
  ["spaces inside bold", "<p><strong>Note: </strong>text <em> x </em></p>", "**Note:** text *x*\n"],
  ["a no-break space at the end of bold", "<p><b>a:&nbsp;</b>b</p>", "**a:**\u00a0b\n"],
  ["emphasis in emphasis", "<p><em>see <i>this</i> now</em></p>", "*see this now*\n"],
  ["bold beside bold", "<p><b>a</b><!-- a note --><b>b</b></p>", "**ab**\n"],
  ["two keys", "<p><kbd>Ctrl</kbd><kbd>C</kbd></p>", "`Ctrl` `C`\n"],
  ["a space within code", "<p>a<code> b</code></p>", "a `b`\n"],
  [
    "a line break within code",
    "<p><kbd>Shift<br>Enter</kbd></p><pre>a<br>b</pre>",
    "`Shift Enter`\n\n```text\na\nb\n```\n",
  ],
  ["a picture on a key", '<p>Press <kbd><img src="/enter.svg" alt="Enter"></kbd></p>', "Press `Enter`\n"],
  ["a title of two lines", '<div><p class="callout-title">Mind<br>the gap</p></div>', "**Mind the gap**\n"],
  ["an abbreviation", '<p><abbr title="Point of sale">POS</abbr>, <abbr>VAT</abbr></p>', "POS (Point of sale), VAT\n"],
  ["an optional word break", "<p>Donau<wbr>dampf</p>", "Donaudampf\n"],
  ["controls", "<form><label>Sort</label><select><option>a</select><input value=b><button>Go</button>c</form>", "c\n"],
  [
    "tasks",
    '<ul><li><input type="checkbox" disabled checked> a</li><li><input type="checkbox"> b</li></ul>',
    "- [x] a\n- b\n",
  ],
  ["spaces at the ends of bold text", "<p>a<strong> b </strong>c<em> </em>d</p>", "a **b** c d\n"],
  ["a list in a list", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c\n"],
  ["rare inline elements in an item", "<ul><li><tt>a</tt> <x-y>b</x-y></li><li>c</li></ul>", "- `a` b\n- c\n"],
  ["a numbered list", '<ol start="3"><li>a</li><li>b</li></ol>', "3. a\n4. b\n"],
  ["a quote", "<blockquote><p>q</p></blockquote>", "> q\n"],
  ["a rule", "<p>a</p><hr><p>b</p>", "a\n\n---\n\nb\n"],
  ["details", "<details><summary>Why?</summary><p>So.</p></details>", "**Why?**\n\nSo.\n"],
  ["details with a heading", "<details><summary><h3>Why?</h3></summary>So.</details>", "### Why?\n\nSo.\n"],
  [
    "a figure with links and emphasis",
    '<figure><img src="/b.png" alt="B"><figcaption><em>a</em> <a href="/c">c</a></figcaption></figure>',
    `![B](${origin}/b.png)\n\n*a [c](${origin}/c)*\n`,
  ],
  [
    "a picture that links to itself",
    '<p><a href="/b.png"><span data-markdown-ignore>Full size: </span> <img src="/b.png" alt="B"> </a></p>',
    `![B](${origin}/b.png)\n`,
  ],
  [
    "a picture that links to another page",
    '<p><a href="/b"><img src="/b.png" alt="B"></a></p>',
    `[![B](${origin}/b.png)](${origin}/b)\n`,
  ],
  [
    "a figure",
    '<figure><img src="/b.png" alt="B"><figcaption>Cap</figcaption></figure>',
    `![B](${origin}/b.png)\n\n*Cap*\n`,
  ],
  ["a drawing with a name", '<p><svg role="img" aria-label="yes"></svg></p>', "yes\n"],
  ["a drawing with a title", "<p><svg><title>no</title><path d=''/></svg></p>", "no\n"],
  ["a hidden drawing", '<p>a <svg aria-hidden="true"><text>no</text></svg> b</p>', "a b\n"],
  ["a hidden drawing in another", '<p>a <svg aria-hidden="true"><svg><text>no</text></svg></svg> b</p>', "a b\n"],
  ["a drawing after a closed one", '<p><svg><svg aria-hidden="true"/><title>yes</title></svg> b</p>', "yes b\n"],
  ["a text between commented tags", '<p><!-- <svg aria-hidden="true"> -->a<!-- </svg> --></p>', "a\n"],
  ["a custom element", "<product-filter><p>a</p></product-filter>", "a\n"],
])("%s", (_name, html, markdown) => {
  expect(convert(html)).toBe(markdown);
});

test.each([
  ["/shipping", `${origin}/shipping`],
  ["../guides/x#top", `${origin}/guides/x#top`],
  ["#versions", `${origin}/products/a#versions`],
  ["mailto:sales@shop.example", "mailto:sales@shop.example"],
  ["https://other.example/a?b=1&amp;c=2", "https://other.example/a?b=1&c=2"],
  ["/a (1)", `${origin}/a%20%281%29`],
])("a link to %s is absolute and has no parenthesis", (href, url) => {
  expect(convert(`<p><a href="${href}">x</a></p>`)).toBe(`[x](${url})\n`);
});

test("a link without text gets its label as text, and an anchor without an address stays text", () => {
  expect(convert('<p><a href="/x" aria-label="More"></a> <a id="y">y</a></p>')).toBe(`[More](${origin}/x) y\n`);
});

test("a link around blocks becomes a link in each block", () => {
  const card = '<a href="/x"><h3>Title</h3><p>Text</p></a>';
  expect(convert(card)).toBe(`### [Title](${origin}/x)\n\n[Text](${origin}/x)\n`);
});

test("bold around blocks becomes bold in each line, including list items", () => {
  expect(convert("<strong><p>a</p><ul><li>b</li></ul>c</strong>")).toBe("**a**\n\n- **b**\n\n**c**\n");
});

test("content between list items joins the item before it", () => {
  expect(convert("<ul><li>a</li><ul><li>b</li></ul></ul>")).toBe("- a\n  - b\n");
});

test("a picture keeps its alternative text and gets an absolute URL, and a decorative one is left out", () => {
  const pictures = '<p><img src="/_astro/a.svg" alt="A [x] (y)"><img src="/b.svg" alt=""></p>';
  expect(convert(pictures)).toBe(`![A \\[x\\] (y)](${origin}/_astro/a.svg)\n`);
});

test("elements that are hidden or only useful on a screen are left out", () => {
  expect(convert('<p>a</p><p data-markdown-ignore>b</p><p hidden>c</p><p>d<span aria-hidden="true">e</span></p>')).toBe(
    "a\n\nd\n",
  );
});

test("a callout becomes a quote with a bold title", () => {
  const callout =
    '<aside class="callout" data-callout="tip"><p class="callout-title">Tip</p><p>Use <code>a|b</code>.</p><ul><li>c</li></ul></aside>';
  expect(convert(callout)).toBe("> **Tip**\n>\n> Use `a|b`.\n>\n> - c\n");
});

test("a definition list becomes a list of bold terms and values", () => {
  const list = "<dl><div><dt>Reads</dt><dd>1D</dd></div><dt>A</dt><dt>B</dt><dd>x</dd><dd><a href='/y'>y</a></dd></dl>";
  expect(convert(list)).toBe(`- **Reads**: 1D\n- **A, B**: x; [y](${origin}/y)\n`);
});

test("a definition of several blocks is placed below its term", () => {
  expect(convert("<dl><dt>A</dt><dd><p>x</p><p>y</p></dd></dl>")).toBe("- **A**:\n\n  x\n\n  y\n");
});

test("code keeps its language, in any markup, and all its characters", () => {
  const shiki =
    '<pre class="astro-code" data-language="js"><code><span>if (a &lt; b) {</span>\n\n\n<span>}</span></code></pre>';
  expect(convert(shiki)).toBe("```js\nif (a < b) {\n\n\n}\n```\n");
  expect(convert('<pre><code class="language-sh">curl x\n</code></pre>')).toBe("```sh\ncurl x\n```\n");
  expect(convert('<pre data-language="plaintext"><code>a</code></pre>')).toBe("```text\na\n```\n");
  // Browsers ignore the first line break, and read any line break as \n.
  expect(convert("<pre>\n\na\r\nb &lt;\r</pre>")).toBe("```text\n\na\nb <\n```\n");
});

test("code that contains a fence gets a longer one", () => {
  expect(convert("<pre><code>```\na\n```</code></pre>")).toBe("````text\n```\na\n```\n````\n");
});
