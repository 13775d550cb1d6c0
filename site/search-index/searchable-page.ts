/** A page as Pagefind takes it in: where it is, and its HTML with the words that it is called by elsewhere. */
export interface SearchablePage {
  url: string;
  content: string;
}

// Lists of what other pages hold, and pages without an address of their own.
const unsearchable = /^\/(search)?$|^\/categories\/[^/]+\//;

/** A built page as the search shall know it; undefined for one that nobody looks for. Its keywords become text of its `<main>`. */
export function searchablePage(html: string): SearchablePage | undefined {
  const [, canonical] = /<link rel="canonical" href="([^"]+)"/.exec(html) ?? [];
  const url = canonical && new URL(canonical).pathname;
  if (!url || unsearchable.test(url)) return undefined;
  const [, keywords] = /<meta name="keywords" content="([^"]+)"/.exec(html) ?? [];
  return { url, content: keywords ? html.replace("</main>", `<p>${keywords}</p></main>`) : html };
}

/** The text of a page's `<main>`, without tags. */
export const pageText = (html: string): string =>
  html.slice(html.indexOf("<main"), html.indexOf("</main>")).replace(/<[^>]*>|&[#\w]+;/g, " ");

/**
 * The words of a text in small letters, of four letters or more: shorter ones are too near to each other to be typing slips.
 * What has hyphens stands there without them too, as `tavpip1d`: so SKUs are typed.
 */
export function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const joined = lower.match(/[\p{L}\d]+(?:-[\p{L}\d]+)+/gu) ?? [];
  return [...(lower.match(/\p{L}{4,}/gu) ?? []), ...joined.map((word) => word.replaceAll("-", ""))];
}
