import type { DefaultTreeAdapterTypes as Html } from "parse5";

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

export type Element = Html.Element;

export const isElement = (node: Html.Node): node is Element => "tagName" in node;

export const isText = (node: Html.Node): node is Html.TextNode => node.nodeName === "#text";

// Parts of tables and of lists among them (HTML standard, 15.3).
const blocks = new Set(
  "address article aside blockquote caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

/** True for an element on lines of its own, false for one within a line. */
export const isBlock = ({ tagName }: Element): boolean => blocks.has(tagName);

/** The value of an attribute, "" where it has none; undefined where the element doesn't have the attribute. */
export const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((each) => each.name === name)?.value;

/** The words of an attribute that lists some, such as `class` or `rel`. */
export const wordsOf = (element: Element, name: string): string[] =>
  (attribute(element, name) ?? "").split(/[ \t\n\f\r]+/);

/** Text with its white space as HTML shows it: runs are one blank, and none stands at the ends. A no-break space is no white space. */
export const collapsed = (text: string): string => text.replace(/[ \t\n\f\r]+/g, " ").replace(/^ | $/g, "");

/** The text of an element in one line, white space collapsed. */
export const textOf = (element: Element): string => collapsed(rawText(element));

/** The text of an element as the DOM's `textContent` has it, but that a `<br>` is a line break. */
export function rawText({ childNodes }: Element): string {
  let text = "";
  for (const child of childNodes) {
    if (isText(child)) text += child.value;
    else if (isElement(child)) text += child.tagName === "br" ? "\n" : rawText(child);
  }
  return text;
}
