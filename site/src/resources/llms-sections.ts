import { markdownPath } from "../../urls/paths.ts";
import type { Words } from "../words/en.ts";
import type { ListedPage, SiteIndex } from "./listed-page.ts";
import type { Link } from "./llms-grammar.ts";

/** A link with the heading under which it stands in a list, and the short name of what stands there. */
export type ListedLink = Link & { heading: string; group: string };

/** A section of llms.txt, most of which can move into lists of its own. */
export type Section = {
  heading: string;
  /** What its lists are called. */
  name: string;
  /** The name of its lists' files, without number and ending. */
  file: string;
  /** What `items` are, in `counts` of the words. */
  noun: keyof Words["llms"]["counts"];
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
export function sectionsOf({ pages, categories, guides }: SiteIndex, words: Words["llms"]): Section[] {
  return [
    textSection(words.pages, "pages", pages),
    ...categories.map((category): Section => {
      const heading = words.productsOf(category.title);
      return {
        heading,
        name: category.title,
        file: `${category.slug}-products`,
        noun: "products",
        overviews: linksTo(category.pages, heading, category.title),
        items: linksTo(category.products, heading, category.title),
      };
    }),
    textSection(words.guides, "guides", guides),
  ];
}

/** The same with all products in one section: for a shop whose categories alone would fill llms.txt. */
export function fewSectionsOf({ pages, categories, guides }: SiteIndex, words: Words["llms"]): Section[] {
  const items = categories.flatMap((category) =>
    linksTo([...category.pages, ...category.products], words.productsOf(category.title), category.title),
  );
  return [
    textSection(words.pages, "pages", pages),
    { heading: words.products, name: words.products, file: "products", noun: "pages", overviews: [], items },
    textSection(words.guides, "guides", guides),
  ];
}

/** A section whose first page shows the others. */
function textSection(name: string, noun: "pages" | "guides", pages: readonly ListedPage[]): Section {
  const links = linksTo(pages, name, name);
  return { heading: name, name, file: noun, noun, overviews: links.slice(0, 1), items: links.slice(1) };
}

const linksTo = (pages: readonly ListedPage[], heading: string, group: string): ListedLink[] =>
  pages.map(({ path, title, summary }) => ({ title, path: markdownPath(path), notes: summary, heading, group }));
