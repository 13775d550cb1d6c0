import { toHtml } from "hast-util-to-html";
import { toHast } from "mdast-util-to-hast";
import { toString as textOf } from "mdast-util-to-string";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";

const markdown = unified().use(remarkParse).use(remarkGfm);

/** Renders an answer's Markdown as HTML and as plain text with an empty line between paragraphs. The content check refuses HTML in it. */
export function renderAnswer(answer: string): { html: string; text: string } {
  const tree = markdown.parse(answer);
  const html = toHtml(toHast(tree));
  visit(tree, "break", (_node, index, parent) => {
    if (parent && index !== undefined) parent.children[index] = { type: "text", value: "\n" };
  });
  const parts: string[] = [];
  visit(tree, (node) => {
    if (node.type === "paragraph" || node.type === "code" || node.type === "tableCell") parts.push(textOf(node));
  });
  return { html, text: parts.join("\n\n") };
}
