import type { Table, TableCell, TableRow } from "mdast";
import { attribute, type Element, isElement } from "./elements.ts";
import type { Mdast, Page } from "./handler.ts";
import { paragraph, phrasingOf } from "./phrasing.ts";

/**
 * A table of GFM: a cell is one line; where a cell covers others, those are empty; a table without a head has an empty one.
 * Its caption, which GFM has no place for, is a bold line above it.
 */
export function table(element: Element, page: Page): Mdast {
  const parts = element.childNodes.filter(isElement);
  const rows = parts.flatMap((part) => [part, ...part.childNodes.filter(isElement)]).filter(isRow);
  const isHeaded = parts.some(({ tagName }) => tagName === "thead") || isHead(rows[0]);
  const children = [...(isHeaded ? [] : [[]]), ...tableCells(rows, page)].map(tableRow);
  const columns = Math.max(1, ...children.map((row) => row.children.length));
  for (const row of children) while (row.children.length < columns) row.children.push(emptyCell());
  const result: Table = { type: "table", children };
  const caption = parts.find(({ tagName }) => tagName === "caption");
  if (!caption) return result;
  return [paragraph({ type: "strong", children: phrasingOf(page.contentOf(caption)) }), result];
}

const isRow = ({ tagName }: Element) => tagName === "tr";

const cellsOf = (row: Element | undefined): Element[] =>
  row?.childNodes.filter(isElement).filter(({ tagName }) => tagName === "td" || tagName === "th") ?? [];

// A row of a row head and a value is none.
const isHead = (row: Element | undefined) =>
  cellsOf(row).length > 0 && cellsOf(row).every(({ tagName }) => tagName === "th");

const tableRow = (children: TableCell[]): TableRow => ({ type: "tableRow", children });

const emptyCell = (): TableCell => ({ type: "tableCell", children: [] });

function tableCells(rows: readonly Element[], page: Page): TableCell[][] {
  // How many of the next rows a cell from above covers, by column.
  const covered: number[] = [];
  return rows.map((row) => {
    const cells: TableCell[] = [];
    const leaveCovered = () => {
      for (let column = cells.length; (covered[column] ?? 0) > 0; column += 1) {
        covered[column] = (covered[column] ?? 0) - 1;
        cells.push(emptyCell());
      }
    };
    for (const element of cellsOf(row)) {
      leaveCovered();
      const column = cells.length;
      cells.push({ type: "tableCell", children: phrasingOf(page.contentOf(element)) });
      const width = spanOf(element, "colspan", 1000);
      const height = spanOf(element, "rowspan", 65_534);
      for (let index = column; index < column + width; index += 1) covered[index] = height - 1;
      while (cells.length < column + width) cells.push(emptyCell());
    }
    leaveCovered();
    return cells;
  });
}

// No more than a browser takes (HTML standard, 4.9.11).
function spanOf(cell: Element, name: "colspan" | "rowspan", most: number): number {
  const span = Number.parseInt(attribute(cell, name) ?? "1", 10);
  return Math.min(Math.max(span || 1, 1), most);
}
