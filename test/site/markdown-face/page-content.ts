import type { DefaultTreeAdapterTypes as Html } from "parse5";
import { attribute, codeText, inlineOf, isElement, isSeen, tidy } from "./page-inline.ts";
import { cellsOf } from "./page-table.ts";

/** One line of a page's content: its place, kind and text, such as `list 2 › quote ›`, `h2`, `Costs`. */
type Line = { place: string; kind: string; text: string };

/**
 * A page's content in order, one line per block: `h2 Costs`, `p See ‹a https://…›returns‹/a›`, `list 2 › p b`,
 * `table › row 1 column 2 b`, `code sh "curl x"`. Both faces of a page must give the same lines, so definitions, captions
 * and callouts are given in their Markdown form.
 *
 * @param base the base of relative addresses
 */
export function contentOf(root: Html.ParentNode, base: string): string[] {
  const lines = linesOf(root, base, "");
  const isTitle = (line: Line) => line.place === "" && line.kind === "h1";
  return [...lines.filter(isTitle), ...lines.filter((line) => !isTitle(line))].map(
    ({ place, kind, text }) => `${place}${kind} ${text}`,
  );
}

const blocks = new Set(
  "address article aside blockquote dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre search section summary table ul".split(
    " ",
  ),
);

const isBlock = (node: Html.ChildNode): node is Html.Element =>
  isElement(node) &&
  isSeen(node) &&
  // A fold is, if it has a block, such as its summary.
  (blocks.has(node.tagName) || (node.tagName !== "svg" && node.childNodes.some(isBlock)));

/** The lines of an element's content. Inside a `link`, each line's text is wrapped in that link. */
function linesOf(parent: Html.ParentNode, base: string, place: string, link?: Html.Element): Line[] {
  const lines: Line[] = [];
  let run: Html.ChildNode[] = [];
  const endRun = () => {
    const text = inlineIn(run, base, link);
    if (text !== "") lines.push({ place, kind: "p", text });
    run = [];
  };
  for (const node of parent.childNodes) {
    if (!isBlock(node)) {
      run.push(node);
      continue;
    }
    endRun();
    lines.push(...blockLines(node, base, place, node.tagName === "a" ? node : link));
  }
  endRun();
  return lines;
}

/** The text of nodes, wrapped in the link around their block. */
function inlineIn(nodes: Html.ChildNode[], base: string, link?: Html.Element): string {
  if (!link) return tidy(inlineOf(nodes, base));
  return tidy(inlineOf([{ ...link, childNodes: nodes }], base));
}

function blockLines(block: Html.Element, base: string, place: string, link?: Html.Element): Line[] {
  const { tagName, childNodes } = block;
  const inside = (more: string) => linesOf(block, base, place + more, link);
  if (/^h[1-6]$/.test(tagName)) return oneLine(tagName, unbroken(inlineIn(childNodes, base, link)));
  if (tagName === "hr") return [{ place, kind: "rule", text: "" }];
  if (tagName === "pre") return [{ place, kind: "code", text: codeText(block) }];
  if (tagName === "ul" || tagName === "ol") return listLines(block, base, place);
  if (tagName === "dl") return definitionLines(block, base, place);
  if (tagName === "table") return tableLines(block, base, place);
  if (tagName === "blockquote") return inside("quote › ");
  if (tagName === "aside" && attribute(block, "data-callout") !== undefined) return calloutLines(inside("quote › "));
  if (tagName === "figcaption") return oneLine("p", flat(inside(""), "em"));
  if (tagName === "summary" && !childNodes.some((node) => isElement(node) && /^h\d$/.test(node.tagName)))
    return oneLine("p", flat(inside(""), "strong"));
  return inside("");

  function oneLine(kind: string, text: string): Line[] {
    return text === "" ? [] : [{ place, kind, text }];
  }
}

function listLines(list: Html.Element, base: string, place: string): Line[] {
  const first = Number(attribute(list, "start") ?? 1);
  const items = list.childNodes.filter(isElement).filter(isSeen);
  return items.flatMap((item, index) => linesOf(item, base, `${place}${nameItem(list, first + index)}`));
}

const nameItem = (list: Html.Element, number: number) => `${list.tagName === "ol" ? "numbered" : "list"} ${number} › `;

/** Each group becomes an item, `‹strong›Term‹/strong›: value; value`, with values of several lines below the term. */
function definitionLines(list: Html.Element, base: string, place: string): Line[] {
  const groups: { terms: string[]; values: Line[][] }[] = [];
  const parts = list.childNodes.filter(isElement).filter(isSeen);
  for (const part of parts.flatMap((each) => (each.tagName === "div" ? each.childNodes.filter(isElement) : [each]))) {
    const number = groups.length + (part.tagName === "dt" && groups.at(-1)?.values.length !== 0 ? 1 : 0);
    groups[number - 1] ??= { terms: [], values: [] };
    const lines = linesOf(part, base, `${place}list ${number} › `);
    if (part.tagName === "dt") groups[number - 1]?.terms.push(flat(lines));
    else groups[number - 1]?.values.push(lines);
  }
  return groups.flatMap(({ terms, values }, index) => {
    const item = `${place}list ${index + 1} › `;
    const term = marked(terms.join(", "), "strong").replace(/.$/, "$&:");
    if (values.every((lines) => lines.length <= 1 && lines.every(({ kind, place }) => kind === "p" && place === item)))
      return [{ place: item, kind: "p", text: tidy(`${term} ${values.map((lines) => flat(lines)).join("; ")}`) }];
    return [{ place: item, kind: "p", text: tidy(term) }, ...values.flat()];
  });
}

/** Joins lines into one: blocks with spaces, list items with semicolons. Wraps the result in `mark`. */
function flat(lines: readonly Line[], mark?: "em" | "strong"): string {
  const joined = lines.reduce((text, { place, kind, text: next }, index) => {
    const before = lines[index - 1]?.place;
    const isNextItem = before !== undefined && before !== place && /\d+ › $/.test(place) && !/\b1 › $/.test(place);
    const own =
      kind === "code" ? `‹code›${JSON.parse(next.slice(next.indexOf(" "))).replace(/\s*\n\s*/g, " ")}‹/code›` : next;
    return text === "" ? own : `${text}${isNextItem ? ";" : ""} ${own}`;
  }, "");
  return mark ? marked(joined, mark) : tidy(joined);
}

const marked = (text: string, mark: string) =>
  tidy(`‹${mark}›${text.replace(new RegExp(`‹/?${mark}›`, "g"), "")}‹/${mark}›`);

/** Headings and cells have a single line in GFM. */
const unbroken = (text: string) => tidy(text.replaceAll("‹br›", " "));

/** Code with a backslash before a pipe becomes text, because a GFM cell can't hold it. */
const inCell = (text: string) => unbroken(text).replace(/‹code›([^‹]*\\\|[^‹]*)‹\/code›/g, "$1");

const calloutLines = ([title, ...others]: Line[]): Line[] =>
  title ? [{ ...title, text: `‹strong›${title.text}‹/strong›` }, ...others] : [];

function tableLines(table: Html.Element, base: string, place: string): Line[] {
  const caption = table.childNodes.find((node) => isElement(node) && node.tagName === "caption");
  const title = caption && isElement(caption) ? flat(linesOf(caption, base, place), "strong") : "";
  const cells = cellsOf(table).flatMap(({ row, column, cell }): Line[] => {
    const text = inCell(flat(linesOf(cell, base, "")));
    return text === "" ? [] : [{ place: `${place}table › `, kind: `${row} column ${column}`, text }];
  });
  return title === "" ? cells : [{ place, kind: "p", text: title }, ...cells];
}
