import { countPages, isCompared } from "../../urls/pagination.ts";
import {
  buyPath,
  categoryPath,
  comparePath,
  counterPath,
  guidePath,
  guidesPath,
  homePath,
  pagePath,
  searchPath,
} from "../../urls/paths.ts";
import { shop } from "../settings/shop.ts";
import { type Category, categoryDay, comparisonDay, fullTitle, readCatalogue } from "../shop/catalogue.ts";
import { describeCategoryPage, describeComparison } from "../shop/display-text.ts";
import { type Guide, readGuides } from "../shop/guides.ts";
import { latestDay } from "../shop/last-changed.ts";
import { isOrderable, sellsOnline } from "../shop/ordering.ts";
import { isTaxed } from "../shop/tax.ts";
import { readTextPages, type TextPage } from "../shop/text-pages.ts";
import { words } from "../words/words.ts";
import type { ListedPage, SiteIndex } from "./site-pages.ts";

/** Reads all pages of the site. A page's `updated` is the day that the page itself states. */
export async function readSiteIndex(): Promise<SiteIndex> {
  const [entries, guideEntries, { categories }] = await Promise.all([readTextPages(), readGuides(), readCatalogue()]);
  const guides = guideEntries.map((entry) => listText(entry, guidePath(entry.id)));
  const home = entries.find(({ id }) => id === "home");
  const variants = categories.flatMap(({ own }) => own.flatMap(({ variants }) => variants));
  const orderable = sellsOnline ? variants.filter(isOrderable) : [];
  const example = orderable.find(({ order_quantity }) => order_quantity.least === 1) ?? orderable[0];
  const others = entries.filter((entry) => entry !== home).sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    pages: [
      { path: homePath, title: words.frame.home, summary: shop.tagline, updated: home?.data.updated },
      { path: searchPath, title: words.search.title, summary: words.search.description, updated: undefined },
      ...others.map((entry) => listText(entry, pagePath(entry.id))),
    ],
    buyPath: example && buyPath(example.sku, example.order_quantity.least),
    counterPath: shop.counter && counterPath,
    taxName: isTaxed(shop) ? shop.tax.name : undefined,
    guides: guides.length > 0 ? [listGuides(guides), ...guides] : [],
    categories: categories.map(listCategory),
  };
}

const listText = ({ data }: Guide | TextPage, path: string) => ({
  path,
  title: data.title,
  summary: data.summary,
  updated: data.updated,
});

const listGuides = (guides: readonly ListedPage[]): ListedPage => ({
  path: guidesPath,
  title: words.guides.title,
  summary: words.guides.all,
  updated: latestDay(guides.map((guide) => guide.updated)),
});

function listCategory(category: Category) {
  const { slug, title } = category;
  const products = category.own.map(({ path, title, summary, updated }) => ({ path, title, summary, updated }));
  const count = category.products.length;
  const numbers = Array.from({ length: countPages(count) }, (_, index) => index + 1);
  const lists = numbers.map((page) => ({
    path: categoryPath(slug, page),
    title: page === 1 ? title : words.category.page({ title, page }),
    summary: describeCategoryPage(category, page),
    updated: categoryDay(category, page),
  }));
  const comparisons = numbers.map((page) => ({
    path: comparePath(slug, page),
    title: describeComparison(category, page),
    summary: words.comparison.description({ category: title }),
    updated: comparisonDay(category, page),
  }));
  return {
    slug,
    title: fullTitle(category, " › "),
    pages: isCompared(count) ? [...lists, ...comparisons] : lists,
    products,
  };
}
