import type { Paragraph, PhrasingContent, RootContent, Strong } from "mdast";

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
    if (!isPhrase) line = joined(line, blockInLine(node), " ");
    else line = isAfterBlock ? joined(line, [node], " ") : [...line, node];
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
  return block.children.reduce<PhrasingContent[]>((line, item) => joined(line, phrasingOf(item.children), "; "), []);
}

function joined(before: PhrasingContent[], after: PhrasingContent[], separator: string): PhrasingContent[] {
  if (before.length === 0 || after.length === 0) return [...before, ...after];
  return [...before, { type: "text", value: separator }, ...after];
}
