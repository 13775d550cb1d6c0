import type { Root } from "mdast";
import type { Passage } from "../../api/contract/built-files/assistant.ts";
import { attribute, type Element, isElement, splitPage, textOf, wordsOf } from "../markdown-face/html.ts";
import { readMain } from "../markdown-face/main-content.ts";
import { plainLines, tidyMarks } from "../markdown-face/markdown-tree.ts";
import { toMdast } from "../markdown-face/to-mdast.ts";
import { toText } from "../markdown-face/write-markdown.ts";

/** Characters: more than an assistant would quote. A single table or list may be longer. */
const LONGEST = 1_200;

/** What a page says itself: its lead and what the editor wrote, with questions and components. */
export interface PageText {
  /** In order, as the Markdown face has it. */
  passages: Passage[];
  /** For the search: without code (see `plainLines`), the lead, which it knows as the summary, and products' cards. */
  text: string;
}

/**
 * Reads a page's own text.
 *
 * @param html the complete page
 * @param base the shop's base address, for links
 */
export function readPageText(html: string, path: string, base: string): PageText {
  const main = readMain(splitPage(html).main);
  const elements = leaves(main);
  const page = elements.find(({ part }) => part === "title");
  if (page === undefined) throw new Error(`${path} has no title.`);
  const name = textOf(page.element);
  const sections: { title: string; path: string; blocks: string[] }[] = [];
  let section = { title: name, path, blocks: [] as string[] };
  const lines: string[] = [];
  for (const { element, part } of elements) {
    if (part === "title") continue;
    const tree = toTree(main, element, base + path);
    if (part === "text") lines.push(...plainLines(tree));
    if (!isHeading(element)) section.blocks.push(toText(tree).trim());
    else {
      sections.push(section);
      const id = attribute(element, "id");
      section = { title: textOf(element), path: id === undefined ? section.path : `${path}#${id}`, blocks: [] };
    }
  }
  const passages = [...sections, section].flatMap(({ blocks, ...about }) =>
    pieces(blocks).map((text) => ({ page: name, ...about, text })),
  );
  return { passages, text: lines.join("\n") };
}

const isHeading = ({ tagName }: Element) => /^h[2-6]$/.test(tagName);

const containers = new Set(["article", "div", "header", "main", "section"]);

interface Leaf {
  element: Element;
  part: "title" | "lead" | "text" | "card";
}

/** The title and the blocks of the text, without what surrounds it: breadcrumbs, contents, dates. */
function leaves(parent: Element, within?: "text" | "card"): Leaf[] {
  return parent.childNodes.filter(isElement).flatMap((element) => {
    const { tagName } = element;
    const classes = wordsOf(element, "class");
    if (containers.has(tagName)) {
      if (within && tagName === "article") return leaves(element, "card");
      return leaves(element, within ?? (classes.includes("prose") ? "text" : undefined));
    }
    const part = within ?? (tagName === "h1" ? "title" : classes.includes("lead") ? "lead" : undefined);
    return part ? [{ element, part }] : [];
  });
}

function toTree(main: Element, element: Element, address: string): Root {
  const tree = toMdast({ ...main, childNodes: [element] }, address);
  tidyMarks(tree);
  return tree;
}

/** Joins blocks as long as they are shorter together than `LONGEST`. */
function pieces(blocks: readonly string[]): string[] {
  const joined: string[] = [];
  for (const block of blocks.filter((text) => text !== "")) {
    const last = joined.at(-1);
    if (last !== undefined && last.length + block.length < LONGEST) joined[joined.length - 1] = `${last}\n\n${block}`;
    else joined.push(block);
  }
  return joined;
}
