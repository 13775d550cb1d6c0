import type { Category, SearchFacts, Version } from "../../contract/built-files/search.ts";
import { formatMoney } from "../../contract/money.ts";
import { cleanQuery, type Found, findOffered } from "./find.ts";
import { type Offers, skusOf } from "./offers.ts";
import type { Entry, ProductEntry, SearchIndex } from "./search-index.ts";
import type { FilterView, HitView, SearchView, WishView } from "./views.ts";

/** What a search's address says. */
export interface SearchRequest {
  query: string;
  /** Searches for slips as they are. */
  isExact: boolean;
  /** What is shown alone: a category's products, by its slug, or `guide` or `page`. */
  only: string | undefined;
  /** From 1. */
  page: number;
}

/** Reads an address's query string; whatever can't be read is left out. */
export function readSearch(queryString: string): SearchRequest {
  const fields = new URLSearchParams(queryString);
  const page = fields.get("page") ?? "";
  return {
    query: cleanQuery(fields.get("q") ?? ""),
    isExact: fields.get("exact") === "1",
    only: fields.get("in") ?? undefined,
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  };
}

/** The path of a search: `/search?q=receipt+printer&page=2`. */
export function searchPath({ query, isExact, only, page }: SearchRequest): string {
  const fields = new URLSearchParams({ q: query });
  if (isExact) fields.set("exact", "1");
  if (only !== undefined) fields.set("in", only);
  if (page > 1) fields.set("page", String(page));
  // Markdown would escape an asterisk.
  return `/search?${String(fields).replaceAll("*", "%2A")}`;
}

const PER_PAGE = 12;

/** Characters of a query that a title has. */
const SHORT = 40;

const GROUP_WORDS = {
  product: "search.products",
  guide: "search.guides",
  page: "search.pages",
  developers: "search.developers",
} as const;
type Kind = keyof typeof GROUP_WORDS;

/** A page of results, with what `readOffers` says of these SKUs. */
export async function viewSearch(
  index: SearchIndex,
  asked: SearchRequest,
  readOffers: (skus: readonly string[]) => Promise<Offers>,
): Promise<SearchView> {
  const { base_url, categories, sells_online, sales_email } = index.facts;
  const found = await findOffered(index, asked.query, readOffers, asked.isExact);
  const filters = listFilters(index, found, asked);
  const only = filters.some(({ is_current }) => is_current) ? asked.only : undefined;
  const hits = only === undefined ? found.hits : found.hits.filter((entry) => belongsTo(entry, only));
  const last = Math.max(1, Math.ceil(hits.length / PER_PAGE));
  const shown = { ...asked, only, page: Math.min(asked.page, last) };
  const pathOf = (page: number) => searchPath({ ...shown, page });
  const hitsOfPage = hits.slice((shown.page - 1) * PER_PAGE, shown.page * PER_PAGE);
  const offers = await readOffers(skusOf(index, hitsOfPage));
  const groups = Map.groupBy(hitsOfPage, ({ kind }) => kind);
  return {
    query: asked.query,
    short_query: asked.query.length > SHORT ? `${asked.query.slice(0, SHORT)}…` : asked.query,
    url: base_url + searchPath(shown),
    origin: base_url,
    mended: found.mended ?? null,
    exact_path: searchPath({ ...asked, isExact: true, only: undefined, page: 1 }),
    wish: found.wish ? describeWish(found.wish, asked, hits) : null,
    makers: found.makers.join(", ") || null,
    categories: found.categories.flatMap((entry) =>
      entry.kind === "category" ? [{ title: entry.category.title, path: entry.category.path }] : [],
    ),
    count: hits.length,
    filters,
    groups: [...groups].flatMap(([kind, entries]) =>
      kind === "category"
        ? []
        : [{ word: GROUP_WORDS[kind], hits: entries.map((entry) => describeHit(found, entry, offers, index.facts)) }],
    ),
    sells_online,
    sales_email,
    all_categories:
      hits.length > 0
        ? []
        : categories.filter(({ is_in_header }) => is_in_header).map(({ title, path }) => ({ title, path })),
    page: shown.page,
    pages:
      last === 1
        ? []
        : Array.from({ length: last }, (_, at) => ({
            number: at + 1,
            path: pathOf(at + 1),
            is_current: at + 1 === shown.page,
          })).filter(({ number }) => number === 1 || number === last || Math.abs(number - shown.page) <= 2),
    previous_path: shown.page > 1 ? pathOf(shown.page - 1) : null,
    next_path: shown.page < last ? pathOf(shown.page + 1) : null,
  };
}

function describeWish(
  { rest, least, most, isInStock, isMet }: NonNullable<Found["wish"]>,
  asked: SearchRequest,
  hits: readonly Entry[],
): WishView {
  const [product] = hits.filter((entry) => entry.kind === "product");
  return {
    least: least === undefined ? null : formatMoney(least, 0),
    most: most === undefined ? null : formatMoney(most, 0),
    is_net: typeof product?.product.versions[0]?.price.gross === "string",
    in_stock: isInStock,
    is_met: isMet,
    path: rest === "" ? "/search" : searchPath({ ...asked, query: rest, only: undefined, page: 1 }),
  };
}

const belongsTo = (entry: Entry, only: string): boolean => choicesOf(entry).includes(only);

/** The choices that show an entry. */
const choicesOf = (entry: Entry): string[] =>
  entry.kind === "product" ? entry.categories.map(({ slug }) => slug) : [entry.kind];

/** Choices by category and kind; none if there is nothing to choose between. */
function listFilters({ facts }: SearchIndex, { hits }: Found, asked: SearchRequest): FilterView[] {
  const counts = new Map<string, number>();
  for (const choice of hits.flatMap(choicesOf)) counts.set(choice, (counts.get(choice) ?? 0) + 1);
  const filter = (only: string | undefined, title: string | null, word: string): FilterView => ({
    title,
    word,
    count: only === undefined ? hits.length : (counts.get(only) ?? 0),
    path: searchPath({ ...asked, only, page: 1 }),
    is_current: asked.only === only,
  });
  const choices = [
    ...facts.categories.map(({ slug, title }) => filter(slug, title, "")),
    ...(["guide", "page", "developers"] satisfies Kind[]).map((kind) => filter(kind, null, GROUP_WORDS[kind])),
  ].filter(({ count }) => count > 0);
  return choices.some(({ count }) => count < hits.length) ? [filter(undefined, null, "search.all"), ...choices] : [];
}

function describeHit(found: Found, entry: Entry, offers: Offers, facts: SearchFacts): HitView {
  const { sells_online, tax_name, language } = facts;
  if (entry.kind === "category") throw new Error("A category isn't a result.");
  if (entry.kind !== "product") {
    const { title, path, summary, text } = entry.page;
    return { ...NO_OFFER, name: title, path, sentence: bestSentence(found, title, summary, text) };
  }
  const { title, path, summary, versions: variants } = entry.product;
  const variant = found.variantOf(entry, offers);
  if (!variant) throw new Error(`${path} has no versions.`);
  const { sku, picture, price, availability, available_from } = variant;
  const sentence = explainHit(found, entry, variant);
  return {
    name: title,
    path: variant.path,
    sentence,
    is_excerpt: sentence !== summary,
    facts: tellingFacts(entry, variant, new RegExp(language.none, "i")),
    version: variant.title,
    versions: variants.length,
    ...{ sku, picture, availability, available_from },
    price: { ...price, tax: tax_name },
    per_unit: offers.get(sku)?.per_unit ?? null,
    quantity: offers.get(sku)?.sold_in.least ?? 1,
    can_order: sells_online && availability !== "out_of_stock",
  };
}

const SHOWN_FACTS = 2;

/** The facts of a version by which one tells it from others of its category, as on the cards of a list. */
function tellingFacts({ product, category }: ProductEntry, variant: Version, none: RegExp): HitView["facts"] {
  const all = [...variant.specifications, ...product.specifications];
  return (category?.told_apart_by ?? [])
    .flatMap((asked) => all.find(({ name, value }) => name === asked && !none.test(value)) ?? [])
    .slice(0, SHOWN_FACTS);
}

/** What a product has of the query's words that its name doesn't say, in a sentence. */
export function explainHit(found: Found, { product, category }: ProductEntry, variant: Version): string {
  const { title, also_called, summary, text } = product;
  return bestSentence(found, [title, variant.title, ...also_called, ...namesOf(category)].join("\n"), summary, text);
}

/** What a category's products are. */
const namesOf = (category: Category | undefined): string[] =>
  category ? [category.title, ...category.also_called, ...category.instead_of] : [];

const NO_OFFER = {
  is_excerpt: false,
  facts: [],
  version: null,
  versions: 0,
  sku: null,
  picture: null,
  price: null,
  per_unit: null,
  quantity: 1,
  availability: null,
  available_from: null,
  can_order: false,
};

/** The summary, unless a sentence of the text has more of the query's words that neither the name nor the summary has. */
function bestSentence({ words, wordsIn }: Found, name: string, summary: string, text: string): string {
  const shown = wordsIn(`${name}\n${summary}`);
  const missing = [...words].filter((word) => !shown.has(word));
  if (missing.length === 0) return summary;
  let best = summary;
  let most = 0;
  for (const sentence of sentencesOf(text)) {
    const own = wordsIn(sentence);
    const count = missing.filter((word) => own.has(word)).length;
    if (count > most) [best, most] = [sentence, count];
  }
  return best;
}

/** Whole sentences of a readable length that stand by themselves, so no questions. */
const sentencesOf = (text: string): string[] =>
  text
    .split(/\n|(?<=[.!?])\s+(?=[\p{Lu}\d“„])/u)
    .filter((sentence) => sentence.length >= 30 && sentence.length <= 240 && /^[\p{Lu}\d“„].*[.!]$/u.test(sentence));
