import type { BlockContent, List, ListItem, PhrasingContent, RootContent, Table, TableCell, TableRow } from "mdast";
import { attribute, type Element, isBlock, isElement, isText } from "./html.ts";
import { blocksOf, type Mdast, type Page, paragraph, phrasingOf, text } from "./markdown-tree.ts";

/** `<ul>` or `<ol>`. Invalid content between items is added to the item before it. */
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

/** `<li>`. A disabled checkbox at its start makes it a GFM task. */
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

/** True for an item with a paragraph or several blocks, which need an empty line between them. */
function isSpread({ childNodes }: Element): boolean {
  let hasBlock = false;
  for (const child of childNodes) {
    if (!isElement(child) || !isBlock(child)) continue;
    if (child.tagName === "p" || hasBlock || isSpread(child)) return true;
    hasBlock = true;
  }
  return false;
}

type Group = { terms: Element[]; details: Element[] };

/**
 * `<dl>`, as a list of `- **Term**: value` rather than a table, so that values may be long and contain blocks. Several terms of
 * a group are separated by commas, several short values by semicolons.
 */
export function definitionList(element: Element, page: Page): Mdast {
  const children = groupsOf(element).map((group) => groupItem(group, page));
  const list: List = { type: "list", ordered: false, spread: false, children };
  return children.length > 0 ? list : undefined;
}

// Each group may be wrapped in a <div> (HTML standard, 4.4.9).
function groupsOf(list: Element): Group[] {
  const parts = list.childNodes
    .filter(isElement)
    .flatMap((child) => (child.tagName === "div" ? child.childNodes.filter(isElement) : child));
  const groups: Group[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (part.tagName === "dt") {
      if (last && last.details.length === 0) last.terms.push(part);
      else groups.push({ terms: [part], details: [] });
    } else if (part.tagName === "dd") {
      if (last) last.details.push(part);
      else groups.push({ terms: [], details: [part] });
    }
  }
  return groups;
}

function groupItem({ terms, details }: Group, page: Page): ListItem {
  const term = separated(
    terms.map((dt) => phrasingOf(page.contentOf(dt))),
    ", ",
  );
  const values = details.map((dd) => page.contentOf(dd));
  const head: PhrasingContent[] = term.length > 0 ? [{ type: "strong", children: term }, text(": ")] : [];
  if (values.every(isOneLine)) {
    return newItem([{ type: "paragraph", children: [...head, ...separated(values.map(phrasingOf), "; ")] }]);
  }
  const title: PhrasingContent[] = term.length > 0 ? [{ type: "strong", children: term }, text(":")] : [];
  return newItem([{ type: "paragraph", children: title }, ...blocksOf(values.flat())] as BlockContent[]);
}

const newItem = (children: ListItem["children"]): ListItem => ({ type: "listItem", spread: false, children });

const isOneLine = (content: RootContent[]) =>
  content.length <= 1
    ? content.every((node) => !["list", "code", "table", "blockquote"].includes(node.type))
    : content.every((node) => !["paragraph", "heading", "list", "code", "table", "blockquote"].includes(node.type));

const separated = (lines: PhrasingContent[][], separator: string): PhrasingContent[] =>
  lines.filter((line) => line.length > 0).flatMap((line, index) => (index === 0 ? line : [text(separator), ...line]));

/**
 * `<table>`, as a GFM table: each cell is one line, the cells that a spanning cell covers are empty, and a table without a
 * head gets an empty one. GFM has no captions: a caption becomes a bold line above the table.
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

// A row header with a value beside it isn't a table head.
const isHead = (row: Element | undefined) =>
  cellsOf(row).length > 0 && cellsOf(row).every(({ tagName }) => tagName === "th");

const tableRow = (children: TableCell[]): TableRow => ({ type: "tableRow", children });

const emptyCell = (): TableCell => ({ type: "tableCell", children: [] });

function tableCells(rows: readonly Element[], page: Page): TableCell[][] {
  // By column: how many more rows a cell above covers.
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

// Limited as in browsers (HTML standard, 4.9.11).
function spanOf(cell: Element, name: "colspan" | "rowspan", most: number): number {
  const span = Number.parseInt(attribute(cell, name) ?? "1", 10);
  return Math.min(Math.max(span || 1, 1), most);
}
