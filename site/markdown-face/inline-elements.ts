import type { PhrasingContent } from "mdast";
import { attribute, collapsed, type Element, isElement, isText, textOf } from "./html.ts";
import { type Handler, type Mdast, type Page, plainText } from "./markdown-tree.ts";

/** `<a>`. Without an address only its content is kept. */
export function link(element: Element, page: Page): Mdast {
  const href = attribute(element, "href");
  // The link back from a footnote has no use in text.
  if (attribute(element, "data-footnote-backref") !== undefined) return undefined;
  const children = page.contentOf(element) as PhrasingContent[];
  if (href === undefined) return children;
  const url = page.addressOf(href);
  const [only, second] = children;
  // A picture that links to itself in full size gives its address once.
  if (only?.type === "image" && !second && only.url === url) return only;
  return { type: "link", url, title: titleOf(element), children };
}

const titleOf = (element: Element) => collapsed(attribute(element, "title") ?? "") || null;

/** `<abbr>`. Its long form, a tooltip on screen, follows in brackets. */
export function abbreviation(element: Element, page: Page): Mdast {
  const title = titleOf(element);
  const content = page.contentOf(element);
  return title ? [...content, { type: "text", value: ` (${title})` }] : content;
}

/** `<img>`. An empty alternative text marks decoration (HTML standard, 4.8.4.4), which is left out. */
export function picture(element: Element, page: Page): Mdast {
  const alt = attribute(element, "alt");
  if (alt !== undefined && collapsed(alt) === "") return undefined;
  const url = page.addressOf(attribute(element, "src") ?? "");
  return { type: "image", url, title: titleOf(element), alt: collapsed(alt ?? "") };
}

/** `<code>` and similar elements, which in Markdown contain only text: a line break becomes a space, a picture its alternative text. */
export const codeInLine = (element: Element, page: Page): Mdast => ({
  type: "inlineCode",
  value: page.contentOf(element).map(plainText).join(""),
});

/** `<q>`, with the quotation marks that a browser adds. */
export const quotation = (element: Element, page: Page): Mdast => [
  { type: "text", value: '"' },
  ...page.contentOf(element),
  { type: "text", value: '"' },
];

/**
 * `<sup>` and `<sub>`, which Markdown doesn't have: digits become superscript or subscript characters (m², H₂O), words stay in
 * the line (1st).
 */
export function subOrSuperscript(characters: string): Handler {
  const digits = [...characters];
  return (element, page) => {
    const text = textOf(element);
    if (!element.childNodes.every(isText) || !/^[0-9+\-−]+$/.test(text)) return page.contentOf(element);
    return {
      type: "text",
      value: [...text.replace("−", "-")].map((digit) => digits["0123456789+-".indexOf(digit)]).join(""),
    };
  };
}

/** `<svg>`. A drawing used as a word, such as a tick in a table, becomes its label or title. */
export function drawing(element: Element): Mdast {
  const name = attribute(element, "aria-label") ?? titleIn(element);
  return name ? { type: "text", value: collapsed(name) } : undefined;
}

function titleIn({ childNodes }: Element): string | undefined {
  const elements = childNodes.filter(isElement);
  const title = elements.find(({ tagName }) => tagName === "title");
  return title ? textOf(title) : elements.map(titleIn).find((text) => text !== undefined);
}
