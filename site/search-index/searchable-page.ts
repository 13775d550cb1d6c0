/** A page as Pagefind takes it in: where it is, and HTML with its language, its `<main>`, and the words that it is called by elsewhere. */
export interface SearchablePage {
  url: string;
  content: string;
}

// Lists of what other pages hold, and pages without an address of their own.
const unsearchable = /^\/(search)?$|^\/categories\/[^/]+\//;

/** A built page as the search shall know it; undefined for one that nobody looks for. Its keywords become metadata of its `<main>`. */
export function searchablePage(html: string): SearchablePage | undefined {
  const [, canonical] = /<link rel="canonical" href="([^"]+)"/.exec(html) ?? [];
  const url = canonical && new URL(canonical).pathname;
  if (!url || unsearchable.test(url)) return undefined;
  const [, keywords] = /<meta name="keywords" content="([^"]+)"/.exec(html) ?? [];
  const metadata = keywords ? `<p class="keywords" data-pagefind-meta="keywords">${keywords}</p>` : "";
  const [opening = ""] = /<html[^>]*>/.exec(html) ?? [];
  return { url, content: `${opening}${mainOf(html)}${metadata}</main>` };
}

/** A page's `<main>`, but for its end. */
const mainOf = (html: string) => html.slice(html.indexOf("<main"), html.indexOf("</main>"));

/** The text of a page's `<main>`, without tags and drawings. */
export const pageText = (html: string): string => mainOf(html).replace(/<svg.*?<\/svg>|<[^>]*>|&[#\w]+;/gs, " ");

/**
 * The words and numbers of a text in small letters.
 * What has hyphens stands there without them too, as `tavpip1d`: so SKUs are typed.
 */
export function wordsOf(text: string): string[] {
  const found = text.toLowerCase().match(/[\p{L}\d]+(?:-[\p{L}\d]+)*/gu) ?? [];
  return found.flatMap((word) => (word.includes("-") ? [...word.split("-"), word.replaceAll("-", "")] : word));
}
