import type { Nodes, PhrasingContent } from "mdast";
import { toString as textOf } from "mdast-util-to-string";

const spans = new Set(["strong", "emphasis", "delete", "link"]);

/**
 * Moves white space at the ends of bold, emphasised, deleted and linked text out of it, and drops such spans without
 * content: `**Note: **text` is no bold in CommonMark (6.2), so remark would write `**Note:&#x20;**text`.
 */
export function moveSpacesOut(node: Nodes): void {
  if (!("children" in node)) return;
  for (const child of node.children) moveSpacesOut(child);
  if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell" || isSpan(node)) {
    node.children = node.children.flatMap((child) => (isSpan(child) ? trimmed(child) : [child]));
  }
}

type Span = Extract<Nodes, { type: "strong" | "emphasis" | "delete" | "link" }>;

const isSpan = (node: Nodes): node is Span => spans.has(node.type);

function trimmed(span: Span): PhrasingContent[] {
  const [first, last] = [span.children[0], span.children.at(-1)];
  const before = first?.type === "text" && /^\s/.test(first.value);
  const after = last?.type === "text" && /\s$/.test(last.value);
  if (first?.type === "text") first.value = first.value.trimStart();
  if (last?.type === "text") last.value = last.value.trimEnd();
  const space: PhrasingContent[] = [{ type: "text", value: " " }];
  if (textOf(span) === "") return before || after ? space : [];
  return [...(before ? space : []), span, ...(after ? space : [])];
}
