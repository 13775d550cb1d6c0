import type { DefaultTreeAdapterTypes as Html } from "parse5";
import { attribute, isElement, isSeen } from "./page-inline.ts";

export type Cell = { row: string; column: number; cell: Html.Element };

/**
 * The cells of a table, each with its row (`head` or a number) and column. Both count from 1 and include cells that span
 * rows and columns. Empty rows aren't counted.
 */
export function cellsOf(table: Html.Element): Cell[] {
  const rows = rowsOf(table);
  const isHeaded = rows[0]?.parentNode && "tagName" in rows[0].parentNode && rows[0].parentNode.tagName === "thead";
  const taken = rows.map(() => new Set<number>());
  let number = 0;
  return rows.flatMap((row, index) => {
    const cells = row.childNodes.filter(isElement).filter(isSeen);
    const isHead = index === 0 && (isHeaded || cells.every(({ tagName }) => tagName === "th"));
    if (!isHead && cells.some(hasContent)) number += 1;
    let column = 1;
    return cells.map((cell) => {
      while (taken[index]?.has(column)) column += 1;
      const place = { row: isHead ? "head" : `row ${number}`, column, cell };
      column += span(cell, "colspan");
      for (let below = index + 1; below < index + span(cell, "rowspan"); below += 1)
        for (let beside = place.column; beside < column; beside += 1) taken[below]?.add(beside);
      return place;
    });
  });
}

const span = (cell: Html.Element, name: string) => Math.max(1, Number(attribute(cell, name) ?? 1));

const hasContent = (node: Html.ChildNode): boolean =>
  isElement(node)
    ? node.tagName === "img" || node.childNodes.some(hasContent)
    : "value" in node && /\S/.test(node.value);

function rowsOf(table: Html.Element): Html.Element[] {
  const parts = table.childNodes.filter(isElement).filter(isSeen);
  return parts.flatMap((part) => {
    if (part.tagName === "tr") return [part];
    return /^t(head|body|foot)$/.test(part.tagName)
      ? part.childNodes.filter(isElement).filter((row) => row.tagName === "tr" && isSeen(row))
      : [];
  });
}
