import type { Element } from "hast";
import { defaultHandlers, type State } from "hast-util-to-mdast";
import { textOf } from "./elements.ts";
import { type Mdast, paragraph, phrasingOf, strong } from "./phrasing.ts";

/** A GFM table; its caption, which GFM has no place for, is a bold line above it. */
export function table(state: State, element: Element): Mdast {
  const result = defaultHandlers.table(state, element);
  const caption = element.children.find((child) => child.type === "element" && child.tagName === "caption");
  const title = caption ? textOf(caption) : "";
  return title ? [paragraph(strong(title)), result] : result;
}

/** A cell of a GFM table is one line; left alone, hast-util-to-mdast glues its paragraphs together (`<p>a</p><p>b</p>` → `ab`). */
export function tableCell(state: State, element: Element): Mdast {
  const cell = defaultHandlers.td(state, element);
  return { ...cell, children: phrasingOf(cell.children) };
}
