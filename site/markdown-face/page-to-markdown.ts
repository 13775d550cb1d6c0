import type { Root } from "mdast";
import { checkMarkdown, checkProse, isTitle } from "./check-markdown.ts";
import { writeFrontMatter } from "./front-matter.ts";
import { readMain } from "./main-content.ts";
import { tidyMarks } from "./marks.ts";
import { readPageFacts } from "./page-facts.ts";
import { splitPage } from "./page-parts.ts";
import { toMdast } from "./to-mdast.ts";
import { toText } from "./write-markdown.ts";

/**
 * Converts one HTML page into its Markdown face: front matter, a pointer to /llms.txt, the `<main>`.
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
  const body = toText(titleFirst(content));
  return `${writeFrontMatter(facts)}\n> Every page of this site is listed in [llms.txt](${origin}/llms.txt).\n\n${body}`;
}

// Breadcrumbs stand before the H1 on a screen; a Markdown text begins with its title.
function titleFirst(tree: Root): Root {
  const titles = tree.children.filter(isTitle);
  return { ...tree, children: [...titles, ...tree.children.filter((node) => !isTitle(node))] };
}
