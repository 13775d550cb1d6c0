import { expect, test } from "vitest";
import { writeLlmsTxt } from "../../../site/src/resources/llms-txt.ts";
import { allPages, type ListedPage, type SiteIndex } from "../../../site/src/resources/site-pages.ts";
import { words } from "../words/words.ts";
import { parseLlmsTxt } from "./parse-llms-txt.ts";

const origin = "https://shop.example";
const shop = { name: "Shop", description: "All for the counter.", base_url: origin, sales_email: "sales@shop.example" };

const listed = (path: string, title: string): ListedPage => ({
  path,
  title,
  summary: `${title}, in one sentence of the length that is usual in a shop of this size, or a little more.`,
  updated: undefined,
});

const times = <Item>(count: number, make: (number: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index + 1));

function category(slug: string, products: number, title = `The ${slug}`) {
  const pages = times(Math.max(1, Math.ceil(products / 60)), (page) =>
    listed(`/categories/${slug}${page > 1 ? `/page/${page}` : ""}`, page > 1 ? `${title}, page ${page}` : title),
  );
  return {
    slug,
    title,
    pages,
    products: times(products, (number) => listed(`/products/${slug}-${number}`, `${title} ${number}`)),
  };
}

function site({
  pages = 8,
  guides = 3,
  categories,
}: {
  pages?: number;
  guides?: number;
  categories: SiteIndex["categories"];
}): SiteIndex {
  return {
    pages: [listed("/", "Home"), ...times(pages, (number) => listed(`/page-${number}`, `Page ${number}`))],
    buyPath: "/buy/A-1:1",
    counterPath: undefined,
    taxName: undefined,
    guides: [listed("/guides", "Guides"), ...times(guides, (number) => listed(`/guides/${number}`, `Guide ${number}`))],
    categories,
  };
}

/** All files by URL, each parsed by the reference parser. */
function read(index: SiteIndex) {
  const files = writeLlmsTxt(shop, index, words);
  const read = files.map(({ path, text }) => [origin + path, { text, ...parseLlmsTxt(text) }] as const);
  expect(new Set(read.map(([url]) => url)).size).toBe(files.length);
  return new Map(read);
}

type Files = ReturnType<typeof read>;

/** The file at a URL; throws if it is missing. */
function fileAt(files: Files, url: string) {
  const file = files.get(url);
  if (!file) throw new Error(`${url} is linked, and not there`);
  return file;
}

const linksOf = (file: { sections: Record<string, { url: string; title: string }[]> }) =>
  Object.values(file.sections).flat();

/** The URLs of pages that an agent finds by following links to other lists up to `steps` deep. */
function walk(files: Files, steps: number, url = `${origin}/llms.txt`): string[] {
  return linksOf(fileAt(files, url)).flatMap((link) => {
    if (link.url.endsWith(".md")) return [link.url];
    return link.url.startsWith(`${origin}/llms/`) && steps > 0 ? walk(files, steps - 1, link.url) : [];
  });
}

const markdownOf = (index: SiteIndex) =>
  allPages(index).map(({ path }) => `${origin}${path === "/" ? "/index" : path}.md`);

const shops: [string, SiteIndex, number][] = [
  ["12 products", site({ categories: times(4, (number) => category(`c${number}`, 3)) }), 0],
  ["400 products", site({ categories: times(4, (number) => category(`c${number}`, 100)) }), 1],
  ["10,000 products in 4 categories", site({ categories: times(4, (number) => category(`c${number}`, 2500)) }), 1],
  ["10,000 products in one category", site({ categories: [category("all", 10_000)] }), 1],
  ["10,000 products in 1,000 categories", site({ categories: times(1000, (number) => category(`c${number}`, 10)) }), 1],
  ["3,000 guides and 3,000 pages", site({ pages: 3000, guides: 3000, categories: [category("c", 1)] }), 1],
  ["30,000 products with long names", site({ categories: [category("c", 30_000, "name ".repeat(18))] }), 2],
];

test.each(shops)(
  "with %s, every page is listed once, and every list stays below 50,000 bytes",
  (_name, index, steps) => {
    const files = read(index);
    expect(walk(files, steps).sort()).toEqual(markdownOf(index).sort());
    if (steps > 0) expect(walk(files, steps - 1).length).toBeLessThan(allPages(index).length);
    for (const [url, { text }] of files) expect([url, Buffer.byteLength(text) < 50_000]).toEqual([url, true]);
  },
);

test("only the largest sections move to lists of their own, and only as many as needed", () => {
  const files = read(site({ categories: [category("small", 5), category("large", 500), category("middle", 20)] }));
  const { sections } = fileAt(files, `${origin}/llms.txt`);
  expect(sections["Products: The small"]).toHaveLength(6);
  expect(sections["Products: The middle"]).toHaveLength(21);
  expect(sections["Products: The large"]?.map(({ title, url, desc }) => [title, url, desc])).toEqual([
    ["The large", `${origin}/categories/large.md`, expect.any(String)],
    [
      "The large: 500 products, list 1 of 2",
      `${origin}/llms/large-products.txt`,
      expect.stringMatching(/^From The large 1 to The large \d+$/),
    ],
    [
      "The large: 500 products, list 2 of 2",
      `${origin}/llms/large-products-2.txt`,
      expect.stringMatching(/^From The large \d+ to The large 500$/),
    ],
  ]);
});

test("a list states its contents and links back to llms.txt", () => {
  const files = read(site({ categories: [category("c", 200), category("d", 200)] }));
  expect(fileAt(files, `${origin}/llms/c-products.txt`)).toMatchObject({
    title: "The c: all 200 products",
    summary: "From The c 1 to The c 200",
    info: expect.stringContaining(`Part of ${origin}/llms.txt,`),
    sections: { "Products: The c": expect.objectContaining({ length: 203 }) },
  });
});

test("the link to a list of several categories names them", () => {
  const files = read(site({ categories: times(1000, (number) => category(`c${number}`, 10)) }));
  const [first] = fileAt(files, `${origin}/llms.txt`).sections["Products"] ?? [];
  expect(first).toMatchObject({
    url: `${origin}/llms/products.txt`,
    desc: expect.stringMatching(/^The c1, The c2, The c3, /),
  });
  expect(Object.keys(fileAt(files, first?.url ?? "").sections).slice(0, 2)).toEqual([
    "Products: The c1",
    "Products: The c2",
  ]);
});

test("every list has its own file, even with confusing category slugs", () => {
  const slugs = ["guides", "guides-2", "pages", "products", "c", "c-2", "c-products", "c-products-2", "llms"];
  read(site({ pages: 600, guides: 600, categories: slugs.map((slug) => category(slug, 600)) }));
});

test("lists stay below 50,000 bytes with the longest names in three-byte letters", () => {
  const many = times(900, (number) => category(`c${number}`, 1, `${number}${"店".repeat(95)}`));
  const [{ text }, ...lists] = writeLlmsTxt(shop, site({ categories: many }), words);
  for (const list of [text, ...lists.map(({ text }) => text)]) expect(Buffer.byteLength(list)).toBeLessThan(50_000);
  const index = site({ categories: times(2, (number) => category(`c${number}`, 600, `${number}${"店".repeat(90)}`)) });
  for (const { text } of read(index).values()) expect(Buffer.byteLength(text)).toBeLessThan(50_000);
});
