import type { List, ListItem, RootContent } from "mdast";
import { blocksOf } from "./blocks.ts";
import { attribute, type Element, isBlock, isElement, isText } from "./elements.ts";
import type { Page } from "./handler.ts";

/** `<ul>` or `<ol>`. What wrongly stands between its items belongs to the one before. */
export function list(element: Element, page: Page): List {
  const items: ListItem[] = [];
  for (const node of page.contentOf(element)) {
    const last = items.at(-1);
    if (node.type === "listItem") items.push(node);
    else if (last) last.children.push(...blocksIn([node]));
    else items.push({ type: "listItem", spread: false, children: blocksIn([node]) });
  }
  const spread = items.length > 1 && items.some((item) => item.spread);
  const start = Number.parseInt(attribute(element, "start") ?? "1", 10);
  return element.tagName === "ol"
    ? { type: "list", ordered: true, start: Number.isNaN(start) ? 1 : start, spread, children: items }
    : { type: "list", ordered: false, spread, children: items };
}

/** `<li>`. A box at its beginning that can't be ticked makes it a task of GFM. */
export function listItem(element: Element, page: Page): ListItem {
  const box = leadingBox(element);
  return {
    type: "listItem",
    spread: isSpread(element),
    checked: box ? attribute(box, "checked") !== undefined : null,
    children: blocksIn(page.contentOf(element)),
  };
}

const blocksIn = (content: RootContent[]) => blocksOf(content) as ListItem["children"];

function leadingBox(element: Element): Element | undefined {
  const first = element.childNodes.find((child) => !isText(child) || child.value !== "");
  if (!first || !isElement(first)) return undefined;
  if (first.tagName === "p") return leadingBox(first);
  return first.tagName === "input" ? first : undefined;
}

/** True for an item with a paragraph or with several blocks, between which there must be an empty line. */
function isSpread({ childNodes }: Element): boolean {
  let hasBlock = false;
  for (const child of childNodes) {
    if (!isElement(child) || !isBlock(child)) continue;
    if (child.tagName === "p" || hasBlock || isSpread(child)) return true;
    hasBlock = true;
  }
  return false;
}
