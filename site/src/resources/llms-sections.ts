import { absoluteUrl, llmsListPath, llmsPath, markdownPath } from "../../urls/paths.ts";
import type { english } from "../../words/languages.ts";
import type { Spoken } from "../../words/spoken.ts";
import { type Link, writeLink, writeLlms, writeSection } from "./llms-grammar.ts";
import type { ListedPage, ResourceFile, SiteIndex } from "./site-pages.ts";

/** What llms.txt says in one language. */
export type LlmsWords = Spoken<(typeof english.pages)["llms"]>;

/** A link with its heading in a list, and the short name of that group. */
type ListedLink = Link & { heading: string; group: string };

/** A section of llms.txt. Its entries can move into lists of their own. */
export type Section = {
  heading: string;
  /** The name of its lists. */
  name: string;
  /** The file name of its lists, without number and extension. */
  file: string;
  /** The kind of `items`: a key of `counts` in the words. */
  noun: keyof LlmsWords["counts"];
  /** Pages that list the items; the first always stays in llms.txt. */
  overviews: ListedLink[];
  items: ListedLink[];
};

/**
 * The sections of llms.txt without the resources: pages, one section for each category, guides.
 *
 * File names are unique for any category slug: only category lists end in `-products`, `-products-2` and so on.
 */
export function sectionsOf({ pages, categories, guides }: SiteIndex, words: LlmsWords): Section[] {
  return [
    textSection(words.pages, "pages", pages),
    ...categories.map((category): Section => {
      const heading = words.productsOf({ category: category.title });
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

/** The same with all products in one section, for a shop whose categories alone would fill llms.txt. */
export function fewSectionsOf({ pages, categories, guides }: SiteIndex, words: LlmsWords): Section[] {
  const items = categories.flatMap((category) =>
    linksTo([...category.pages, ...category.products], words.productsOf({ category: category.title }), category.title),
  );
  return [
    textSection(words.pages, "pages", pages),
    { heading: words.products, name: words.products, file: "products", noun: "pages", overviews: [], items },
    textSection(words.guides, "guides", guides),
  ];
}

/** A section whose first page lists the others. */
function textSection(name: string, noun: "pages" | "guides", pages: readonly ListedPage[]): Section {
  const links = linksTo(pages, name, name);
  return { heading: name, name, file: noun, noun, overviews: links.slice(0, 1), items: links.slice(1) };
}

const linksTo = (pages: readonly ListedPage[], heading: string, group: string): ListedLink[] =>
  pages.map(({ path, title, summary }) => ({ title, path: markdownPath(path), notes: summary, heading, group }));

type Shop = { name: string; base_url: string };

/** The size limit of a file: agents cut it off at 50,000 characters, and it never has more characters than bytes. */
export const maxBytes = 49_999;

// Reserved for a list's title, quote and paragraph, with two titles of up to 100 characters.
const headBytes = 2_000;

/**
 * Moves everything in a section except its first overview into lists, each a complete file of at most `maxBytes`.
 *
 * @returns the lists, and the section with links to them
 */
export function moveIntoLists(
  section: Section,
  shop: Shop,
  words: LlmsWords,
): { section: Section; lists: ResourceFile[] } {
  const [first, ...overviews] = section.overviews;
  const isItem = new Set(section.items);
  const count = words.counts[section.noun]({ count: section.items.length });
  const parts = split([...overviews, ...section.items], shop.base_url);
  const lists = parts.map((links, index) => {
    const items = links.filter((link) => isItem.has(link));
    const numbered = words.part({ section: section.name, items: count, list: index + 1, lists: parts.length });
    return {
      title: parts.length === 1 ? words.whole({ section: section.name, items: count }) : numbered,
      path: llmsListPath(index === 0 ? section.file : `${section.file}-${index + 1}`),
      notes: describe(items.length > 0 ? items : links, words),
      heading: section.heading,
      group: section.name,
      links,
    };
  });
  return {
    section: {
      ...section,
      file: `${section.file}-lists`,
      noun: "lists",
      overviews: first ? [first] : [],
      items: lists,
    },
    lists: lists.map(({ title, path, notes, links }) => ({ path, text: writeList(title, notes, links, shop, words) })),
  };
}

/** The summary of a list: its groups if there are several, otherwise its first and last title. */
function describe(links: readonly ListedLink[], words: LlmsWords): string {
  const groups = new Set(links.map(({ group }) => group));
  if (groups.size > 1) return [...groups].join(", ");
  const [from = "", to = ""] = [links[0]?.title, links.at(-1)?.title];
  return from === to ? from : words.fromTo({ first: from, last: to });
}

function writeList(
  title: string,
  summary: string,
  links: readonly ListedLink[],
  { name, base_url }: Shop,
  words: LlmsWords,
): string {
  const about = words.partOf({ llms: absoluteUrl(llmsPath, base_url), shop: name });
  const sections = Map.groupBy(links, ({ heading }) => heading);
  const written = [...sections].map(([heading, links]) => writeSection(heading, links, base_url));
  return writeLlms(title, summary, [about], written);
}

/** Splits links into lists that are as long as possible. */
function split(links: readonly ListedLink[], baseUrl: string): ListedLink[][] {
  const lists: ListedLink[][] = [];
  let room = 0;
  let lastHeading: string | undefined;
  for (const link of links) {
    const linkBytes = Buffer.byteLength(writeLink(link, baseUrl)) + 1;
    // A heading appears above its links and in the list's summary.
    const headingBytes = 2 * Buffer.byteLength(link.heading) + 8;
    const needed = link.heading === lastHeading ? linkBytes : linkBytes + headingBytes;
    if (needed > room) {
      lists.push([]);
      room = maxBytes - headBytes - linkBytes - headingBytes;
    } else {
      room -= needed;
    }
    lists.at(-1)?.push(link);
    lastHeading = link.heading;
  }
  return lists;
}
