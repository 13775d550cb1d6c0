import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseLlmsTxt } from "./parse-llms-txt.ts";

/** The size of a built site's lists, and their problems. */
export type ListReport = { pages: number; lists: number; problems: string[] };

/**
 * Compares the pages of a built site with its lists: sitemap.xml with its parts, llms.txt with its lists,
 * llms-full.txt and products.json.
 *
 * @param origin the base address, without a trailing slash
 */
export function inspectLists(dist: string, origin: string): ListReport {
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
  const pages = files
    .filter((file) => /\.html$/.test(file) && !/^4(04|10)\.html$/.test(file))
    .map((file) => file.slice(0, -5));
  const read = (path: string) => readFileSync(join(dist, path), "utf8");
  const listed = readLlmsTxt(origin, read);
  const urlOf = (page: string) => `${origin}/${page === "index" ? "" : page}`;
  const products = pages.filter((page) => page.startsWith("products/")).map(urlOf);
  return {
    pages: pages.length,
    lists: listed.files.length,
    problems: [
      ...differences("sitemap.xml", readSitemap(origin, read), pages.map(urlOf)),
      ...differences(
        "llms.txt",
        listed.urls.filter((url) => url.endsWith(".md")),
        pages.map((page) => `${origin}/${page}.md`),
      ),
      ...[...listed.urls, ...listed.files.flatMap(({ named }) => named)]
        .filter((url) => !leadsToFile(url, origin, dist))
        .map((url) => `llms.txt links to ${url}, where nothing is`),
      ...listed.files.filter(({ text }) => Buffer.byteLength(text) >= 50_000).map(({ url }) => `${url} is too long`),
      ...differences(
        "the files in llms/",
        listed.files.slice(1).map(({ url }) => url),
        files.filter((file) => /^llms\/.*\.txt$/.test(file)).map((file) => `${origin}/${file}`),
      ),
      ...differences(
        "products.json",
        JSON.parse(read("products.json")).products.map(({ url }: { url: string }) => url),
        products,
      ),
      ...fullTextProblems(read("llms-full.txt"), listed.urls, origin, read),
    ],
  };
}

/** Missing, extra and repeated entries. */
function differences(name: string, found: readonly string[], wanted: readonly string[]): string[] {
  const [foundOnce, wantedOnce] = [new Set(found), new Set(wanted)];
  return [
    ...(foundOnce.size === found.length ? [] : [`${name} has ${found.length - foundOnce.size} twice`]),
    ...[...wantedOnce].filter((url) => !foundOnce.has(url)).map((url) => `${name} lacks ${url}`),
    ...[...foundOnce].filter((url) => !wantedOnce.has(url)).map((url) => `${name} has ${url}, which is none of them`),
  ];
}

type Read = (path: string) => string;

/** `named` are the addresses in its text, `urls` the addresses of its links. */
type ListFile = { url: string; text: string; named: string[]; urls: string[] };

/** llms.txt and the lists it links to, one step deep, as most agents read it. */
function readLlmsTxt(origin: string, read: Read): { files: ListFile[]; urls: string[] } {
  const open = (url: string): ListFile => {
    const text = read(url.slice(origin.length + 1));
    const { info, sections } = parseLlmsTxt(text);
    const named = Array.from(info.matchAll(/https?:\/\/[^\s;,]+[^\s;,.]/g), ([url]) => url);
    return {
      url,
      text,
      named,
      urls: Object.values(sections).flatMap((links) => links.map(({ url }) => url)),
    };
  };
  const root = open(`${origin}/llms.txt`);
  const lists = root.urls.filter((url) => url.startsWith(`${origin}/llms/`)).map(open);
  // In reading order: the links of a list follow the link to it.
  const urls = root.urls.flatMap((url) => [url, ...(lists.find((list) => list.url === url)?.urls ?? [])]);
  return { files: [root, ...lists], urls };
}

const locations = (xml: string) => Array.from(xml.matchAll(/<loc>([^<]*)/g), ([, url = ""]) => url);

function readSitemap(origin: string, read: Read): string[] {
  const sitemap = read("sitemap.xml");
  if (!sitemap.includes("<sitemapindex ")) return locations(sitemap);
  return locations(sitemap).flatMap((url) => locations(read(url.slice(origin.length + 1))));
}

/** What the API answers counts as existing, and a page's address leaves out `.html`. */
function leadsToFile(url: string, origin: string, dist: string): boolean {
  const path = url.slice(origin.length);
  const isThere =
    /^\/(?:api\/|buy\/[^:]+:\d+$|counter$)/.test(path) ||
    existsSync(join(dist, path)) ||
    existsSync(join(dist, `${path}.html`));
  return url.startsWith(`${origin}/`) && isThere;
}

/** llms-full.txt must be a head and every page's exact Markdown, in the order of llms.txt. */
function fullTextProblems(full: string, urls: readonly string[], origin: string, read: Read): string[] {
  const pages = urls.filter((url) => url.endsWith(".md"));
  let at = full.indexOf("\n---\n");
  for (const url of pages) {
    const page = `\n${read(url.slice(origin.length + 1))}`;
    if (!full.startsWith(page, at)) return [`llms-full.txt lacks ${url} where it should stand`];
    at += page.length;
  }
  return at === full.length ? [] : [`llms-full.txt goes on after its last page`];
}
