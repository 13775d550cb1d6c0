/** One indexable page. `updated` is the day of its last change, YYYY-MM-DD, if known. */
export type ListedPage = { path: string; title: string; summary: string; updated: string | undefined };

/** Every indexable page of the site, each in exactly one of the lists. */
export type SiteIndex = {
  /** The home page, the search page, then content/pages by slug. */
  pages: ListedPage[];
  /** The list of guides first; empty if the shop has no guides. */
  guides: ListedPage[];
  /** The path of a link to order the least pieces of a version; undefined if nothing can be ordered online. */
  buyPath: string | undefined;
  /** The path of “Build your counter”, which the API shows; undefined if the shop has no counter. */
  counterPath: string | undefined;
  /** What tax is called beside prices; undefined if none is charged. */
  taxName: string | undefined;
  /** Each before those below it, with the titles above its own, and with the products of its folder. */
  categories: { slug: string; title: string; pages: ListedPage[]; products: ListedPage[] }[];
};

/** All pages of an index in one list. */
export const allPages = ({ pages, guides, categories }: SiteIndex): ListedPage[] => [
  ...pages,
  ...categories.flatMap((category) => [...category.pages, ...category.products]),
  ...guides,
];

/** A machine-readable file: its path and content. */
export type ResourceFile = { path: string; text: string };
