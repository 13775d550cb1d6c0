import type { Nodes, PhrasingContent } from "mdast";
import { isBlank } from "./phrasing.ts";

/**
 * Brings bold, emphasised, deleted and linked text into a form that Markdown can write: no white space or line break at
 * the ends of one (`**Note: **text` is no bold in CommonMark 6.2), none without content, none within its like, and no two
 * of a kind side by side, whose signs would run together. A paragraph or heading without content goes too.
 */
export function tidyMarks(node: Nodes, within: readonly string[] = []): void {
  if (!("children" in node)) return;
  if (!isMark(node) && !isLine(node)) {
    for (const child of node.children) tidyMarks(child);
    node.children = node.children.filter((child) => !isEmptyLine(child)) as typeof node.children;
    return;
  }
  const held = isMark(node) ? [...within, node.type] : [node.type];
  for (const child of node.children) tidyMarks(child, held);
  node.children = joined(node.children.flatMap((child) => movedOut(child, held)));
  if (isLine(node)) trimLine(node.children);
}

export type Mark = Extract<Nodes, { type: "strong" | "emphasis" | "delete" | "link" }>;
type Line = Extract<Nodes, { type: "paragraph" | "heading" | "tableCell" }>;

const marks = new Set(["strong", "emphasis", "delete", "link"]);
const lines = new Set(["paragraph", "heading", "tableCell"]);

/** True for bold, emphasised, deleted and linked text. */
export const isMark = (node: Nodes): node is Mark => marks.has(node.type);

/** True for what is one line of Markdown. */
export const isLine = (node: Nodes): node is Line => lines.has(node.type);

const isEmptyLine = (node: Nodes) => isLine(node) && node.type !== "tableCell" && node.children.length === 0;

/** A node with what must not stand at its ends before and behind it. */
function movedOut(node: PhrasingContent, within: readonly string[]): PhrasingContent[] {
  if (node.type === "inlineCode") {
    const [, before = "", value = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(node.value) ?? [];
    if (value === "") return [text(before)];
    // In a cell of GFM the code `\|` can't be written: whatever stands before a pipe, readers take it for an escape.
    const isSayable = !within.includes("tableCell") || !value.includes("\\|");
    return [text(before), isSayable ? { ...node, value } : text(value), text(after)];
  }
  if (!isMark(node)) return [node];
  if (within.includes(node.type)) return node.children;
  const first = node.children.findIndex(isContent);
  if (first === -1) return node.children;
  const last = node.children.findLastIndex(isContent);
  const [before, after] = [node.children.slice(0, first), node.children.slice(last + 1)];
  node.children = node.children.slice(first, last + 1);
  const [start, end] = [node.children[0], node.children.at(-1)];
  if (start?.type === "text") {
    before.push(text(/^\s*/.exec(start.value)?.[0] ?? ""));
    start.value = start.value.trimStart();
  }
  if (end?.type === "text") {
    after.unshift(text(/\s*$/.exec(end.value)?.[0] ?? ""));
    end.value = end.value.trimEnd();
  }
  return [...before, node, ...after];
}

const isContent = (node: PhrasingContent) => (node.type === "text" ? node.value.trim() !== "" : node.type !== "break");

const text = (value: string): PhrasingContent => ({ type: "text", value });

/** Neighbours of a kind become one; a link has its own address and stays, and so does code, which may be two keys. */
function joined(nodes: PhrasingContent[]): PhrasingContent[] {
  const result: PhrasingContent[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    if (node.type === "text" && last?.type === "text") last.value = (last.value + node.value).replace(/ {2,}/g, " ");
    else if (isMark(node) && node.type !== "link" && last?.type === node.type)
      last.children = joined([...last.children, ...node.children]);
    else if (node.type === "inlineCode" && last?.type === "inlineCode") result.push(text(" "), node);
    else if (node.type !== "text" || node.value !== "") result.push(node);
  }
  return result;
}

/** A line begins and ends with something else than a space or a line break. */
function trimLine(nodes: PhrasingContent[]): void {
  while (nodes[0] && isBlank(nodes[0])) nodes.shift();
  for (let last = nodes.at(-1); last && isBlank(last); last = nodes.at(-1)) nodes.pop();
  const [first, last] = [nodes[0], nodes.at(-1)];
  if (first?.type === "text") first.value = first.value.replace(/^ +/, "");
  if (last?.type === "text") last.value = last.value.replace(/ +$/, "");
}
