import type { PhrasingContent, Root, RootContent } from "mdast";
import { checkMarkdown, checkProse, isTitle } from "./check-markdown.ts";
import { writeFrontMatter } from "./front-matter.ts";
import { readMain } from "./main-content.ts";
import { tidyMarks } from "./marks.ts";
import { readPageFacts } from "./page-facts.ts";
import { splitPage } from "./page-parts.ts";
import { toMdast } from "./to-mdast.ts";
import { toText } from "./write-markdown.ts";

/**
 * Converts one HTML page into its Markdown face: front matter, the pointer to /llms.txt that its head has, the `<main>`.
 *
 * @param html the whole page as Astro wrote it
 * @param origin the base address of the shop without a trailing slash, for the pointer and for pages without a canonical URL
 * @returns the Markdown, ending in one newline; undefined for a page that only redirects
 * @throws with the reason, when the page can't be said in Markdown (see `checkMarkdown`, `checkProse` and `readMain`)
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
  const pointer = facts.pointer ? [quotePointer(facts.pointer, origin)] : [];
  const body = toText({ type: "root", children: [...pointer, ...titleFirst(content)] });
  return `${writeFrontMatter(facts)}\n${body}`;
}

// Breadcrumbs stand before the H1 on a screen; a Markdown text begins with its title.
function titleFirst({ children }: Root): RootContent[] {
  return [...children.filter(isTitle), ...children.filter((node) => !isTitle(node))];
}

/** The sentence in a quote, in which the name of the file is a link. */
function quotePointer({ url, text }: { url: string; text: string }, origin: string): RootContent {
  const address = new URL(url, origin).href;
  const name = address.split("/").at(-1) ?? "";
  const [before = "", after = ""] = text.split(name);
  const link: PhrasingContent = { type: "link", url: address, children: [{ type: "text", value: name }] };
  const sentence: PhrasingContent[] = [{ type: "text", value: before }, link, { type: "text", value: after }];
  return { type: "blockquote", children: [{ type: "paragraph", children: sentence }] };
}
