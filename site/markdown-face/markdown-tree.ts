import type { Nodes, Paragraph, PhrasingContent, RootContent, Strong } from "mdast";
import type { Element } from "./html.ts";

/** An element as Markdown; undefined if it has no content to convert. */
export type Mdast = RootContent[] | RootContent | undefined;

/** Converts an element with its content. */
export type Handler = (element: Element, page: Page) => Mdast;

/** The page that is being converted. */
export type Page = {
  /** Converts an element's content. */
  contentOf: (element: Element) => RootContent[];
  /** Makes the address of a link or picture absolute and percent-encodes its parentheses. Throws if it isn't valid. */
  addressOf: (reference: string) => string;
};

export const paragraph = (...children: PhrasingContent[]): Paragraph => ({ type: "paragraph", children });

export const strong = (value: string): Strong => ({ type: "strong", children: [{ type: "text", value }] });

/**
 * Puts content into one line, for table cells and titles: blocks are separated by a space, list items by a semicolon, and
 * code blocks become inline code.
 */
export function phrasingOf(content: readonly RootContent[]): PhrasingContent[] {
  let line: PhrasingContent[] = [];
  let isAfterBlock = false;
  for (const node of content) {
    const isPhrase = isPhrasing(node);
    if (!isPhrase) line = joinLines(line, blockInLine(node), " ");
    else line = isAfterBlock ? joinLines(line, [node], " ") : [...line, node];
    isAfterBlock = !isPhrase;
  }
  return line;
}

const phrases = new Set(["text", "emphasis", "strong", "delete", "inlineCode", "break", "link", "image"]);

/** True for inline content. */
const isPhrasing = (node: RootContent): node is PhrasingContent => phrases.has(node.type);

/** True for a line break and for text that is only spaces: neither counts at the ends of a line. */
const isBlank = (node: PhrasingContent): boolean =>
  node.type === "break" || (node.type === "text" && /^ *$/.test(node.value));

function blockInLine(block: Exclude<RootContent, PhrasingContent>): PhrasingContent[] {
  if (block.type === "code") return [{ type: "inlineCode", value: block.value.replace(/\s*\n\s*/g, " ") }];
  if (!("children" in block)) return [];
  if (block.type !== "list") return phrasingOf(block.children);
  return block.children.reduce<PhrasingContent[]>((line, item) => joinLines(line, phrasingOf(item.children), "; "), []);
}

function joinLines(before: PhrasingContent[], after: PhrasingContent[], separator: string): PhrasingContent[] {
  if (before.length === 0 || after.length === 0) return [...before, ...after];
  return [...before, { type: "text", value: separator }, ...after];
}

/** Puts inline content between blocks into paragraphs, and drops lines that are only spaces and line breaks. */
export const blocksOf = (content: readonly RootContent[]): RootContent[] =>
  lineByLine(
    content.flatMap(divided),
    (line) => (line.every(isBlank) ? [] : [paragraph(...line)]),
    (block) => block,
  );

/** Markdown can't write a link or other mark around blocks: moves it into each of their lines. */
function divided(node: RootContent): RootContent | RootContent[] {
  if (!isMark(node)) return node;
  const content = node.children.flatMap(divided);
  return content.every(isPhrasing) ? node : marked(content, node);
}

const marked = (content: readonly RootContent[], mark: Mark): RootContent[] =>
  lineByLine(
    content,
    (line) => [{ ...mark, children: line }],
    (block) => ("children" in block ? withContent(block, marked(block.children, mark)) : block),
  );

// A mark never changes the type of a block, so the children stay valid.
const withContent = <Block extends RootContent>(block: Block, children: RootContent[]): Block => ({
  ...block,
  children,
});

function lineByLine(
  content: readonly RootContent[],
  onLine: (line: PhrasingContent[]) => RootContent[],
  onBlock: (block: Exclude<RootContent, PhrasingContent>) => RootContent,
): RootContent[] {
  const result: RootContent[] = [];
  let line: PhrasingContent[] = [];
  for (const node of content) {
    if (isPhrasing(node)) {
      line.push(node);
      continue;
    }
    if (line.length > 0) result.push(...onLine(line));
    line = [];
    result.push(onBlock(node));
  }
  if (line.length > 0) result.push(...onLine(line));
  return result;
}

/**
 * Brings bold, emphasised, deleted and linked text into a form that Markdown can write: without white space at its ends
 * (`**Note: **text` isn't bold, CommonMark 6.2), never empty, never nested in the same mark, and never beside another of its
 * kind, where the delimiters would run together. Also removes empty paragraphs and headings.
 */
export function tidyMarks(node: Nodes, within: readonly string[] = []): void {
  if (!("children" in node)) return;
  if (!isMark(node) && !isLine(node)) {
    for (const child of node.children) tidyMarks(child);
    node.children = node.children.filter((child) => !isEmptyLine(child)) as typeof node.children;
    return;
  }
  const [only] = node.children;
  // Most lines are one text, in which nothing is to be moved.
  if (isLine(node) && node.children.length === 1 && only?.type === "text") {
    trimLine(node.children);
    return;
  }
  const held = isMark(node) ? [...within, node.type] : [node.type];
  for (const child of node.children) tidyMarks(child, held);
  node.children = mergeNeighbours(node.children.flatMap((child) => movedOut(child, held)));
  if (isLine(node)) trimLine(node.children);
}

export type Mark = Extract<Nodes, { type: "strong" | "emphasis" | "delete" | "link" }>;
type Line = Extract<Nodes, { type: "paragraph" | "heading" | "tableCell" }>;

const marks = new Set(["strong", "emphasis", "delete", "link"]);
const lines = new Set(["paragraph", "heading", "tableCell"]);

/** True for bold, emphasised, deleted and linked text. */
export const isMark = (node: Nodes): node is Mark => marks.has(node.type);

/** True for a block that is one line of Markdown. */
export const isLine = (node: Nodes): node is Line => lines.has(node.type);

const isEmptyLine = (node: Nodes) => isLine(node) && node.type !== "tableCell" && node.children.length === 0;

/** Moves what a node must not start or end with out of it. */
function movedOut(node: PhrasingContent, within: readonly string[]): PhrasingContent[] {
  if (node.type === "inlineCode") {
    const [, before = "", value = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(node.value) ?? [];
    if (value === "") return [text(before)];
    // GFM can't write the code `\|` in a table cell: a backslash before a pipe is always read as an escape.
    const canBeCode = !within.includes("tableCell") || !value.includes("\\|");
    return [text(before), canBeCode ? { ...node, value } : text(value), text(after)];
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

export const text = (value: string): PhrasingContent => ({ type: "text", value });

/** Merges neighbours of a kind, except links, which have their own addresses, and code, which may be two separate keys. */
function mergeNeighbours(nodes: PhrasingContent[]): PhrasingContent[] {
  const result: PhrasingContent[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    if (node.type === "text" && last?.type === "text") last.value = (last.value + node.value).replace(/ {2,}/g, " ");
    else if (isMark(node) && node.type !== "link" && last?.type === node.type)
      last.children = mergeNeighbours([...last.children, ...node.children]);
    else if (node.type === "inlineCode" && last?.type === "inlineCode") result.push(text(" "), node);
    else if (node.type !== "text" || node.value !== "") result.push(node);
  }
  return result;
}

/** Removes spaces and line breaks from the ends of a line. */
function trimLine(nodes: PhrasingContent[]): void {
  while (nodes[0] && isBlank(nodes[0])) nodes.shift();
  for (let last = nodes.at(-1); last && isBlank(last); last = nodes.at(-1)) nodes.pop();
  const [first, last] = [nodes[0], nodes.at(-1)];
  if (first?.type === "text") first.value = first.value.replace(/^ +/, "");
  if (last?.type === "text") last.value = last.value.replace(/ +$/, "");
}

/** A tree's text in one line, without Markdown and addresses. */
export function plainText(node: Nodes): string {
  if (node.type === "break") return " ";
  if (node.type === "image") return node.alt ?? "";
  if (node.type === "tableRow") return node.children.map(plainText).join(" ");
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(plainText).join("") : "";
}

/** The lines of a tree's text without blocks of code: each is a paragraph, heading or table row with a letter or digit. */
export function plainLines(node: Nodes): string[] {
  if (isLine(node) || node.type === "tableRow")
    return [plainText(node).trim()].filter((line) => /[\p{L}\p{N}]/u.test(line));
  return "children" in node ? node.children.flatMap(plainLines) : [];
}
