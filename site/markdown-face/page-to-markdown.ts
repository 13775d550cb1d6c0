import type { Element, Root } from "hast";
import type { Root as MdastRoot, RootContent } from "mdast";
import rehypeParse from "rehype-parse";
import rehypeRemark from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { checkMarkdown, checkProse } from "./check-markdown.ts";
import { writeImage, writeLink, writeText } from "./escaping.ts";
import { writeFrontMatter } from "./front-matter.ts";
import { handlers } from "./handlers.ts";
import { findMain } from "./main-content.ts";
import { tidyMarks } from "./marks.ts";
import { isRedirect, readPageFacts } from "./page-facts.ts";

// Set up once: building a processor costs more than converting a page.
const processor = unified()
  .use(rehypeParse)
  .use(rehypeRemark, { handlers })
  .use(() => (tree: MdastRoot) => {
    tidyMarks(tree);
    encodeParentheses(tree);
    return titleFirst(tree);
  })
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, {
    bullet: "-",
    emphasis: "*",
    fences: true,
    resourceLink: true,
    rule: "-",
    handlers: { text: writeText, link: writeLink, image: writeImage },
  })
  .freeze();

/**
 * Converts one HTML page into its Markdown face: front matter, a pointer to /llms.txt, the `<main>`.
 *
 * @param html the whole page as Astro wrote it
 * @param origin the base address of the shop without a trailing slash, for the pointer and for pages without a canonical URL
 * @returns the Markdown, ending in one newline; undefined for a page that only redirects
 * @throws with the reason, when the page can't be said in Markdown (see `checkMarkdown`, `checkProse` and `findMain`)
 */
export function pageToMarkdown(html: string, origin: string): string | undefined {
  const page = processor.parse(html);
  if (isRedirect(page)) return undefined;
  const facts = readPageFacts(page);
  const main = findMain(page);
  checkProse(main);
  const content = processor.runSync(withBase(main, facts.url ?? `${origin}/`));
  const body = processor.stringify(content);
  checkMarkdown(content);
  return `${writeFrontMatter(facts)}\n> Every page of this site is listed in [llms.txt](${origin}/llms.txt).\n\n${body}`;
}

// A <base> is how rehype-remark is told what relative links are relative to.
function withBase(main: Element, href: string): Root {
  const base: Element = { type: "element", tagName: "base", properties: { href }, children: [] };
  return { type: "root", children: [base, main] };
}

// Readers that look for links with a regular expression end a URL at its first `)`, escaped or not.
function encodeParentheses(tree: MdastRoot): void {
  visit(tree, (node) => {
    if ("url" in node) node.url = node.url.replaceAll("(", "%28").replaceAll(")", "%29");
  });
}

// Breadcrumbs stand before the H1 on a screen; a Markdown text begins with its title.
function titleFirst(tree: MdastRoot): MdastRoot {
  const isTitle = (node: RootContent) => node.type === "heading" && node.depth === 1;
  const titles = tree.children.filter(isTitle);
  return { ...tree, children: [...titles, ...tree.children.filter((node) => !isTitle(node))] };
}
