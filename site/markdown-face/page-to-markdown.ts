import type { Nodes, PhrasingContent, Root, RootContent } from "mdast";
import { leakedSource } from "../content-schema/leaked-source.ts";
import { readPageFacts, writeFrontMatter } from "./front-matter.ts";
import { type Element, isElement, isText, splitPage, wordsOf } from "./html.ts";
import { readMain } from "./main-content.ts";
import { tidyMarks } from "./markdown-tree.ts";
import { toMdast } from "./to-mdast.ts";
import { toText } from "./write-markdown.ts";

/**
 * Converts an HTML page into its Markdown face: front matter, the pointer to /llms.txt from its head, and the `<main>`.
 *
 * @param html the complete page
 * @param origin the shop's base address without a trailing slash, for the pointer and for pages without a canonical URL
 * @returns the Markdown, ending in one newline; undefined for a page that only redirects
 * @throws with the reason if the page can't be converted (see `checkMarkdown`, `checkProse` and `readMain`)
 */
export function pageToMarkdown(html: string, origin: string): string | undefined {
  const parts = splitPage(html);
  const facts = readPageFacts(parts);
  if (!facts) return undefined;
  const main = readMain(parts.main);
  checkProse(main);
  const content = toMdast(main, facts.url ?? `${origin}/`);
  tidyMarks(content);
  checkMarkdown(content);
  const { pointer: list } = facts;
  const pointer = list ? [quotePointer({ ...list, url: new URL(list.url, origin).href })] : [];
  const body = toText({ type: "root", children: [...pointer, ...titleFirst(content)] });
  return `${writeFrontMatter(facts)}\n${body}`;
}

// On screen breadcrumbs come before the H1; Markdown begins with the title.
function titleFirst({ children }: Root): RootContent[] {
  return [...children.filter(isTitle), ...children.filter((node) => !isTitle(node))];
}

/** Quotes the sentence, with the name of the file as a link. */
export function quotePointer({ url, text }: { url: string; text: string }): RootContent {
  const name = url.split("/").at(-1) ?? "";
  const [before = "", after = ""] = text.split(name);
  const link: PhrasingContent = { type: "link", url, children: [{ type: "text", value: name }] };
  const sentence: PhrasingContent[] = [{ type: "text", value: before }, link, { type: "text", value: after }];
  return { type: "blockquote", children: [{ type: "paragraph", children: sentence }] };
}

/**
 * Checks that a page has one H1 and content below it.
 *
 * @throws with the reason
 */
function checkMarkdown(tree: Root): void {
  if (!tree.children.some(isTitle)) throw new Error("it has no <h1> with text in it");
  if (countTitles(tree) > 1)
    throw new Error("it has two <h1>: keep one title, and start the content below it at level 2");
  if (tree.children.length < 2) throw new Error("its Markdown would be empty: write something below its <h1>");
}

/** True for the page's title. */
const isTitle = (node: Nodes): boolean => node.type === "heading" && node.depth === 1;

function countTitles(node: Nodes): number {
  if (isTitle(node)) return 1;
  return "children" in node ? node.children.reduce((sum, child) => sum + countTitles(child), 0) : 0;
}

/**
 * Checks that the editors' text, in `class="prose"`, doesn't contain a component's source code. Names and facts may be any text,
 * so cards and headings, which include questions, aren't checked.
 *
 * @throws with the reason
 */
function checkProse(node: Element): void {
  const isProse = wordsOf(node, "class").includes("prose");
  for (const child of node.childNodes) {
    if (!isElement(child)) continue;
    if (isProse) checkSource(child);
    else checkProse(child);
  }
}

function checkSource(element: Element): void {
  if (/^(article|code|h[1-6]|pre)$/.test(element.tagName)) return;
  for (const [index, child] of element.childNodes.entries()) {
    if (isElement(child)) checkSource(child);
    if (!isText(child)) continue;
    const isFirst = element.tagName === "p" && index === 0;
    const leak = leakedSource(child.value, isFirst);
    if (leak !== undefined) throw new Error(leakReason(leak));
  }
}

const leakReason = (leak: string) =>
  `its Markdown would contain ${JSON.stringify(leak)}: that is source code, not text. Put code in backticks, and use components only in .mdx files`;
