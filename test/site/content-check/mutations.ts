import { createHash } from "node:crypto";
import sharp from "sharp";
import type { Random } from "../../../api/operation/demo/random.ts";
import type { Problem } from "../../../site/content-check/problem.ts";
import { mails, validContent } from "./content-tree.ts";

/** Files of a shop, by their path below content/. */
type Files = Record<string, string | Buffer>;

/** One mistake or oddity: `file` has it, and the others are what that file needs. */
export interface Mutation {
  what: string;
  file: string;
  files: Files;
}

/** What a mutation starts from: an own product, guide or page, by a slug that nothing else has. */
type Kind = "product" | "variants" | "guide" | "markdown guide" | "page" | "category" | "maker" | "mail";

const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"><rect width="40" height="30"/></svg>\n';

const body = `
## What it does

It scans **all** codes, as [shipping](/shipping#costs) says. It has *two* cables.

| Cable | Length |
|---|---|
| USB | 2 m |

- One
- Two with \`code\`

![A scanner](./NAME.svg)
`;

const gtinOf = (slug: string): string => {
  const digits = `20${BigInt(`0x${createHash("sha256").update(slug).digest("hex")}`)}`.slice(0, 12);
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return digits + String((10 - (sum % 10)) % 10);
};

const head = (slug: string) => `title: Thing ${slug}
brand: Kestrel
summary: Reads 1D and 2D codes of ${slug}.
images:
  - src: ./NAME.svg
    alt: The scanner in its cradle
`;

const tail = (slug: string) => `specifications:
  Reads: 1D and 2D codes
  Connection: [USB, Bluetooth]
  Weight: 90 g
works_with:
  osprey: it reads the same codes
documents:
  - kind: manual
    title: Manual
    link: https://maker.example/manual.pdf
    language: en
also_in: [shelves]
also_called: [gun ${slug}, reader]
condition: refurbished
content: { amount: "0.75", unit: l, pieces: 6 }
order_quantity: { least: 12, step: 6 }
maker: m-${slug}
warnings:
  - Hot surface.
questions:
  - question: Does it read codes on a telephone?
    answer: Yes, from any angle.
  - question: Does it need a driver?
    answer: |
      No, as [shipping](/shipping) says.
formerly: [was-${slug}]
tax_class: reduced
updated: 2026-10-02
`;

const one = (slug: string) => `sku: "S-${slug}"
gtin: "${gtinOf(slug)}"
barcode: "0123"
price: "189.00"
availability: backorder
available_from: 2099-01-11
weight_g: 850
`;

const several = (slug: string) => `variants:
  - sku: "V-${slug}-1"
    price: "189.00"
    availability: in_stock
    options: { Colour: Black }
    weight_g: 900
  - sku: "V-${slug}-2"
    price: "199.00"
    availability: preorder
    available_from: 2099-01-11
    options:
      Colour: White
    specifications: { Weight: 95 g }
`;

const makerOf = (slug: string) => `---
name: Maker of ${slug}
address: 1 Thing Street, Leeds LS1 9CK, United Kingdom
country: GB
email: safety@maker.example
responsible:
  name: Maker of ${slug} in the EU
  address: Kade 1, 3511 AB Utrecht, Netherlands
  country: NL
  web: https://maker.example/eu
---
`;

const fieldsOfPage = (slug: string) => `title: About ${slug}
summary: All about ${slug}.
questions:
  - question: Is it so?
    answer: It is.
updated: 2026-10-01
`;

const components = '\n<Callout kind="tip">\n\nAsk **us**.\n\n</Callout>\n\n<ProductCard sku="KES-C2" />\n';

/** A category above others, which products of other folders name too. */
const shelves = { "categories/shelves.md": "---\ntitle: Shelves\nsummary: What is on them.\norder: 30\n---\n" };

/** The file of each kind, valid, with what it needs. */
const makers: Record<Kind, (slug: string) => { file: string; text: string; needs: Files }> = {
  product: (slug) => product(slug, one(slug)),
  variants: (slug) => product(slug, several(slug)),
  guide: (slug) => page(`guides/${slug}.mdx`, slug, body + components),
  "markdown guide": (slug) => page(`guides/${slug}.md`, slug, body),
  page: (slug) => page(`pages/${slug}.mdx`, slug, body + components),
  category: (slug) => ({
    file: `categories/${slug}.md`,
    text: `---\ntitle: Category ${slug}\nsummary: Things of ${slug}.\norder: 20\nparent: shelves\nalso_called: [till ${slug}]\nupdated: 2026-10-01\n---\n${body.replace(/!.*/, "")}`,
    needs: shelves,
  }),
  maker: (slug) => ({ file: `makers/${slug}.md`, text: makerOf(slug), needs: {} }),
  mail: (slug) => {
    const names = Object.keys(mails);
    const file = names[Number.parseInt(slug.replaceAll(/\D/g, ""), 10) % names.length] ?? "";
    return { file, text: mails[file] ?? "", needs: {} };
  },
};

function product(slug: string, identity: string) {
  return {
    file: `products/barcode-scanners/${slug}.md`,
    text: `---\n${head(slug)}${identity}${tail(slug)}---\n${body}`.replaceAll("NAME", slug),
    needs: {
      ...shelves,
      [`products/barcode-scanners/${slug}.svg`]: DRAWING,
      [`makers/m-${slug}.md`]: makerOf(slug),
    },
  };
}

function page(file: string, slug: string, text: string) {
  return {
    file,
    text: `---\n${fieldsOfPage(slug)}---\n${text}`.replaceAll("NAME", slug),
    needs: { [file.replace(/mdx?$/, "svg")]: DRAWING },
  };
}

const kinds: readonly [Kind, ...Kind[]] = [
  ...(["product", "product", "variants", "guide", "markdown guide", "page", "category", "maker", "mail"] as const),
];

/** What breaks programs that read texts, in any place. */
const TEXTS: readonly [string, ...string[]] = [
  ...([
    "",
    " ",
    "\u0003",
    "\u0000",
    "\u001b[31m",
    "a\u007fb",
    "\u0085",
    "\u2028",
    "\u202eabc",
    "\u2066",
    "\u200b",
  ] as const),
  ...[
    "\u00ad",
    "\ufeff",
    "\ufffe",
    "\ufffd",
    "\ud800",
    "a\tb",
    "\n",
    "a\nb",
    "\r",
    "é",
    "e\u0301",
    "店",
    "👩‍🔧",
    "ﬁ",
    "A".repeat(300),
  ],
  ...[
    "{x}",
    "{{ x }}",
    "{% raw %}",
    "<b>",
    "</script>",
    "<!--",
    "-->",
    "<!",
    "&lt;",
    "&#3;",
    "&#0;",
    "&nbsp",
    "]]>",
    "`",
    "``x`",
  ],
  ...[
    "*",
    "**a",
    "_",
    "[a](b)",
    "![a](b)",
    "|",
    "\\",
    "\\u0003",
    "%",
    "%00",
    "%zz",
    "100%25",
    "#",
    "?",
    "/",
    "//",
    "..",
    "../..",
    "./",
  ],
  ...[
    "0",
    "-0",
    "00",
    "1",
    "1.5",
    "1e3",
    "0x1f",
    "1_000",
    ".inf",
    ".nan",
    "~",
    "null",
    "true",
    "yes",
    "no",
    "off",
    "=",
    "<<",
  ],
  ...[
    "0.00",
    "1,50",
    "1.299,00",
    "1'000.00",
    "-5.00",
    "189",
    "189.0",
    "189.000",
    "1".repeat(13),
    "999999999999.99",
    "€5",
  ],
  ...["2026-02-30", "20.11.2026", "2026/11/20", "2026-1-2", "2026-11-20T00:00:00Z", "2026-10-32"],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "length",
    "draft",
    "layout",
    "slug",
    "id",
    "in_stok",
    "pre order",
    "EN",
    "en_GB",
  ],
  ...[
    "http://",
    "https://[",
    "https://a.b/\u0003",
    "javascript:alert(1)",
    "mailto:",
    "//evil.example",
    "/shiping",
    "/products/ospray",
  ],
  ...[
    "?",
    "- a",
    "a: b",
    "a #b",
    "'",
    '"',
    "“a”",
    "„a“",
    "@a",
    "`a",
    "!a",
    "&a",
    "*a",
    "%a",
    "{a",
    "[a",
    "> a",
    "| a",
    "]",
    "}",
    ",",
  ],
];

/** What means something in YAML. */
const YAML: readonly [string, ...string[]] = [
  ...([
    "&a ",
    "*a",
    "!!binary ",
    "!x ",
    "? ",
    "|\n",
    ">\n",
    ">-\n  ",
    "<<: *a\n",
    "<<: {}\n",
    "---",
    "--- a\n",
    "...",
    "...\n",
  ] as const),
  ...[
    "\n---\n",
    "\n+++\n",
    "+++",
    "%YAML 1.1\n",
    "%TAG ! x\n",
    "#",
    " #",
    "\t",
    "  ",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    ":",
    ": ",
    "- ",
    "-",
  ],
  ...[
    '"',
    "'",
    '"\\x03"',
    '"\\u202e"',
    '"\\uD800"',
    '"\\0"',
    '"\\q"',
    "'\u0003'",
    "{",
    "}",
    "[",
    "]",
    ",",
    "{}",
    "[]",
    "{a: 1, a: 2}",
  ],
  ...[
    "2026-11-20",
    "12:30:45",
    "0o14",
    "014",
    "0b1",
    "1_000",
    "yes",
    "~",
    ".inf",
    "!!js/undefined ''",
    "!!set {a}",
    "!!timestamp 2026-01-01",
  ],
  ...[
    "\u00a0",
    "\ufeff",
    "\u2028",
    "\u0085",
    "draft: true\n",
    "draft: yes\n",
    "layout: x\n",
    "__proto__: 1\n",
    "1: 2\n",
    "null: a\n",
    "[a]: b\n",
  ],
];

/** What means something in Markdown or MDX. */
const MARKDOWN: readonly [string, ...string[]] = [
  ...([
    "{undefined.x}",
    "{x}",
    "{",
    "}",
    "{/* a */}",
    "{`a`}",
    "<Nonsense />",
    "<Callout>",
    "</Callout>",
    "<>",
    "</>",
    "<a.b />",
  ] as const),
  ...[
    'import a from "b"',
    "export const a = 1",
    "export default 1",
    "import",
    "<Callout kind='tip' />",
    '<Callout kind="tip">a</Callout>',
  ],
  ...[
    '<ProductCard sku="NO" />',
    '<ProductCard sku={"KES-C2"} />',
    '<Fields of="Order" />',
    '<Fields of="Nothing.at.all" />',
    "<Endpoints />",
  ],
  ...[
    "<ShippingTable />",
    "<ReturnPolicy />",
    "<br>",
    "<br/>",
    "<kbd>F1</kbd>",
    '<abbr title="a">b</abbr>',
    "<abbr title='a\"b'>b</abbr>",
    "<sub>2</sub>",
  ],
  ...[
    "<script>",
    "<!-- a -->",
    "<!--",
    "<?php ?>",
    "<![CDATA[a]]>",
    "<!DOCTYPE a>",
    "<b",
    "< b",
    "a<b",
    "<1",
    "<https://a.example>",
    "<a@b.example>",
  ],
  ...[
    "# A",
    "## A",
    "#### A",
    "A\n===",
    "A\n---",
    "---",
    "***",
    "+++",
    "```",
    "```js\nx",
    "~~~",
    "    code",
    "\tcode",
    "> > > a",
    "- - - a",
    "1) a",
    "* [ ] a",
  ],
  ...[
    "[a](http://[)",
    "[a](<b c>)",
    "[a](b 'c')",
    "[a]: /b\n\n[a]",
    "[a][b]",
    "[^1]\n\n[^1]: a",
    "[^1]",
    "![a](./none.svg)",
    "![a](%.svg)",
    "![a](./%zz.svg)",
  ],
  ...[
    "![](./a.svg)",
    "![a](https://a.example/a.png)",
    "![a](/a.svg)",
    "![a](data:image/png;base64,AA==)",
    "![a](./a.svg?b#c)",
    "[a](/products/osprey#nothing)",
  ],
  ...[
    "|a|\n|-|\n|b|c|d|",
    "| a | b |\n| c | d |",
    "a | b\nc | d",
    "|a|",
    "|-|-|",
    "<https://a\u0003.example>",
    "&#3;",
    "&#x202e;",
    "&#xD800;",
    "&#0;",
    "&bogus;",
  ],
  ...[
    "$x$",
    "$$\nx\n$$",
    ":::note\na\n:::",
    ":name[a]{b}",
    "==a==",
    "~~a~~",
    "H~2~O",
    "a^2^",
    "[[a]]",
    "{#id}",
    "## A {#id}",
    "frontmatter.title",
    "{frontmatter.x.y}",
  ],
  ...[
    "\u0003",
    "\u0000",
    "\u202e",
    "\u200b",
    "\ufeff",
    "\u2028",
    "\r",
    "\\",
    "\\{",
    "\\<",
    "\\\n",
    "  \n",
    "*a**b*c**",
    "_".repeat(200),
    "[".repeat(200),
    ">".repeat(120),
    "*a ".repeat(200),
  ],
  ...[
    '<Callout kind="tip">\n\n<Callout kind="note">\n\na\n\n</Callout>\n\n</Callout>',
    '- a\n\n      <Callout kind="tip" />',
    '<Callout\nkind="tip"\n/>',
    "<kbd>a",
    "a</kbd>",
    "<kbd>\n\na\n\n</kbd>",
  ],
];

/** Names for files, without their ending. */
const NAMES: readonly [string, ...string[]] = [
  ...([
    "100%",
    "100%25",
    "%",
    "a%20b",
    "a b",
    " a",
    "a ",
    "a#b",
    "a?b",
    "a&b",
    "a+b",
    "a'b",
    'a"b',
    "a<b",
    "a>b",
    "a|b",
    "a*b",
  ] as const),
  ...[
    "a:b",
    "a;b",
    "a=b",
    "a@b",
    "a!b",
    "a$b",
    "a$1b",
    "a~b",
    "a`b",
    "a^b",
    "a,b",
    "(a)",
    "[a]",
    "{a}",
    "{a,b}",
    "a\\b",
    "a\u0003b",
    "a\nb",
    "a\tb",
  ],
  ...[
    "é",
    "e\u0301",
    "店",
    "👩‍🔧",
    "\u202ea",
    "a\u200bb",
    "\ufeffa",
    ".a",
    "-a",
    "--a",
    "_a",
    "a.b",
    "a..b",
    "..a",
    "a.",
    "A",
    "CON",
    "nul",
    "aux.x",
    "COM1",
  ],
  ...[
    "a".repeat(240),
    "é".repeat(120),
    "index",
    "404",
    "__proto__",
    "constructor",
    "a.svg",
    "@content",
    "~",
    "%2e%2e",
    "%2f",
    "&amp;",
    "a?url",
    "a?raw",
    "a&inline",
  ],
];

/** Drawings that browsers show, and some that they don't. */
const DRAWINGS: readonly [string, ...string[]] = [
  ...([
    'viewBox="0,0,40,30"',
    'viewBox="0, 0, 40, 30"',
    'viewBox=" 0 0 40 30 "',
    'viewBox="0 0 4e1 3e1"',
    'viewBox="-5 -5 40 30"',
  ] as const),
  ...[
    'viewBox="0 0 .4 .3"',
    'viewBox="0 0 +40 +30"',
    'viewBox="0\n0\t40 30"',
    "viewBox='0 0 40 30'",
    'viewBox="0 0 40"',
    'viewBox="0 0 0 30"',
    'viewBox="a b c d"',
    'viewBox=""',
  ],
  ...[
    'width="40" height="30"',
    'width="40"',
    'height="30"',
    'width="100%" height="100%"',
    'width="100%" height="100%" viewBox="0 0 40 30"',
    'width="40px" height="30px"',
  ],
  ...[
    'width="40mm" height="30mm"',
    'width="4in" height="3in"',
    'width="4em" height="3em"',
    'width="40pt" height="30pc"',
    'width="4cm" height="3ex"',
    'width="4Q" height="3vw"',
  ],
  ...[
    'width="6000" height="1"',
    'width="1" height="6000"',
    'viewBox="0 0 6000 1"',
    'width="0.5" height="0.5"',
    'width="0" height="0"',
    'width="-4" height="3"',
    'width="4e1" height="30"',
  ],
  ...[
    'style="width:40px;height:30px"',
    'style="width:40px;height:30px" viewBox="0 0 40 30"',
    'width="auto" height="auto" viewBox="0 0 40 30"',
    'width="5999" height="4000"',
    'width="9000" height="10"',
  ],
  ...[
    'width="" height=""',
    'width="40" height="30" viewBox="0 0 0 0"',
    'preserveAspectRatio="none" viewBox="0 0 40 30"',
    'width="50%" viewBox="0 0 40 30"',
    'WIDTH="40" HEIGHT="30"',
    'width="calc(1px + 2px)" height="3"',
  ],
  ...[
    'xmlns:a="b" a:width="40" viewBox="0 0 40 30"',
    'id="viewBox=&quot;0 0 0 0&quot;" viewBox="0 0 40 30"',
    'data-width="3" viewBox="0 0 40 30"',
    'width = "40" height = "30"',
  ],
];

/** Values of store.yaml, by the field whose line they replace. */
const STORE: Readonly<Record<string, readonly string[]>> = {
  locale: [
    "fr",
    "fr-FR",
    "de",
    "de-CH",
    "de-AT",
    "ar",
    "ar-EG-u-nu-arab",
    "tlh",
    "zh-Hant-TW",
    "en-US",
    "x-private",
    "EN-gb",
    "en_GB",
    "de-1996",
    "und",
    "hi-IN",
    "fa-IR",
  ],
  currency: ["HUF", "JPY", "BHD", "XXX", "XTS", "eur", "CLF", "MRU", "USD", "KWD", "BTC", "XAU"],
  base_url: [
    "http://127.0.0.1:8080",
    "https://sub.test.example:8443",
    "https://münchen.example",
    "https://test.example/",
    "ftp://a.example",
    "https://a",
    "https://[::1]",
    "https://TEST.example",
    '"https://a\\x03.example"',
  ],
  prices_include_tax: ["false", '"true"', "yes", "1"],
  tax: [
    '{ name: "A\\x03", home: GB, rates: { GB: "0.21" } }',
    '{ home: GB, rates: { GB: "0" } }',
    '{ home: XX, rates: { XX: "0.1" } }',
    '{ home: GB, rates: { GB: "21 %" } }',
    '{ name: "<b>", home: GB, rates: { GB: "0.2000" } }',
    '{ home: GB, rates: { GB: "0.21" }, classes: { reduced: { GB: "0" }, "zero-rated": { GB: "0.0" } }, export: [DE] }',
    '{ home: GB, rates: { GB: "0.21" }, classes: { reduced: { GB: "5 %" } }, export: [DE] }',
    '{ home: GB, rates: { GB: "0.21", DE: "0.19" }, classes: { reduced: { GB: "0.05" } } }',
    '{ home: GB, rates: { GB: "0.21" }, classes: { "Reduced!": { GB: "0.05" }, __proto__: { GB: "0" } }, export: [DE] }',
    '{ home: GB, rates: { GB: "0.21" }, classes: [reduced], export: [DE] }',
  ],
  code: ["standard", "pickup", "a_b-c", "A", "-a", "ä", '"1"', "1", "a".repeat(41)],
  by: ["weight", "value", "size", "[weight]", "true"],
  up_to: ["5", '"5"', "0", "-1", "5.5", "1e3", "2 kg", '"2,5 kg"', '"50.00"', "999999999", "9999999999", ".inf"],
  free_from: ['"0.00"', '"0.01"', '"500"', "500.00", '"1,000.00"'],
  country_code: ["GB", "DE", "NL", "XI", "gb", "UK"],
  corner: ["0", "20", "21", "-1", "4px", "1.5", '"8"', ".inf"],
  accent: ['"#8a1c3d"', '"#8A1C3D"', "#8a1c3d", '"red"', '"#fff"'],
  hours: ["Monday to Friday, 9 to 17", '""', '"9:00"', "9:00 to 17:00", '"<b>"', '"{x}"', '"a | b"', "店"],
  phone: ['"+44"', '"0"', '"+44 (0) 20"', '"١٢٣"', "+44 20 7946 0123", '"1\\x03"'],
  sales_email: [
    "a@b",
    "a@münchen.example",
    "ä@b.example",
    '"a b@c.example"',
    "a@b.example\u200b",
    "A@B.EXAMPLE",
    '"\\x03@b.example"',
  ],
};

/** The valid shop's settings, and what it needs to take orders. */
export const sellingStore = `${(validContent["store.yaml"] ?? "").replace("export: [DE, FR]", 'export: [DE, FR], classes: { reduced: { GB: "0.05" } }')}shipping:
  handling_days: { min: 0, max: 1 }
  zones:
    - countries: [GB, DE]
      methods:
        - code: parcel
          name: Parcel
          by: pieces
          tiers:
            - up_to: 5
              price: "7.50"
            - price: "12.50"
          free_from: "500.00"
          transit_days: { min: 1, max: 1 }
    - countries: [FR]
      price: "19.00"
      transit_days: { min: 1, max: 1 }
  pickup:
    name: Collect in London
    street: 1 Test Street
    city: London
    postal_code: "EC1A 1AA"
    country_code: GB
    hours: Monday to Friday
returns: { days: 30, paid_by: customer, sent_to: GB }
look:
  corner: 4
  colours:
    light: { accent: "#0b5750" }
    dark:
      accent: "#7fd6c8"
payment: { transfer: { account_holder: Testcounter Ltd, due_days: 14 } }
`;

/** A store.yaml with another value in one of its lines. */
export function mutateStore(store: string, random: Random): { what: string; text: string } {
  const [first = "", ...others] = store.split("\n").flatMap((line) => /^ *(?:- )?(\w+): /.exec(line)?.[1] ?? []);
  const field = random.chance(0.7)
    ? random.pick(Object.keys(STORE) as [string, ...string[]])
    : random.pick([first, ...others]);
  const [value, ...values] = STORE[field] ?? [];
  const written =
    value !== undefined && random.chance(0.8) ? random.pick([value, ...values]) : quoteYaml(random.pick(TEXTS));
  const text = store.replace(
    new RegExp(`^( *(?:- )?)${field}: .*$`, "m"),
    (_, lead: string) => `${lead}${field}: ${written}`,
  );
  return { what: `store.yaml with ${field}: ${written}`, text };
}

/**
 * The mutation with the advice of the first problem that names what to write, word by word; none if it names nothing.
 * The advice may be a whole line, a value, or a name that was meant.
 */
export function follow(mutation: Mutation, problems: readonly Problem[]): { mutation: Mutation; problem: Problem }[] {
  const content = mutation.files[mutation.file];
  if (typeof content !== "string") return [];
  const lines = content.split(/\r\n?|\n/);
  for (const problem of problems) {
    const line = lines[(problem.line ?? 0) - 1];
    const next = line === undefined ? undefined : adviseLine(line, problem.message);
    // An example has an identifier of another product.
    if (next === undefined || next === line || /^\s*(?:- )?(?:sku|gtin):/.test(next)) continue;
    const text = lines.toSpliced((problem.line ?? 0) - 1, 1, next).join("\n");
    const what = `${mutation.what}, then ${JSON.stringify(next)}`;
    return [{ mutation: { ...mutation, what, files: { ...mutation.files, [mutation.file]: text } }, problem }];
  }
  return [];
}

function adviseLine(line: string, message: string): string | undefined {
  const advice = [
    ...message.matchAll(
      /(?:[Ww]rite(?:, for example,)?(?: digits(?: and one point)? only:)?|double quotes:|straight quotes:|needs quotes:|Did you mean) (?:`([^`]+)`|("[^"]+"))/g,
    ),
  ].at(-1);
  const right = advice?.[1] ?? advice?.[2];
  if (right === undefined) return undefined;
  const [, lead = "", name = "", written = ""] = /^(\s*(?:- )?)("[^"]*"|[^:"]+):\s*(.*)$/.exec(line) ?? [];
  const [, own] = /^([\w ]+): /.exec(right) ?? [];
  if (message.includes("isn't a known field") || message.includes("Did you mean")) {
    const [wrong = ""] = /`[^`]+`|"[^"]+"/.exec(message) ?? [];
    const bare = message.includes("isn't a known field") ? name : wrong.slice(1, -1);
    return bare !== "" && line.includes(bare) ? line.replace(bare, () => right) : undefined;
  }
  if (own !== undefined) return own === name ? `${lead}${right}` : undefined;
  return name !== "" && written !== "" && /^(?:"|[\d-]+$)/.test(right) ? `${lead}${name}: ${right}` : undefined;
}

const quoteYaml = (text: string) => JSON.stringify(text);

const insert = (text: string, part: string, at: number) => text.slice(0, at) + part + text.slice(at);

type Mutate = (slug: string, random: Random) => Mutation | Promise<Mutation>;

/** Changes the text of a valid file of any kind. */
const inText =
  (change: (text: string, random: Random) => { what: string; text: string | Buffer }): Mutate =>
  (slug, random) => {
    const { file, text, needs } = makers[random.pick(kinds)](slug);
    const changed = change(text, random);
    return { what: `${file}: ${changed.what}`, file, files: { ...needs, [file]: changed.text } };
  };

const bytes = inText((text, random) => {
  const all = Buffer.from(text);
  const at = random.between(0, all.length - 1);
  const [first, second] = [all.subarray(0, at), all.subarray(at + random.between(0, 1))];
  const value = random.pick([
    0,
    3,
    9,
    10,
    13,
    27,
    32,
    34,
    58,
    123,
    127,
    128,
    194,
    255,
    random.between(0, 255),
  ] as const);
  const whole = random.pick([
    "",
    "",
    "",
    "",
    "",
    "bom",
    "crlf",
    "cr",
    "utf16",
    "latin1",
    "cut",
    "empty",
    "twice",
  ] as const);
  const mutated = Buffer.concat([first, Buffer.from([value]), second]);
  const wholes: Record<string, () => Buffer> = {
    bom: () => Buffer.from(`\ufeff${text}`),
    crlf: () => Buffer.from(text.replaceAll("\n", "\r\n")),
    cr: () => Buffer.from(text.replaceAll("\n", "\r")),
    utf16: () => Buffer.from(`\ufeff${text}`, "utf16le"),
    latin1: () => Buffer.from(text.replace("It", "\xe9"), "latin1"),
    cut: () => first,
    empty: () => Buffer.of(),
    twice: () => Buffer.from(text + text),
  };
  return { what: whole || `byte ${value} at ${at}`, text: wholes[whole]?.() ?? mutated };
});

const syntax = inText((text, random) => {
  const end = text.indexOf("\n---", 4);
  const part = random.pick(YAML);
  const lines = Array.from(text.slice(0, end).matchAll(/(?<=\n|: |- )/g), ({ index }) => index);
  const at = random.chance(0.7) && lines[0] !== undefined ? random.pick([lines[0], ...lines]) : random.between(0, end);
  const cut = random.chance(0.2) ? random.between(1, 3) : 0;
  return {
    what: `${JSON.stringify(part)} at ${at} for ${cut}`,
    text: insert(text.slice(0, at) + text.slice(at + cut), part, at),
  };
});

const value = inText((text, random) => {
  const end = text.indexOf("\n---", 4);
  const fields = [...text.slice(0, end).matchAll(/^(?:\s*- |\s*)([\w ]+): +(.+)$|^(?:\s*- )(?!\w+:)(.+)$/gm)];
  const [first, ...others] = fields;
  if (first === undefined) throw new Error(`no fields in ${text}`);
  const found = random.pick([first, ...others]);
  const written = found[2] ?? found[3] ?? "";
  const odd = random.pick(TEXTS);
  const plain = random.pick([odd, odd + written.replaceAll('"', ""), written.replaceAll('"', "") + odd] as const);
  const next = random.pick([
    quoteYaml(plain),
    quoteYaml(plain),
    plain,
    `[${quoteYaml(plain)}]`,
    `{ a: ${quoteYaml(plain)} }`,
    "",
  ] as const);
  const at = found.index + found[0].length - written.length;
  return {
    what: `${found[0].trim()} → ${JSON.stringify(next)}`,
    text: text.slice(0, at) + next + text.slice(at + written.length),
  };
});

const key = inText((text, random) => {
  const end = text.indexOf("\n---", 4);
  const fields = [...text.slice(0, end).matchAll(/^(?:\s*- |\s*)([\w ]+):/gm)];
  const [first, ...others] = fields;
  if (first === undefined) throw new Error(`no fields in ${text}`);
  const found = random.pick([first, ...others]);
  const name = found[1] ?? "";
  const at = found.index + found[0].length - name.length - 1;
  const odd = random.pick(TEXTS);
  const next = random.pick([
    `${name}s`,
    name.slice(1),
    quoteYaml(odd),
    quoteYaml(name + odd),
    odd,
    "",
    name.toUpperCase(),
  ] as const);
  return { what: `${name}: → ${JSON.stringify(next)}:`, text: text.slice(0, at) + next + text.slice(at + name.length) };
});

const line = inText((text, random) => {
  const lines = text.split("\n");
  const at = random.between(0, lines.length - 1);
  const [one = "", other = ""] = [lines[at], lines[random.between(0, lines.length - 1)]];
  const next = random.pick<readonly string[]>([
    [],
    [one, one],
    [`  ${one}`],
    [one.replace(/^ {1,2}/, "")],
    [one, other],
    [`- ${one}`],
    [one.slice(0, one.length / 2)],
  ]);
  return {
    what: `line ${at + 1} ${JSON.stringify(one)} → ${JSON.stringify(next)}`,
    text: lines.toSpliced(at, 1, ...next).join("\n"),
  };
});

const markdown = inText((text, random) => {
  const start = text.indexOf("\n---\n", 4) + 5;
  const ends = Array.from(text.slice(start).matchAll(/\n/g), ({ index }) => start + index);
  const at = random.pick([start, start, ...ends] as [number, ...number[]]);
  const part = random.pick(MARKDOWN);
  const framed = random.pick([
    part,
    `\n\n${part}\n\n`,
    `\n${part}\n`,
    `\n- ${part}\n`,
    `\n> ${part}\n`,
    `${part} ${random.pick(MARKDOWN)}`,
  ] as const);
  return { what: JSON.stringify(framed), text: insert(text, framed, at) };
});

const ENDINGS = ["jpg", "png", "webp", "avif", "gif"] as const;

/** A photograph, turned as EXIF says or not. */
const photograph = (ending: (typeof ENDINGS)[number], width: number, height: number, orientation: number) =>
  sharp({ create: { width, height, channels: 3, background: "#808080" } })
    .withMetadata({ orientation })
    .toFormat(ending === "jpg" ? "jpeg" : ending)
    .toBuffer();

/** A product with a picture of another name, in its fields or its text. */
function withPicture(slug: string, name: string, source: string, content: string | Buffer, random: Random): Mutation {
  const { file, text, needs } = makers[random.pick(["product", "product", "guide", "markdown guide"] as const)](slug);
  const [own = ""] = Object.keys(needs);
  const folder = own.slice(0, own.lastIndexOf("/"));
  const changed = text.replaceAll(`./${slug}.svg`, (_, at: number) =>
    at < text.indexOf("\n---", 4) ? JSON.stringify(source) : /[\s()]/.test(source) ? `<${source}>` : source,
  );
  return { what: `${file}: ${source}`, file, files: { [file]: changed, [`${folder}/${name}`]: content } };
}

const drawing: Mutate = (slug, random) => {
  const text = DRAWING.replace('viewBox="0 0 40 30"', () => random.pick(DRAWINGS));
  const at = random.between(0, text.length);
  const whole = random.chance(0.8) ? text : insert(text, random.pick(TEXTS), at);
  const made = withPicture(slug, `${slug}.svg`, `./${slug}.svg`, whole, random);
  return { ...made, what: `${made.what} ${whole}` };
};

const photo: Mutate = async (slug, random) => {
  const ending = random.pick(ENDINGS);
  const [width, height] = [random.pick([1, 2, 9, 99, 600] as const), random.pick([1, 3, 250, 700] as const)];
  const orientation = random.between(1, 8);
  const right = await photograph(ending, width, height, orientation);
  const wrong = Buffer.from(right);
  const isHurt = random.chance(0.4);
  const at = random.between(0, right.length - 1);
  if (isHurt) wrong[at] = random.between(0, 255);
  const made = withPicture(slug, `${slug}.${ending}`, `./${slug}.${ending}`, isHurt ? wrong : right, random);
  return {
    ...made,
    what: `${made.what} ${width}×${height} turned ${orientation}${isHurt ? `, byte ${at} of ${right.length} is ${wrong[at]}` : ""}`,
  };
};

const pictureName: Mutate = (slug, random) => {
  const odd = random.pick(NAMES);
  const name = `${random.chance(0.5) ? `${slug}${odd}` : `${odd}${slug}`}.svg`.replaceAll("/", "");
  const source = random.pick([
    `./${name}`,
    `./${name}`,
    encodeURI(`./${name}`),
    `./${encodeURIComponent(name)}`,
  ] as const);
  return withPicture(slug, name, source, DRAWING, random);
};

const fileName: Mutate = (slug, random) => {
  const { file, text, needs } = makers[random.pick(["product", "guide", "page", "category"] as const)](slug);
  const odd = random.pick(NAMES);
  const name = random.chance(0.5) ? `${slug}${odd}` : `${odd}${slug}`;
  const named = file.replace(/[^/]*(?=\.mdx?$)/, () => name);
  return { what: named, file: named, files: { ...needs, [named]: text } };
};

const document: Mutate = (slug, random) => {
  const { file, text, needs } = makers.product(slug);
  const name = `${random.pick([slug, `${slug}${random.pick(NAMES)}`, `${random.pick(NAMES)}${slug}`] as const)}.${random.pick(["pdf", "txt", "zip", "PDF", "exe"] as const)}`;
  const content = random.pick(["%PDF-1.7\n", "PK\u0003\u0004", "text", "", "\ufffd"] as const);
  const changed = text.replace("link: https://maker.example/manual.pdf", () => `file: ${JSON.stringify(`./${name}`)}`);
  const folder = file.slice(0, file.lastIndexOf("/"));
  return { what: `${file}: ./${name}`, file, files: { ...needs, [file]: changed, [`${folder}/${name}`]: content } };
};

const REDIRECTS = `from,to
/old/scanner.html,/about
/?p=12,/products/kestrel-c2?sku=KES-C2#specifications
/gone,
"/a,b",https://other.example/a?b=1
`;

/** The old addresses of a shop, of which one is odd in its own column, in its target, or anywhere. */
const oldAddresses: Mutate = (_, random) => {
  const odd = random.pick([random.pick(TEXTS), random.pick(NAMES)] as const);
  const place = random.pick([odd, `/${odd}`, `/a?b=${odd}`, `"/${odd}"`, `https://a.example/${odd}`] as const);
  const at = random.between(0, REDIRECTS.length);
  const text = random.pick([
    `${REDIRECTS}${place},/about\n`,
    `${REDIRECTS}/odd,${place}\n`,
    `${REDIRECTS}/odd,/products/kestrel-c2?sku=${odd}\n`,
    insert(REDIRECTS, odd, at),
  ] as const);
  const file = "redirects.csv";
  return { what: `${file}: ${JSON.stringify(text)}`, file, files: { [file]: text } };
};

const all: readonly [Mutate, ...Mutate[]] = [
  ...([value, value, value, value, syntax, syntax, syntax, markdown, markdown, markdown] as const),
  ...[bytes, bytes, key, line, drawing, drawing, photo, pictureName, pictureName, fileName, document, oldAddresses],
];

/** A random mutation of a file of its own; `slug` has no other. */
export const mutate = (slug: string, random: Random): Mutation | Promise<Mutation> => random.pick(all)(slug, random);
