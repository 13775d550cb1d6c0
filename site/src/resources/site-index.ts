import { type CollectionEntry, getCollection } from "astro:content";
import { type Category, type Product, readCatalogue } from "../catalogue.ts";
import { readGuides } from "../guides.ts";
import { countPages, isCompared, productsPerPage } from "../page-numbers.ts";
import { categoryPath, comparePath, guidePath, guidesPath, homePath, pagePath, searchPath } from "../paths.ts";
import { store } from "../store.ts";
import { comparisonDescription, comparisonTitle, searchDescription } from "../wording.ts";
import { newest, readChanges } from "./changes.ts";
import type { ListedPage, SiteIndex } from "./listed-page.ts";

/** Reads the whole site. A page's day is its front matter's, else that of its file's last commit. */
export async function readSiteIndex(): Promise<SiteIndex> {
  const changes = await readChanges();
  const dayOf = (entry: CollectionEntry<"products" | "categories" | "guides" | "pages">) =>
    entry.data.updated ?? changes.get(entry.filePath ?? "");
  const [entries, guideEntries, { categories }] = await Promise.all([
    getCollection("pages"),
    readGuides(),
    readCatalogue(),
  ]);
  const guides = guideEntries.map((entry) => listText(entry, guidePath(entry.id), dayOf(entry)));
  const home = entries.find(({ id }) => id === "home");
  const others = entries.filter((entry) => entry !== home).sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    pages: [
      { path: homePath, title: "Home", summary: store.tagline, updated: home && dayOf(home) },
      { path: searchPath, title: "Search", summary: searchDescription, updated: undefined },
      ...others.map((entry) => listText(entry, pagePath(entry.id), dayOf(entry))),
    ],
    guides: [
      {
        path: guidesPath,
        title: "Guides",
        summary: "All guides.",
        updated: newest(guides.map((guide) => guide.updated)),
      },
      ...guides,
    ],
    categories: categories.map((category) => listCategory(category, dayOf)),
  };
}

const listText = ({ data }: CollectionEntry<"guides" | "pages">, path: string, updated: string | undefined) => ({
  path,
  title: data.title,
  summary: data.summary,
  updated,
});

function listCategory(category: Category, dayOf: (entry: Category["entry"] | Product["entry"]) => string | undefined) {
  const { slug, title, summary } = category;
  const products = category.products.map((product) => ({
    path: product.path,
    title: product.title,
    summary: product.summary,
    updated: dayOf(product.entry),
  }));
  const pages: ListedPage[] = [];
  for (let page = 1; page <= countPages(products.length); page += 1) {
    const shown = products.slice((page - 1) * productsPerPage, page * productsPerPage);
    pages.push({
      path: categoryPath(slug, page),
      title: page === 1 ? title : `${title}, page ${page}`,
      summary,
      // A category shows its products' names and prices: it is as new as the newest of them.
      updated: newest([dayOf(category.entry), ...shown.map((product) => product.updated)]),
    });
  }
  if (isCompared(products.length))
    pages.push({
      path: comparePath(slug),
      title: comparisonTitle(category),
      summary: comparisonDescription(category),
      updated: newest(products.map(({ updated }) => updated)),
    });
  return { slug, title, pages, products };
}
