import { toHtml } from "hast-util-to-html";
import { toHast } from "mdast-util-to-hast";
import { toString as textOf } from "mdast-util-to-string";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";

const markdown = unified().use(remarkParse).use(remarkGfm);

/** An answer's Markdown as HTML, and as plain text with an empty line between its parts. */
export function readAnswer(answer: string): { html: string; text: string } {
  const tree = markdown.parse(answer);
  const parts: string[] = [];
  visit(tree, (node) => {
    if (node.type === "paragraph" || node.type === "code" || node.type === "tableCell") parts.push(textOf(node));
  });
  return { html: toHtml(toHast(tree)), text: parts.join("\n\n") };
}
