import type { Paragraph, Root } from "mdast";
import { visit } from "unist-util-visit";

/**
 * Holds a page's Markdown to what every page promises: one H1 and something below it, no raw HTML, nothing of a
 * component's source code.
 *
 * @param tree the content that is written
 * @throws with the reason
 */
export function checkMarkdown(tree: Root): void {
  const titles = tree.children.filter((node) => node.type === "heading" && node.depth === 1);
  let headings = 0;
  visit(tree, (node) => {
    if (node.type === "heading" && node.depth === 1) headings += 1;
    const leak = findLeak(node);
    if (leak !== undefined) throw new Error(`its Markdown would contain ${JSON.stringify(leak)}: ${leakReason}`);
  });
  if (titles.length === 0) throw new Error("it has no <h1> with text in it");
  if (headings > 1) throw new Error("it has two <h1>: a page has one title, the content below starts at level 2");
  if (tree.children.length < 2) throw new Error("there is nothing below its <h1>: its Markdown would be empty");
}

const leakReason =
  "that is source code, not text. In an .mdx file put code in backticks; in an .md file there are no components";

// A component's tag that became text: a capital, and then an attribute with a value, or its own end.
const tag = /<[A-Z]\w*(?:\s+\w+=|\s*\/>).{0,40}|<\/[A-Z]\w*>/;
// A module's first lines that became text.
const module = /^(?:import\s+.{1,80}\s+from\s+["']|import\s+["']|export\s+(?:const|default|function)\s).{0,40}/;

function findLeak(node: Root | Root["children"][number]): string | undefined {
  // Only a plugin could have put it there.
  if (node.type === "html") return node.value;
  if (node.type === "text") return tag.exec(node.value)?.[0];
  return node.type === "paragraph" ? module.exec(firstText(node))?.[0] : undefined;
}

const firstText = ({ children: [first] }: Paragraph) => (first?.type === "text" ? first.value : "");
