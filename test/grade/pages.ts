export interface Page {
  url: string;
  kind: PageKind;
  html: string;
  markdown: string;
}

/** Most pages graded of one kind, evenly spread over the sitemap. */
const PAGES_OF_A_KIND = 200;

/** Reads both faces of the pages in the sitemap at `baseUrl`. Throws if nothing answers, or if the pages have another address. */
export async function readPages(baseUrl: string): Promise<{ summary: string; value: Page[] }> {
  const urls = await readSitemap(`${baseUrl}/sitemap.xml`);
  const foreignUrl = urls.find((url) => new URL(url).origin !== baseUrl);
  if (foreignUrl) throw new Error(explainAddress(baseUrl, new URL(foreignUrl).origin));
  const chosen = KINDS.flatMap((kind) => {
    const ofKind = urls.filter((url) => kindOf(url) === kind);
    return chooseEvenly(ofKind, PAGES_OF_A_KIND);
  });
  const pages: Page[] = [];
  for (const url of chosen) {
    const [html, markdown] = [await readFace(url, "text/html"), await readFace(url, "text/markdown")];
    pages.push({ url, kind: kindOf(url), html, markdown });
  }
  const summary = `${pages.length} of ${urls.length} in the sitemap, in both faces`;
  return { summary, value: pages };
}

/** The pages of a sitemap, or of all parts of an index (sitemaps.org, "Using Sitemap index files"). */
async function readSitemap(url: string): Promise<string[]> {
  const answer = await fetch(url).catch(() => undefined);
  if (!answer) throw new Error(`Nothing answers at ${new URL(url).origin}. Is the shop running?`);
  const xml = await answer.text();
  if (!answer.ok || !xml.includes("<loc>")) throw new Error(`${url} answers ${answer.status} without a sitemap.`);
  const locations = [...xml.matchAll(/<loc>\s*(.*?)\s*<\/loc>/g)].map(([, text = ""]) => text.replaceAll("&amp;", "&"));
  if (!xml.includes("<sitemapindex")) return locations;
  const origin = new URL(url).origin;
  // A part on another origin isn't requested: its address is enough for the error.
  const parts = await Promise.all(
    locations.map((part) => (new URL(part).origin === origin ? readSitemap(part) : [part])),
  );
  return parts.flat();
}

async function readFace(url: string, type: "text/html" | "text/markdown"): Promise<string> {
  const answer = await fetch(url, { headers: { accept: type }, redirect: "manual" });
  const got = answer.headers.get("content-type") ?? "no type";
  if (answer.status === 200 && got.startsWith(type)) return answer.text();
  throw new Error(`${url} is in the sitemap, but answers ${answer.status}, ${got}, when asked for ${type}.`);
}

/** Chooses at most `count` items at equal distances, including the first. */
function chooseEvenly<T>(items: readonly T[], count: number): T[] {
  const stride = Math.max(1, items.length / count);
  return items.filter((_, index) => Math.floor(index / stride) > Math.floor((index - 1) / stride));
}

function explainAddress(baseUrl: string, ownAddress: string): string {
  return (
    `The shop at ${baseUrl} says that its address is ${ownAddress}, and its links lead there.\n` +
    `If that is the shop to grade:   npm run grade -- ${ownAddress}\n` +
    `If it runs on this machine, start it with its own address, and grade it again:\n\n` +
    `  BASE_URL=${baseUrl} npm start\n  npm run grade -- ${baseUrl}`
  );
}

/** Kinds of page, in the order of the table. */
export const KINDS = [
  "home",
  "search",
  "category",
  "compare",
  "product",
  "guides",
  "guide",
  "text",
  "developers",
] as const;

export type PageKind = (typeof KINDS)[number];

/** The kind of page at an address, by its path. */
export function kindOf(url: string): PageKind {
  const { pathname } = new URL(url);
  if (pathname === "/") return "home";
  if (pathname === "/search") return "search";
  if (/^\/categories\/[^/]+\/compare$/.test(pathname)) return "compare";
  if (pathname.startsWith("/categories/")) return "category";
  if (pathname.startsWith("/products/")) return "product";
  if (pathname === "/guides") return "guides";
  if (pathname.startsWith("/guides/")) return "guide";
  return /^\/developers(-|$)/.test(pathname) ? "developers" : "text";
}
