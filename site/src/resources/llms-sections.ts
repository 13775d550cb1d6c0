import { markdownPath } from "../paths.ts";
import type { ListedPage, SiteIndex } from "./listed-page.ts";
import type { Link } from "./llms-grammar.ts";

/** A link with the heading under which it stands in a list. */
export type ListedLink = Link & { heading: string };

/** A section of llms.txt, most of which can move into lists of its own. */
export type Section = {
  heading: string;
  /** What its lists are called. */
  name: string;
  /** The name of its lists' files, without number and ending. */
  file: string;
  /** What `items` are, in the plural. */
  noun: string;
  /** Pages that show the others; the first stays in llms.txt. */
  overviews: ListedLink[];
  items: ListedLink[];
};

/**
 * The sections of llms.txt, but for the resources: pages, one section for each category, guides.
 *
 * No two lists have the same file, whatever the categories are called: only theirs have `-products`, or
 * `-products-2` and so on, after a slug.
 */
export function sectionsOf({ pages, categories, guides }: SiteIndex): Section[] {
  return [
    textSection("Pages", "pages", pages),
    ...categories.map((category): Section => {
      const heading = headingOf(category);
      return {
        heading,
        name: category.title,
        file: `${category.slug}-products`,
        noun: "products",
        overviews: linksTo(category.pages, heading),
        items: linksTo(category.products, heading),
      };
    }),
    textSection("Guides", "guides", guides),
  ];
}

/** The same with all products in one section: for a shop whose categories alone would fill llms.txt. */
export function fewSectionsOf({ pages, categories, guides }: SiteIndex): Section[] {
  const items = categories.flatMap((category) =>
    linksTo([...category.pages, ...category.products], headingOf(category)),
  );
  return [
    textSection("Pages", "pages", pages),
    { heading: "Products", name: "Products", file: "products", noun: "pages", overviews: [], items },
    textSection("Guides", "guides", guides),
  ];
}

const headingOf = (category: { title: string }) => `Products: ${category.title}`;

/** A section whose first page shows the others. */
function textSection(name: string, noun: string, pages: readonly ListedPage[]): Section {
  const links = linksTo(pages, name);
  return { heading: name, name, file: noun, noun, overviews: links.slice(0, 1), items: links.slice(1) };
}

const linksTo = (pages: readonly ListedPage[], heading: string): ListedLink[] =>
  pages.map(({ path, title, summary }) => ({ title, path: markdownPath(path), notes: summary, heading }));
