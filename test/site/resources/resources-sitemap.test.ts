import { expect, test } from "vitest";
import type { ListedPage } from "../../../site/src/resources/site-pages.ts";
import { writeSitemap } from "../../../site/src/resources/sitemap.ts";

const origin = "https://shop.example";

const page = (path: string, updated?: string): ListedPage => ({ path, title: "", summary: "", updated });

const makePages = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    page(`/products/p-${index}`, index === 70_000 ? "2026-03-04" : "2026-01-02"),
  );

type Entry = { loc: string; lastmod: string | undefined };

/** Reads a sitemap or a sitemap index, and throws where it breaks its schema. */
function read(text: string): { kind: string; entries: Entry[] } {
  const form =
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<(urlset|sitemapindex) xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">\n([\s\S]*)<\/\1>\n$/;
  const [, kind = "", body = ""] = form.exec(text) ?? [];
  const item = kind === "urlset" ? "url" : "sitemap";
  const line = new RegExp(
    `^<${item}><loc>([^<>&'"]|&(?:amp|lt|gt|quot|apos);)+</loc>(<lastmod>\\d{4}-\\d\\d-\\d\\d</lastmod>)?</${item}>$`,
  );
  const lines = body.trimEnd().split("\n");
  const entries = lines.map((text): Entry => {
    if (!line.test(text)) throw new Error(`not valid: ${text}`);
    const [loc = "", lastmod] = Array.from(text.matchAll(/<(?:loc|lastmod)>([^<]*)/g), ([, value]) => value);
    if (loc.length < 12 || loc.length > 2048) throw new Error(`${loc.length} characters in loc`);
    return { loc, lastmod };
  });
  if (entries.length > 50_000) throw new Error(`${entries.length} entries`);
  return { kind, entries };
}

test("a sitemap leaves out unknown dates and escapes XML", () => {
  const files = writeSitemap([page("/", "2026-01-02"), page("/a&b'c")], origin);
  expect(files.map(({ path }) => path)).toEqual(["/sitemap.xml"]);
  expect(read(files[0].text)).toEqual({
    kind: "urlset",
    entries: [
      { loc: `${origin}/`, lastmod: "2026-01-02" },
      { loc: `${origin}/a&amp;b&apos;c`, lastmod: undefined },
    ],
  });
});

test("50,000 pages fit in one file", () => {
  const [file, ...parts] = writeSitemap(makePages(50_000), origin);
  expect([read(file.text).kind, read(file.text).entries.length, parts]).toEqual(["urlset", 50_000, []]);
});

test.each([
  [50_001, [50_000, 1]],
  [120_000, [50_000, 50_000, 20_000]],
])("%i pages are split into parts under an index, each listed once, in order", (count, sizes) => {
  const pages = makePages(count);
  const [index, ...parts] = writeSitemap(pages, origin);
  const { kind, entries } = read(index.text);
  expect([index.path, kind]).toEqual(["/sitemap.xml", "sitemapindex"]);
  expect(entries.map(({ loc }) => loc)).toEqual(parts.map(({ path }) => origin + path));
  expect(parts.map(({ path }) => path)).toEqual(sizes.map((_, number) => `/sitemaps/${number + 1}.xml`));
  const listed = parts.map(({ text }) => read(text));
  expect(listed.map(({ kind, entries }) => [kind, entries.length])).toEqual(sizes.map((size) => ["urlset", size]));
  expect(listed.flatMap(({ entries }) => entries.map(({ loc }) => loc))).toEqual(
    pages.map(({ path }) => origin + path),
  );
});

test("a part has the date of its newest page, and no date when its pages have none", () => {
  const days = (pages: ListedPage[]) => read(writeSitemap(pages, origin)[0].text).entries.map(({ lastmod }) => lastmod);
  expect(days(makePages(120_000))).toEqual(["2026-01-02", "2026-03-04", "2026-01-02"]);
  expect(days(Array.from({ length: 50_001 }, (_, index) => page(`/${index}`)))).toEqual([undefined, undefined]);
});
