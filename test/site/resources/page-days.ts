import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The date of a page's last change in the sitemap, its HTML and its Markdown. */
export type PageDays = {
  url: string;
  sitemap: string | undefined;
  html: string | undefined;
  markdown: string | undefined;
};

/** The dates of every page in the sitemap of a built site. `origin` is its base address. */
export function readPageDays(dist: string, origin: string): PageDays[] {
  const read = (name: string) => readFileSync(join(dist, name), "utf8");
  const urls = read("sitemap.xml").matchAll(/<loc>(.*?)<\/loc>(?:<lastmod>(.*?)<)?/g);
  return Array.from(urls, ([, url = "", sitemap]) => {
    const page = url.slice(origin.length + 1) || "index";
    const [, html] = /"article:modified_time" content="(.*?)"/.exec(read(`${page}.html`)) ?? [];
    const [, markdown] = /^updated: "?([\d-]+)/m.exec(read(`${page}.md`)) ?? [];
    return { url, sitemap, html, markdown };
  });
}

/** The pages whose dates differ. */
export const disagreements = (days: readonly PageDays[]): PageDays[] =>
  days.filter(({ sitemap, html, markdown }) => html !== sitemap || markdown !== sitemap);
