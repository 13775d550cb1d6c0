/** One indexable page. `updated` is the day of its last change, YYYY-MM-DD, where it is known. */
export type ListedPage = { path: string; title: string; summary: string; updated: string | undefined };

/** Every indexable page of the site, each in exactly one of the lists. */
export type SiteIndex = {
  /** The home page first, then the pages of content/pages by slug. */
  pages: ListedPage[];
  /** The list of the guides first; empty in a shop without guides. */
  guides: ListedPage[];
  categories: { slug: string; title: string; pages: ListedPage[]; products: ListedPage[] }[];
};

/** All pages of an index in one list. */
export const allPages = ({ pages, guides, categories }: SiteIndex): ListedPage[] => [
  ...pages,
  ...categories.flatMap((category) => [...category.pages, ...category.products]),
  ...guides,
];

/** A file of the site for machines: its path, and what is in it. */
export type ResourceFile = { path: string; text: string };
