import { expect, test } from "vitest";
import { pageToMarkdown } from "../../../site/markdown-face/page-to-markdown.ts";

const origin = "https://shop.example";

/** A whole page; `head` follows its title. */
const page = (main: string, head = "") =>
  `<!doctype html><html lang="en"><head><title>A | Shop</title>${head}</head><body><header><nav>Menu</nav></header>${main}<footer>Foot</footer></body></html>`;

const convert = (html: string) => pageToMarkdown(html, origin);

const jsonLd = (data: object) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;

const offer = (price: string) => ({
  "@type": "Offer",
  price,
  priceCurrency: "EUR",
  availability: "https://schema.org/BackOrder",
});

test("a page becomes front matter, a pointer to llms.txt, its title and its main part", () => {
  const head = `<meta property="og:title" content="A"><meta name="description" content="About: a #1"><link rel="canonical" href="${origin}/a"><meta property="article:modified_time" content="2026-11-20T10:00:00Z"><link rel="describedby" type="text/plain" href="/llms.txt" title="All *pages* are in llms.txt, too.">`;
  expect(convert(page("<main><nav><a href='/'>Home</a></nav><h1>A</h1><p>b</p></main>", head))).toBe(
    `---
title: "A"
description: "About: a #1"
url: "${origin}/a"
updated: "2026-11-20"
---

> All \\*pages\\* are in [llms.txt](${origin}/llms.txt), too.

# A

[Home](${origin}/)

b
`,
  );
});

test("a product with one variant has its facts in the front matter, as strings", () => {
  const product = {
    "@type": "Product",
    sku: "0123",
    gtin13: "2000000000019",
    brand: { "@type": "Brand", name: "no" },
    offers: [offer("189.00")],
  };
  const [, frontMatter] = (convert(page("<main><h1>A</h1><p>b</p></main>", jsonLd(product))) ?? "").split("---\n");
  expect(frontMatter).toBe(
    'title: "A | Shop"\nbrand: "no"\nsku: "0123"\ngtin: "2000000000019"\nprice: "189.00"\ncurrency: "EUR"\navailability: "backorder"\n',
  );
});

test("a product with several variants lists them, one per line", () => {
  const offers = [
    { ...offer("1.00"), name: 'Black, "b"', sku: "A-1", gtin13: "2000000000019" },
    { ...offer("2.00"), name: "White: w", sku: "A-2" },
  ];
  const hasVariant = offers.map((each) => ({ "@type": "Product", offers: [each] }));
  const product = { "@type": "ProductGroup", brand: { "@type": "Brand", name: "K" }, hasVariant };
  const markdown = convert(page("<main><h1>A</h1><p>b</p></main>", jsonLd(product)));
  expect(markdown).toContain(`brand: "K"
currency: "EUR"
variants:
  - {sku: "A-1", gtin: "2000000000019", name: "Black, \\"b\\"", price: "1.00", availability: "backorder"}
  - {sku: "A-2", name: "White: w", price: "2.00", availability: "backorder"}
---
`);
});

test.each([
  ["no", '"no"'],
  ['a "b" \\ c', '"a \\"b\\" \\\\ c"'],
  ["- {a}: [b] #c", '"- {a}: [b] #c"'],
  ["a\u0080\ufeffb", '"a\\u0080\\ufeffb"'],
  ["a\u0085\u2028\u2029b", '"a\\u0085\\u2028\\u2029b"'],
])("a description %j is safe in YAML", (description, yaml) => {
  const head = `<meta name="description" content="${description.replaceAll('"', "&quot;")}">`;
  expect(convert(page("<main><h1>A</h1><p>b</p></main>", head))).toContain(`\ndescription: ${yaml}\n`);
});

test("a page that only redirects has no Markdown", () => {
  expect(convert('<html><head><meta http-equiv="refresh" content="0;url=/x"></head><body>x</body></html>')).toBe(
    undefined,
  );
});

test("tags in attributes, JSON-LD and comments are ignored", () => {
  const head = `<meta name="description" content="the </head> and <main> of 'HTML'">${jsonLd({ "@type": "Product", sku: "<main>" })}<!-- <main> <title>no</title> -->`;
  const html = page("<main><h1>A</h1><p>b</p></main>", head).replace("<footer>", '<footer aria-label="</main> c">d');
  expect(convert(html)).toMatch(/^---\ntitle: "A \| Shop"\ndescription: "the <\/head> and <main> of 'HTML'"\n/);
  expect(convert(html)).toMatch(/\n# A\n\nb\n$/);
});

test("a title of two lines becomes one line, placed before any content above it", () => {
  expect(convert(page("<main><p>x</p><header><h1>A<br>B</h1></header></main>"))).toContain("\n\n# A B\n\nx\n");
});

test.each([
  ["a missing main", "<div><h1>A</h1></div>", "no <main>"],
  ["two mains", "<main><h1>A</h1>b</main><main>c</main>", "two <main>"],
  ["a second main without a closing tag", "<main><h1>A</h1>b</main><main>c", "two <main>"],
  ["a main inside its main", "<main><h1>A</h1><div><main>c</main></div></main>", "two <main>"],
  ["a missing title", "<main><p>b</p></main>", "no <h1>"],
  ["an empty title", "<main><h1> </h1><p>b</p></main>", "no <h1>"],
  ["two titles", "<main><h1>A</h1><section><h1>B</h1></section></main>", "two <h1>"],
  [
    "an empty main part below its title",
    "<main><h1>A</h1><p data-markdown-ignore>b</p></main>",
    "write something below its <h1>",
  ],
  ["a component in .md", "<main><h1>A</h1><Callout>b</Callout></main>", "<callout> is not an HTML element"],
  [
    "a link to nowhere",
    "<main><h1>A</h1><a href='https://a.example%5C'>b</a></main>",
    'example%5C" is not a valid address',
  ],
  ["JSX as text", '<main><h1>A</h1><div class="prose"><p>&lt;Callout kind="tip"></p></div></main>', "source code"],
  [
    "an import as text",
    '<main><h1>A</h1><div class="prose"><p>import X from "./x.astro"</p></div></main>',
    "source code",
  ],
  ["an export as text", '<main><h1>A</h1><div class="prose"><p>export const a = 1</p></div></main>', "source code"],
])("a page with %s is refused", (_name, body, message) => {
  expect(() => convert(page(body))).toThrow(message);
});

test("a JSON-LD price written as a number is refused, because it has lost its decimals", () => {
  const product = { "@type": "Product", offers: [{ "@type": "Offer", price: 189 }] };
  expect(() => convert(page("<main><h1>A</h1>b</main>", jsonLd(product)))).toThrow("write it as a string");
});

test("markup in code is allowed", () => {
  const code = 'import X from "x"\n&lt;Callout kind="tip" />\n&lt;div>';
  const main = `<main><h1>A</h1><div class="prose"><pre><code>${code}</code></pre><p>The <code>&lt;main></code> and <code>&lt;X a={1} /></code> elements, a &lt; b</p><ol><li><pre><code>${code}</code></pre></li></ol><blockquote><pre><code>${code}</code></pre></blockquote><p>\\<code>&lt;b></code></p></div></main>`;
  expect(convert(page(main))).toContain("The `<main>` and `<X a={1} />` elements, a < b");
});

test("names and other facts may be any text, including in a card within a text", () => {
  const name = '&lt;Callout kind="tip" /> &lt;script>alert(1)&lt;/script>';
  const card = `<div class="prose"><article><p>${name}</p></article><h2>${name}</h2></div>`;
  const markdown = convert(page(`<main><h1>${name}</h1><p>import "x"</p>${card}</main>`));
  expect(markdown?.match(/\\<Callout kind="tip" \/> \\<script>alert\(1\)\\<\/script>/g)).toHaveLength(3);
});

test("the same page gives the same bytes", () => {
  const html = page("<main><h1>A</h1><table><thead><tr><th>B</th></tr></thead></table><ul><li>c</li></ul></main>");
  expect(convert(html)).toBe(convert(html));
});
