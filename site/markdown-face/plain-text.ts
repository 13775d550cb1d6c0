import type { Nodes } from "mdast";
import { isLine } from "./markdown-tree.ts";

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
