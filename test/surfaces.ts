import { parse } from "parse5";
import type { FoundVariant } from "../api/people/search/search-index.ts";
import {
  elementsOf,
  type Facts,
  findMissingFacts,
  readFrontMatter,
  readHtmlWords,
  readJsonLd,
  readMarkdownWords,
  readMerchantFeed,
  readProducts,
  type ShopWords,
  shownOf,
  toFeedItem,
  withoutDay,
  wordsOf,
} from "./facts.ts";
import { attribute } from "./site/markdown-face/page-inline.ts";

/** A shop's versions by product and its categories' slugs, as its content has them. */
export interface Truth {
  products: ReadonlyMap<string, readonly Facts[]>;
  categories: readonly string[];
}

/**
 * Compares every version with what each public surface says of it: both faces of product, category and comparison, front
 * matter, JSON-LD, products.json, and the merchant feed, which leaves out what nobody knows the day of. Returns what differs.
 *
 * @param read answers a path: a page's with HTML, with `.md` at its end Markdown
 */
export async function findDisagreements(
  read: (path: string) => Promise<string>,
  { products, categories }: Truth,
  words: ShopWords,
): Promise<string[]> {
  const lists = await Promise.all(
    categories.map(async (slug) => {
      const [html, markdown, table, markdownTable] = await Promise.all(
        ["", ".md", "/compare", "/compare.md"].map((end) => read(`/categories/${slug}${end}`)),
      );
      return {
        cards: [cardsOfHtml(html ?? ""), cardsOfMarkdown(markdown ?? "")],
        tables: [tableOfHtml(table ?? ""), tableOfMarkdown(markdownTable ?? "")],
      };
    }),
  );
  const feed = new Map(readMerchantFeed(await read("/merchant-feed.xml")).map((item) => [item["g:id"]?.[0], item]));
  const json = readProducts(JSON.parse(await read("/products.json")));
  const found: string[] = [];
  const note = (surface: string, slug: string, problem: unknown) => found.push(`${surface} ${slug}: ${problem}`);
  for (const [slug, variants] of products) {
    const [html, markdown] = await Promise.all([read(`/products/${slug}`), read(`/products/${slug}.md`)]);
    if (!isEqual(readJsonLd(html), variants)) note("JSON-LD", slug, JSON.stringify(readJsonLd(html)));
    if (!isEqual(readFrontMatter(markdown), variants))
      note("front matter", slug, JSON.stringify(readFrontMatter(markdown)));
    if (!isEqual(json.get(slug), variants.map(withoutDay))) note("products.json", slug, JSON.stringify(json.get(slug)));
    for (const missing of findMissingFacts(readHtmlWords(html), variants, words)) note("HTML", slug, missing);
    for (const missing of findMissingFacts(readMarkdownWords(markdown), variants, words))
      note("Markdown", slug, missing);
    const [inCards, inTables] = [lists.flatMap(({ cards }) => cards), lists.flatMap(({ tables }) => tables)];
    const [cards, tables] = [
      inCards.flatMap((all) => all.get(slug) ?? []),
      inTables.flatMap((all) => all.get(slug) ?? []),
    ];
    // A category of one product isn't compared.
    if (cards.length !== 2 || (tables.length !== 2 && tables.length !== 0))
      note("lists", slug, `${cards.length} cards`);
    for (const variant of variants) {
      const isNamed = variants.length > 1;
      for (const card of cards)
        for (const missing of missingInCard(card, variant, isNamed, words)) note("list", variant.sku, missing);
      for (const table of tables)
        for (const missing of missingInTable(table, variant, isNamed, words)) note("comparison", variant.sku, missing);
      const item = feed.get(variant.sku);
      const isUnknown = ["preorder", "backorder"].includes(variant.availability) && !variant.available_from;
      if (isUnknown !== (item === undefined)) note("feed", variant.sku, isUnknown ? "is in it" : "is missing");
      for (const [name, value] of Object.entries(item ? toFeedItem(variant) : {}))
        if (!isEqual(item?.[name], value)) note("feed", variant.sku, name);
    }
  }
  return found;
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** A product in a list: its text, and what it says of its versions where there are several. */
interface Card {
  text: string;
  rows: string[];
}

function cardsOfHtml(html: string): Map<string, Card> {
  const articles = elementsOf(parse(html)).filter(({ tagName }) => tagName === "article");
  return new Map(
    articles.flatMap((article) => {
      const parts = elementsOf(article);
      const slug = slugIn(parts.map((part) => attribute(part, "href") ?? "").join(" "));
      const rows = parts
        .filter((part) => attribute(part, "class") === "card-versions")
        .flatMap((part) => [...elementsOf(part).map(wordsOf), wordsOf(part)]);
      return slug === undefined ? [] : [[slug, { text: wordsOf(article), rows: rows.flatMap(splitRow) }]];
    }),
  );
}

function cardsOfMarkdown(markdown: string): Map<string, Card> {
  const sections = markdown.split(/^## (?=\[)/m).slice(1);
  return new Map(
    sections.map((section) => {
      const links = Array.from(section.matchAll(/\[([^\]]+)\]\(/g), ([, text = ""]) => text);
      const rows = [...links, ...section.split("\n")].map((part) => readMarkdownWords(part).text);
      return [slugIn(section) ?? "", { text: readMarkdownWords(section).text, rows: rows.flatMap(splitRow) }];
    }),
  );
}

const splitRow = (row: string) => row.split("; ");

const slugIn = (text: string) => /\/products\/([\p{L}\p{N}\p{M}-]+)/u.exec(text)?.[1];

function missingInCard({ text, rows }: Card, variant: Facts, isNamed: boolean, words: ShopWords): string[] {
  const isOf = (row: string) => row.includes(": ") && row.split(": ")[0]?.split(", ").includes(variant.name);
  const row = isNamed ? (rows.find(isOf) ?? "") : text;
  const { price, stock } = shownOf(variant, words);
  return [price, stock].filter((word) => !hasWord(row, word));
}

/** True if a text has a word or number that isn't part of a longer one: `€9.00` of `€19.00`. */
function hasWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  if (at < 0) return false;
  const isPart =
    /[\p{L}\p{N}.,-]\p{N}?$/u.test(text.slice(0, at)) || /^[\p{L}\p{N}]/u.test(text.slice(at + word.length));
  return !isPart || hasWord(text.slice(at + word.length), word);
}

/** A product's column in a comparison: row's name to cell. */
type Column = Map<string, string>;

function tableOfHtml(html: string): Map<string, Column> {
  const rows = elementsOf(parse(html)).filter(({ tagName }) => tagName === "tr");
  return toColumns(
    rows.map((row) =>
      elementsOf(row)
        .filter(({ tagName }) => tagName === "td" || tagName === "th")
        .map((cell) => attribute(cell, "data-product") ?? wordsOf(eachIn(cell) ?? cell)),
    ),
  );
}

/** What a cell says of each version, where a screen has one line on all. */
const eachIn = (cell: ReturnType<typeof elementsOf>[number]) =>
  elementsOf(cell).find((part) => attribute(part, "class") === "each");

function tableOfMarkdown(markdown: string): Map<string, Column> {
  const rows = readMarkdownWords(markdown).rows.filter((row) => row.startsWith("| "));
  const cells = rows.map((row) => row.slice(2, -2).split(" | "));
  const [head = [], ...others] = cells;
  return toColumns([head.map((cell) => slugIn(cell) ?? cell), ...others]);
}

function toColumns([head = [], ...rows]: string[][]): Map<string, Column> {
  const columns = head
    .slice(1)
    .map((slug, index): [string, Column] => [
      slug,
      new Map(rows.map(([name = "", ...cells]) => [name, cells[index] ?? ""])),
    ]);
  return new Map(columns);
}

function missingInTable(column: Column, variant: Facts, isNamed: boolean, { pages, ...words }: ShopWords): string[] {
  const { price, stock } = shownOf(variant, { pages, ...words });
  const cell = (name: string) => column.get(name) ?? "";
  return [
    ...(hasWord(valueFor(cell(pages.category.price), variant.name), price) ? [] : [price]),
    ...(valueFor(cell(pages.product.availability), variant.name) === stock ? [] : [stock]),
    ...[variant.sku, ...(isNamed ? [variant.name] : [])].filter((word) => !hasWord(cell(pages.product.versions), word)),
  ];
}

/** What a cell says of a version: `2` of `Black: 1; White: 2`. */
function valueFor(cell: string, name: string): string {
  const own = cell.split("; ").find((part) => part.includes(": ") && part.split(": ")[0]?.split(", ").includes(name));
  return own === undefined ? cell : own.slice(own.indexOf(": ") + 2);
}

/** A version as the search has it. */
export function foundAs(found: FoundVariant | undefined, currency: string): Facts | undefined {
  if (found === undefined) return undefined;
  const { product, variant } = found;
  const { sku, gtin, price, availability, available_from } = variant;
  return {
    ...{ title: product.title, name: variant.title ?? product.title, sku, gtin },
    ...{ price: price.gross ?? price.net, currency, availability, available_from },
  };
}
