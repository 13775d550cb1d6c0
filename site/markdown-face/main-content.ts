import type { Element, Root } from "hast";
import { defaultHandlers } from "hast-util-to-mdast";
import { eachElement } from "./elements.ts";

/**
 * Finds the one `<main>` of a page and takes out what only a screen needs: `data-markdown="skip"`, `hidden`,
 * `aria-hidden="true"`. Mends what Markdown can't say: line breaks in headings, row heads that would pass for a table head.
 *
 * @throws when the page has no `<main>`, or an element that is no HTML: a component in a `.md` file, which HTML parsers
 *   take for an unknown element and would silently drop the name of.
 */
export function findMain(page: Root): Element {
  const mains: Element[] = [];
  eachElement(page, (element) => {
    if (element.tagName === "main") mains.push(element);
  });
  const [main, second] = mains;
  if (!main) throw new Error("it has no <main>: the Markdown face is made of what stands in <main>");
  if (second) throw new Error("it has two <main>: keep one");
  prepare(main);
  return main;
}

function prepare(parent: Element): void {
  // toMdast clones the tree that it is given, and the positions would be most of it.
  delete parent.position;
  parent.children = parent.children.filter((child) =>
    child.type === "element" ? !isForScreensOnly(child) : child.type === "text",
  );
  for (const child of parent.children) {
    delete child.position;
    if (child.type !== "element") continue;
    if (/^h[1-6]$/.test(child.tagName)) joinLines(child);
    if (child.tagName === "tr" && parent.tagName !== "thead") demoteRowHeads(child);
    if (!isKnown(child.tagName)) throw new Error(`<${child.tagName}> is no HTML element: ${unknownReason}`);
    // A drawing's elements are SVG's own.
    if (child.tagName !== "svg") prepare(child);
    if (child.tagName === "a") nameLink(child);
  }
}

const unknownReason = "a component works in an .mdx file only. A typing slip?";

/** True for what a reader of the text can't see, can't operate or needn't know. */
const isForScreensOnly = ({ tagName, properties }: Element): boolean =>
  properties["dataMarkdown"] === "skip" ||
  properties["ariaHidden"] === "true" ||
  properties["hidden"] === true ||
  unsaid.has(tagName) ||
  // A box that can't be ticked is a task of GFM.
  (tagName === "input" && !(properties["type"] === "checkbox" && properties["disabled"]));

// Controls, and the places where a long word may break: hast-util-to-mdast would put an invisible character there.
const unsaid = new Set(["button", "label", "legend", "noscript", "select", "textarea", "wbr"]);

// A hyphen marks a custom element (HTML standard, 4.13.2): its children are content like any other.
const isKnown = (tagName: string) =>
  tagName.includes("-") || tagName === "search" || Object.hasOwn(defaultHandlers, tagName);

// An ATX heading is one line; with a break in it, remark would write the underlined kind.
function joinLines(parent: Element): void {
  parent.children = parent.children.map((child) => {
    if (child.type !== "element") return child;
    if (child.tagName === "br") return { type: "text", value: " " };
    joinLines(child);
    return child;
  });
}

// A link that only shows an icon has its name in its label.
function nameLink(link: Element): void {
  const label = link.properties["ariaLabel"];
  if (link.children.length === 0 && typeof label === "string") link.children.push({ type: "text", value: label });
}

// hast-util-to-mdast takes a first row with any <th> for the table's head: a row of `th scope=row` and `td` is not one.
function demoteRowHeads(row: Element): void {
  const cells = row.children.filter((child) => child.type === "element");
  if (!cells.some((cell) => cell.tagName === "td")) return;
  for (const cell of cells) if (cell.tagName === "th") cell.tagName = "td";
}
