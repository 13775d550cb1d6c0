import type { Nodes, Paragraph, PhrasingContent, RootContent, Strong } from "mdast";
import type { Element } from "./html.ts";

/** What an element is in Markdown: nothing, where it says nothing. */
export type Mdast = RootContent[] | RootContent | undefined;

/** Converts an element and what is in it. */
export type Handler = (element: Element, page: Page) => Mdast;

/** The page that is being converted. */
export type Page = {
  /** The Markdown of what stands in an element. */
  contentOf: (element: Element) => RootContent[];
  /** The absolute form of a link's or a picture's address, its parentheses percent-encoded. Throws when it is none. */
  addressOf: (reference: string) => string;
};

export const paragraph = (...children: PhrasingContent[]): Paragraph => ({ type: "paragraph", children });

export const strong = (value: string): Strong => ({ type: "strong", children: [{ type: "text", value }] });

/**
 * Puts any content into one line, for where Markdown has room for a line only (table cells, bold titles): blocks stand
 * side by side with a space between them, list items with a semicolon, code blocks become code in the line.
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

/** True for what stands in a line. */
export const isPhrasing = (node: RootContent): node is PhrasingContent => phrases.has(node.type);

/** True for what is nothing at the ends of a line: a line break, and text of blanks alone. */
export const isBlank = (node: PhrasingContent): boolean =>
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

/** Puts what stands between blocks into paragraphs; blanks and line breaks alone are none. */
export const blocksOf = (content: readonly RootContent[]): RootContent[] =>
  lineByLine(
    content.flatMap(divided),
    (line) => (line.every(isBlank) ? [] : [paragraph(...line)]),
    (block) => block,
  );

/** A link or another mark around blocks, which Markdown can't write, as one in each of their lines. */
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

// A mark changes no block into one of another kind: what could stand in it still can.
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
  node.children = mergeNeighbours(node.children.flatMap((child) => movedOut(child, held)));
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

export const text = (value: string): PhrasingContent => ({ type: "text", value });

/** Neighbours of a kind become one; a link has its own address and stays, and so does code, which may be two keys. */
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

/** A line begins and ends with something else than a space or a line break. */
function trimLine(nodes: PhrasingContent[]): void {
  while (nodes[0] && isBlank(nodes[0])) nodes.shift();
  for (let last = nodes.at(-1); last && isBlank(last); last = nodes.at(-1)) nodes.pop();
  const [first, last] = [nodes[0], nodes.at(-1)];
  if (first?.type === "text") first.value = first.value.replace(/^ +/, "");
  if (last?.type === "text") last.value = last.value.replace(/ +$/, "");
}
