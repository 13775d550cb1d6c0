import type { Root } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { visit } from "unist-util-visit";

/**
 * Holds a page's Markdown to what every page promises: one H1 and something below it, no raw HTML, nothing of a
 * component's source code.
 *
 * @param tree the content that was serialised
 * @param body the Markdown without its front matter
 * @throws with the reason
 */
export function checkMarkdown(tree: Root, body: string): void {
  const titles = tree.children.filter((node) => node.type === "heading" && node.depth === 1 && textOf(node) !== "");
  let headings = 0;
  visit(tree, "heading", ({ depth }) => {
    if (depth === 1) headings += 1;
  });
  if (titles.length === 0) throw new Error("it has no <h1> with text in it");
  if (headings > 1) throw new Error("it has two <h1>: a page has one title, the content below starts at level 2");
  if (tree.children.length < 2) throw new Error("there is nothing below its <h1>: its Markdown would be empty");
  const leak = findLeak(withoutCode(body));
  if (leak) throw new Error(`its Markdown would contain ${JSON.stringify(leak)}: ${leakReason}`);
}

const leakReason =
  "that is source code, not text. In an .mdx file put code in backticks; in an .md file there are no components";

// Fenced code first, in lists and quotes too: it may hold backticks. A code span begins at backticks that no backslash
// escapes, and ends at a run of as many (CommonMark 6.1).
const withoutCode = (markdown: string) =>
  markdown
    .replace(/^((?:[ >]|[-*] |\d+\. )*)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ >]*\2$/gm, "$1")
    .replace(/(?<!`|(?<!\\)(?:\\\\)*\\)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, "code");

const leaks = [
  // An unescaped tag, comment or declaration. remark writes none unless a plugin puts an `html` node into the tree.
  /(?<!\\)(?:\\\\)*<(?:[A-Za-z/!?])[^\n]{0,40}/,
  // A component's tag that became text: a capital, and then an attribute with a value, or its own end.
  /\\<[A-Z]\w*(?:\s+\w+=|\s*\/>)[^\n]{0,40}|\\<\/[A-Z]\w*>/,
  // A module's first lines that became text.
  /^(?:import\s+[^\n]{1,80}\s+from\s+["']|import\s+["']|export\s+(?:const|default|function)\s)[^\n]{0,40}/m,
];

function findLeak(text: string): string | undefined {
  for (const leak of leaks) {
    const found = leak.exec(text);
    if (found) return found[0];
  }
  return undefined;
}
