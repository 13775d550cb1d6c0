import { splitPage } from "../markdown-face/html.ts";

/** A page as Pagefind indexes it: its path, and HTML with its language, `<main>` and keywords. */
export interface SearchablePage {
  url: string;
  content: string;
}

// Pages that only list others.
const unsearchable = /^\/(search)?$|^\/categories\/[^/]+\//;

/** A built page for the search index; undefined if it shouldn't be found. Its keywords become metadata in `<main>`. */
export function searchablePage(html: string): SearchablePage | undefined {
  const { head, main } = splitPage(html);
  const [, canonical] = /<link rel="canonical" href="([^"]+)"/.exec(head) ?? [];
  const url = canonical && new URL(canonical).pathname;
  if (!url || unsearchable.test(url)) return undefined;
  const [, keywords] = /<meta name="keywords" content="([^"]+)"/.exec(head) ?? [];
  // An attribute may contain a bare `<`, an element may not.
  const metadata = keywords
    ? `<p class="keywords" data-pagefind-meta="keywords">${keywords.replaceAll("<", "&lt;")}</p>`
    : "";
  const [opening = ""] = /<html[^>]*>/.exec(html) ?? [];
  return { url, content: `${opening}${main}${metadata}</main>` };
}

/** The text of a page, without tags and drawings. */
export const pageText = ({ content }: SearchablePage): string =>
  content.replace(/<svg.*?<\/svg>|<[^>]*>|&[#\w]+;/gs, " ");

/**
 * The words and numbers of a text in lower case. Words with hyphens are included without them too (`tavpip1d`), as people type
 * SKUs.
 */
export function wordsOf(text: string): string[] {
  const found = text.toLowerCase().match(/[\p{L}\d]+(?:-[\p{L}\d]+)*/gu) ?? [];
  return found.flatMap((word) => (word.includes("-") ? [...word.split("-"), word.replaceAll("-", "")] : word));
}
