import type { Nodes, PhrasingContent } from "mdast";
import { attribute, collapsed, type Element, isElement, isText, textOf } from "./html.ts";
import type { Handler, Mdast, Page } from "./markdown-tree.ts";

/** `<a>`; without an address it is its content. */
export function link(element: Element, page: Page): Mdast {
  const href = attribute(element, "href");
  // The way back from a footnote is for who has followed the way to it.
  if (attribute(element, "data-footnote-backref") !== undefined) return undefined;
  const children = page.contentOf(element) as PhrasingContent[];
  if (href === undefined) return children;
  const url = page.addressOf(href);
  const [only, second] = children;
  // A picture that leads to itself in full size says its address once.
  if (only?.type === "image" && !second && only.url === url) return only;
  return { type: "link", url, title: titleOf(element), children };
}

const titleOf = (element: Element) => collapsed(attribute(element, "title") ?? "") || null;

/** `<abbr>`. Its long form, which a screen shows to whoever points at it, stands behind it. */
export function abbreviation(element: Element, page: Page): Mdast {
  const title = titleOf(element);
  const content = page.contentOf(element);
  return title ? [...content, { type: "text", value: ` (${title})` }] : content;
}

/** `<img>`. An empty alternative text marks decoration (HTML standard, 4.8.4.4): it says nothing to a reader. */
export function picture(element: Element, page: Page): Mdast {
  const alt = attribute(element, "alt");
  if (alt !== undefined && collapsed(alt) === "") return undefined;
  const url = page.addressOf(attribute(element, "src") ?? "");
  return { type: "image", url, title: titleOf(element), alt: collapsed(alt ?? "") };
}

/** `<code>` and its like, which in Markdown hold text alone: a line break is a blank, a picture its words. */
export const codeInLine = (element: Element, page: Page): Mdast => ({
  type: "inlineCode",
  value: page.contentOf(element).map(plainText).join(""),
});

function plainText(node: Nodes): string {
  if (node.type === "break") return " ";
  if (node.type === "image") return node.alt ?? "";
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(plainText).join("") : "";
}

/** `<q>`, whose marks a browser adds. */
export const quotation = (element: Element, page: Page): Mdast => [
  { type: "text", value: '"' },
  ...page.contentOf(element),
  { type: "text", value: '"' },
];

/**
 * `<sup>` and `<sub>`. Markdown has no raised or lowered text: digits have characters of their own (m², H₂O), words
 * stand in the line (1st).
 */
export function script(characters: string): Handler {
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

/** `<svg>`. A drawing that stands for a word, such as a tick in a table, carries that word as its label or title. */
export function drawing(element: Element): Mdast {
  const name = attribute(element, "aria-label") ?? titleIn(element);
  return name ? { type: "text", value: collapsed(name) } : undefined;
}

function titleIn({ childNodes }: Element): string | undefined {
  const elements = childNodes.filter(isElement);
  const title = elements.find(({ tagName }) => tagName === "title");
  return title ? textOf(title) : elements.map(titleIn).find((text) => text !== undefined);
}
