/** The parts of a page that its Markdown is made of, as HTML; but `jsonLd`, which is JSON. */
export type PageParts = {
  /** `<title>`, `<meta>` and `<link>`, in their order. */
  head: string;
  jsonLd: string[];
  /** From the first `<main>` on, and at least to its end; empty when the page has none. */
  main: string;
};

// An attribute's value may hold any sign but its own quote.
const attributes = /[^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*/.source;

// A comment; an element that holds text and no elements, whole; the beginning of any other element.
const token = new RegExp(
  `<!--[^]*?-->|<(?<whole>script|style|title|textarea)\\b(?<about>${attributes})>(?<text>[^]*?)</\\k<whole>\\s*>|<(?<name>[a-z][^\\s/>]*)${attributes}>`,
  "gi",
);

/**
 * Takes a page apart without parsing it, which is done to `head` and `main` then: a page's JSON-LD, its header and its
 * footer are as long as its `<main>`, and would be parsed for nothing.
 */
export function splitPage(html: string): PageParts {
  let head = "";
  const jsonLd: string[] = [];
  for (const { 0: element, index, groups = {} } of html.matchAll(token)) {
    const { whole, about = "", text = "", name = whole } = groups;
    const tagName = name?.toLowerCase() ?? "";
    if (tagName === "main") return { head, jsonLd, main: mainFrom(html.slice(index)) };
    if (/^(?:title|meta|link)$/.test(tagName)) head += element;
    if (tagName === "script" && isJsonLd.test(about)) jsonLd.push(text);
  }
  return { head, jsonLd, main: "" };
}

const isJsonLd = /(?:^|\s)type=["']?application\/ld\+json(?:["'\s]|$)/;

// What follows the last end of a <main> can only be left out when no other begins there.
function mainFrom(html: string): string {
  const end = html.lastIndexOf("</main");
  return end === -1 || html.includes("<main", end) ? html : html.slice(0, end);
}
