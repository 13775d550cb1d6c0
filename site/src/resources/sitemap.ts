import { absoluteUrl, sitemapPartPath, sitemapPath } from "../../urls/paths.ts";
import { latestDay } from "../shop/last-changed.ts";
import { escapeXml } from "../words/markup.ts";
import type { ListedPage, ResourceFile } from "./site-pages.ts";

// The schema's limits are 50,000 URLs and 50 MB. With our longest lines, 600 bytes, these are 30 MB.
const maxPages = 50_000;

/**
 * Writes sitemap.xml (sitemaps.org, schema 0.9): each page's canonical URL and, if known, its day. Above 50,000
 * pages it is an index, followed by its parts.
 */
export function writeSitemap(pages: readonly ListedPage[], baseUrl: string): [ResourceFile, ...ResourceFile[]] {
  if (pages.length <= maxPages) return [{ path: sitemapPath, text: writeUrls(pages, baseUrl) }];
  const parts = Array.from({ length: Math.ceil(pages.length / maxPages) }, (_, index) => {
    const listed = pages.slice(index * maxPages, (index + 1) * maxPages);
    return { path: sitemapPartPath(index + 1), listed, updated: latestDay(listed.map(({ updated }) => updated)) };
  });
  const index = writeXml("sitemapindex", "sitemap", parts, baseUrl);
  return [
    { path: sitemapPath, text: index },
    ...parts.map(({ path, listed }) => ({ path, text: writeUrls(listed, baseUrl) })),
  ];
}

const writeUrls = (pages: readonly ListedPage[], baseUrl: string) => writeXml("urlset", "url", pages, baseUrl);

type Entry = { path: string; updated: string | undefined };

function writeXml(list: string, item: string, entries: readonly Entry[], baseUrl: string): string {
  const lines = entries.map(({ path, updated }) => {
    const day = updated === undefined ? "" : `<lastmod>${updated}</lastmod>`;
    return `<${item}><loc>${escapeXml(absoluteUrl(path, baseUrl))}</loc>${day}</${item}>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${list} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join("")}</${list}>\n`;
}
