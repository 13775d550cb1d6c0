import { absoluteUrl } from "../paths.ts";
import type { ListedPage } from "./listed-page.ts";

/**
 * Writes sitemap.xml (sitemaps.org, schema 0.9): each page's canonical URL and, where it is known, its day.
 *
 * @throws above 50,000 pages, which is the most that one file may list
 */
export function writeSitemap(pages: readonly ListedPage[], baseUrl: string): string {
  if (pages.length > 50_000) throw new Error(`sitemap.xml may list 50,000 pages, there are ${pages.length}`);
  const urls = pages.map(({ path, updated }) => {
    const day = updated === undefined ? "" : `<lastmod>${updated}</lastmod>`;
    return `<url><loc>${escapeXml(absoluteUrl(path, baseUrl))}</loc>${day}</url>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join("")}</urlset>\n`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

const escapeXml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
