import type { Element, ElementContent, Root } from "hast";
import { defaultHandlers } from "hast-util-to-mdast";
import { SKIP, visit } from "unist-util-visit";

/**
 * Finds the one `<main>` of a page and takes out what only a screen needs: `data-markdown="skip"`, `hidden`,
 * `aria-hidden="true"`. Mends what Markdown can't say: line breaks in headings, row heads that would pass for a table head.
 *
 * @throws when the page has no `<main>`, or an element that is no HTML: a component in a `.md` file, which HTML parsers
 *   take for an unknown element and would silently drop the name of.
 */
export function findMain(page: Root): Element {
  const mains: Element[] = [];
  visit(page, "element", (element) => {
    if (element.tagName !== "main") return;
    mains.push(element);
    return SKIP;
  });
  const [main, second] = mains;
  if (!main) throw new Error("it has no <main>: the Markdown face is made of what stands in <main>");
  if (second) throw new Error("it has two <main>: keep one");
  prepare(main);
  dropPositions(main);
  return main;
}

// toMdast clones the tree it is given; the positions are most of it.
function dropPositions(node: Element | ElementContent): void {
  delete node.position;
  if ("children" in node) for (const child of node.children) dropPositions(child);
}

function prepare(main: Element): void {
  visit(main, "element", (element, index, parent) => {
    if (parent && index !== undefined && isForScreensOnly(element)) {
      parent.children.splice(index, 1);
      return [SKIP, index];
    }
    if (!isKnown(element.tagName)) {
      throw new Error(
        `<${element.tagName}> is no HTML element: a component works in an .mdx file only. A typing slip?`,
      );
    }
    if (element.tagName === "svg") return SKIP;
    if (/^h[1-6]$/.test(element.tagName)) joinLines(element);
    if (element.tagName === "tr" && !isInHead(parent)) demoteRowHeads(element);
    return;
  });
}

/** True for what a reader of the text can't or needn't see. */
export function isForScreensOnly({ properties }: Element): boolean {
  return (
    properties["dataMarkdown"] === "skip" ||
    properties["ariaHidden"] === "true" ||
    (properties["hidden"] !== undefined && properties["hidden"] !== null && properties["hidden"] !== false)
  );
}

// A hyphen marks a custom element (HTML standard, 4.13.2): its children are content like any other.
const isKnown = (tagName: string) =>
  tagName.includes("-") || tagName === "search" || Object.hasOwn(defaultHandlers, tagName);

// An ATX heading is one line; with a break in it, remark would write the underlined kind.
function joinLines(heading: Element): void {
  visit(heading, "element", (element, index, parent) => {
    if (element.tagName === "br" && parent && index !== undefined)
      parent.children[index] = { type: "text", value: " " };
  });
}

const isInHead = (parent: { type: string; tagName?: string } | undefined) => parent?.tagName === "thead";

// hast-util-to-mdast takes a first row with any <th> for the table's head: a row of `th scope=row` and `td` is not one.
function demoteRowHeads(row: Element): void {
  const cells = row.children.filter((child): child is Element => child.type === "element");
  if (!cells.some((cell) => cell.tagName === "td")) return;
  for (const cell of cells) if (cell.tagName === "th") cell.tagName = "td";
}

/** The text of an element as the DOM's `textContent` has it, white space collapsed. */
export function textOf(node: Element | ElementContent): string {
  const parts: string[] = [];
  visit(node, "text", (text) => {
    parts.push(text.value);
  });
  return parts.join("").replace(/\s+/g, " ").trim();
}
