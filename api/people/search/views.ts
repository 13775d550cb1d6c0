import Type, { type Static } from "typebox";
import { nullable } from "../../platform/http/schema-types.ts";
import { PerUnitView, PriceView } from "../../selling/quote/unit-price.ts";

const TextOrNull = nullable(Type.String());

/** A version of a product; or a guide or page, for which everything but name, path and sentence is null. */
const HitView = Type.Object({
  name: Type.String(),
  path: Type.String(),
  sentence: Type.String(),
  /** True if it is of the text, for a word of the query that neither the name nor the summary has. */
  is_excerpt: Type.Boolean(),
  /** The two by which a category's products are told apart. */
  facts: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  /** Options, where the product has several versions. */
  version: TextOrNull,
  /** How many the product has. */
  versions: Type.Integer(),
  sku: TextOrNull,
  picture: TextOrNull,
  /** Of one piece at home. */
  price: nullable(PriceView),
  per_unit: PerUnitView,
  /** The least pieces in which it is sold. */
  quantity: Type.Integer(),
  availability: TextOrNull,
  /** YYYY-MM-DD. */
  available_from: TextOrNull,
  can_order: Type.Boolean(),
});

const LinkView = Type.Object({ title: Type.String(), path: Type.String() });

/** A choice of results; null is all of them. */
const FilterView = Type.Object({
  /** A category's title; null for a choice that has a word. */
  title: TextOrNull,
  /** The word's key; empty for a category. */
  word: Type.String(),
  count: Type.Integer(),
  path: Type.String(),
  is_current: Type.Boolean(),
});

/** What was understood of a query that isn't words. */
const WishView = Type.Object({
  /** What one piece costs at least and at most, as it is read first in lists; `is_net`: without tax. */
  least: TextOrNull,
  most: TextOrNull,
  is_net: Type.Boolean(),
  in_stock: Type.Boolean(),
  /** Otherwise the results are what comes nearest. */
  is_met: Type.Boolean(),
  /** The search without it. */
  path: Type.String(),
});

export const searchPage = {
  template: "search",
  view: Type.Object({
    query: Type.String(),
    /** For the page's title. */
    short_query: Type.String(),
    /** Of this page, and of all results. */
    url: Type.String(),
    /** The shop's public origin: links in Markdown are absolute, as on all pages. */
    origin: Type.String(),
    /** What was searched for, if slips were mended, and where to search for them all the same. */
    mended: TextOrNull,
    exact_path: Type.String(),
    /** Makers in the query that the shop doesn't sell, with commas. */
    makers: TextOrNull,
    /** Categories that the query names. */
    categories: Type.Array(LinkView),
    count: Type.Integer(),
    filters: Type.Array(FilterView),
    groups: Type.Array(Type.Object({ word: Type.String(), hits: Type.Array(HitView) })),
    sells_online: Type.Boolean(),
    sales_email: Type.String(),
    /** The categories of the header, where nothing was found. */
    all_categories: Type.Array(LinkView),
    page: Type.Integer(),
    pages: Type.Array(Type.Object({ number: Type.Integer(), path: Type.String(), is_current: Type.Boolean() })),
    previous_path: TextOrNull,
    next_path: TextOrNull,
    wish: nullable(WishView),
  }),
};

/** The same as Markdown. */
export const searchMarkdown = { template: "search.md", view: searchPage.view };

export type SearchView = Static<typeof searchPage.view>;
export type WishView = Static<typeof WishView>;
export type HitView = Static<typeof HitView>;
export type FilterView = Static<typeof FilterView>;
