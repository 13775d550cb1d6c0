import type { Element } from "hast";
import { defaultHandlers, type State } from "hast-util-to-mdast";
import { type Mdast, paragraph, phrasingOf } from "./phrasing.ts";

/** A GFM table; its caption, which GFM has no place for, is a bold line above it. */
export function table(state: State, element: Element): Mdast {
  const result = defaultHandlers.table(state, element);
  const caption = element.children.find((child) => child.type === "element" && child.tagName === "caption");
  if (caption?.type !== "element") return result;
  return [paragraph({ type: "strong", children: phrasingOf(state.all(caption)) }), result];
}

/** A cell of a GFM table is one line; left alone, hast-util-to-mdast glues its paragraphs together (`<p>a</p><p>b</p>` → `ab`). */
export function tableCell(state: State, element: Element): Mdast {
  const cell = defaultHandlers.td(state, element);
  return { ...cell, children: phrasingOf(cell.children) };
}
