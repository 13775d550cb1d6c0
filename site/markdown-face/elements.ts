import type { Element, Nodes } from "hast";

// Plain recursion and not unist-util-visit, which would take a quarter of a page's time.

/** Shows `see` every element below a node, parents before children. */
export function eachElement(node: Nodes, see: (element: Element) => void): void {
  if (!("children" in node)) return;
  for (const child of node.children) {
    if (child.type === "element") see(child);
    eachElement(child, see);
  }
}

/** Text with its white space as HTML shows it: runs are one blank, and none stands at the ends. A no-break space is no white space. */
export const collapsed = (text: string): string => text.replace(/[ \t\n\f\r]+/g, " ").replace(/^ | $/g, "");

/** The text of a node as the DOM's `textContent` has it, white space collapsed. */
export const textOf = (node: Nodes): string => collapsed(rawText(node));

/** The text of a node as the DOM's `textContent` has it. */
export function rawText(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(rawText).join("") : "";
}
