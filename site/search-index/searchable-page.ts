import { splitPage } from "../markdown-face/html.ts";

/** A page as Pagefind takes it in: where it is, and HTML with its language, its `<main>`, and the words that it is called by elsewhere. */
export interface SearchablePage {
  url: string;
  content: string;
}

// Lists of what other pages hold, and pages without an address of their own.
const unsearchable = /^\/(search)?$|^\/categories\/[^/]+\//;

/** A built page as the search shall know it; undefined for one that nobody looks for. Its keywords become metadata of its `<main>`. */
export function searchablePage(html: string): SearchablePage | undefined {
  const { head, main } = splitPage(html);
  const [, canonical] = /<link rel="canonical" href="([^"]+)"/.exec(head) ?? [];
  const url = canonical && new URL(canonical).pathname;
  if (!url || unsearchable.test(url)) return undefined;
  const [, keywords] = /<meta name="keywords" content="([^"]+)"/.exec(head) ?? [];
  // In an attribute a `<` stands as it is.
  const metadata = keywords
    ? `<p class="keywords" data-pagefind-meta="keywords">${keywords.replaceAll("<", "&lt;")}</p>`
    : "";
  const [opening = ""] = /<html[^>]*>/.exec(html) ?? [];
  return { url, content: `${opening}${main}${metadata}</main>` };
}

/** The text of a page as Pagefind takes it in, without tags and drawings. */
export const pageText = ({ content }: SearchablePage): string =>
  content.replace(/<svg.*?<\/svg>|<[^>]*>|&[#\w]+;/gs, " ");

/**
 * The words and numbers of a text in small letters.
 * What has hyphens stands there without them too, as `tavpip1d`: so SKUs are typed.
 */
export function wordsOf(text: string): string[] {
  const found = text.toLowerCase().match(/[\p{L}\d]+(?:-[\p{L}\d]+)*/gu) ?? [];
  return found.flatMap((word) => (word.includes("-") ? [...word.split("-"), word.replaceAll("-", "")] : word));
}
