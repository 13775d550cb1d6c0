import { Parser } from "htmlparser2";

/** The parts of a page that its Markdown is made from, as HTML; `jsonLd` is JSON. */
export type PageParts = {
  /** `<title>`, `<meta>` and `<link>`, in document order. */
  head: string;
  jsonLd: string[];
  /** From the first `<main>` to at least its end; empty if the page has none. */
  main: string;
};

// A quoted attribute value may contain any character except its own quote.
const attributes = /[^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*/.source;

// A comment; a whole element that contains only text; or the start tag of any other element.
const token = new RegExp(
  `<!--[^]*?-->|<(?<whole>script|style|title|textarea)\\b(?<about>${attributes})>(?<text>[^]*?)</\\k<whole>\\s*>|<(?<name>[a-z][^\\s/>]*)${attributes}>`,
  "gi",
);

/**
 * Splits a page without parsing it, so that only `head` and `main` have to be parsed: JSON-LD, header and footer are as long
 * as `<main>`.
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

// The rest after the last </main> can be dropped only if no other <main> starts there.
function mainFrom(html: string): string {
  const end = html.lastIndexOf("</main");
  return end === -1 || html.includes("<main", end) ? html : html.slice(0, end);
}

export type Element = { tagName: string; attributes: { [name: string]: string }; childNodes: Node[] };

export type Text = { value: string };

export type Node = Element | Text;

export const isElement = (node: Node): node is Element => "tagName" in node;

export const isText = (node: Node): node is Text => "value" in node;

/**
 * Reads HTML without its comments. Wrongly nested tags aren't mended as browsers do it, which takes twice as long: editors
 * write hardly any HTML (`site/content-check/body-problems.ts`), and tests validate the components'.
 *
 * @param html part of a page
 * @returns an element without a name, with the part's nodes in it
 */
export function readHtml(html: string): Element {
  const root = newElement("", {});
  const open = [root];
  let parent = root;
  let text: Text | undefined;
  const parser = new Parser({
    onopentag: (tagName, attributes) => {
      const element = newElement(tagName, attributes);
      parent.childNodes.push(element);
      open.push(element);
      parent = element;
      text = undefined;
    },
    onclosetag: () => {
      open.pop();
      parent = open.at(-1) ?? root;
      text = undefined;
    },
    ontext: (value) => {
      // Character references divide a text into pieces.
      if (text) text.value += value;
      else {
        text = { value: isStartOfCode(parent) ? value.replace(/^\n/, "") : value };
        parent.childNodes.push(text);
      }
    },
  });
  parser.end(html.replace(/\r\n?/g, "\n"));
  return root;
}

const newElement = (tagName: string, attributes: Element["attributes"]): Element => ({
  tagName,
  attributes,
  childNodes: [],
});

// A line break there isn't content (HTML standard, 13.2.6.4.7).
const isStartOfCode = ({ tagName, childNodes }: Element) => tagName === "pre" && childNodes.length === 0;

// Includes the parts of tables and lists (HTML standard, 15.3).
const blocks = new Set(
  "address article aside blockquote caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

/** True for a block element, false for an inline one. */
export const isBlock = ({ tagName }: Element): boolean => blocks.has(tagName);

/** The value of an attribute, "" if it has no value; undefined if the element doesn't have the attribute. */
export const attribute = (element: Element, name: string): string | undefined => element.attributes[name];

/** The words of an attribute that is a list, such as `class` or `rel`. */
export const wordsOf = (element: Element, name: string): string[] =>
  (attribute(element, name) ?? "").split(/[ \t\n\f\r]+/);

/** Collapses white space as HTML does: runs become one space, the ends are trimmed. No-break spaces stay. */
export const collapsed = (text: string): string => text.replace(/[ \t\n\f\r]+/g, " ").replace(/^ | $/g, "");

/** The text of an element in one line, with white space collapsed. */
export const textOf = (element: Element): string => collapsed(rawText(element));

/** The text of an element like the DOM's `textContent`, with a line break for each `<br>`. */
export function rawText({ childNodes }: Element): string {
  let text = "";
  for (const child of childNodes) {
    if (isText(child)) text += child.value;
    else if (isElement(child)) text += child.tagName === "br" ? "\n" : rawText(child);
  }
  return text;
}
