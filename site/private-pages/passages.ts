import type { Passage } from "../../api/contract/built-files/assistant.ts";
import { attribute, type Element, isElement, splitPage, textOf, wordsOf } from "../markdown-face/html.ts";
import { readMain } from "../markdown-face/main-content.ts";
import { tidyMarks } from "../markdown-face/markdown-tree.ts";
import { toMdast } from "../markdown-face/to-mdast.ts";
import { toText } from "../markdown-face/write-markdown.ts";

/** Characters: more than an assistant would quote. A single table or list may be longer. */
const LONGEST = 1_200;

/**
 * The passages of a page's own text, in order: its lead and what the editor wrote, with questions and components, as the
 * Markdown face has it.
 *
 * @param html the complete page
 * @param base the shop's base address, for links
 */
export function readPassages(html: string, path: string, base: string): Passage[] {
  const main = readMain(splitPage(html).main);
  const elements = leaves(main);
  const page = elements.find(({ tagName }) => tagName === "h1");
  if (page === undefined) throw new Error(`${path} has no title.`);
  const name = textOf(page);
  const sections: { title: string; path: string; blocks: string[] }[] = [];
  let section = { title: name, path, blocks: [] as string[] };
  for (const element of elements) {
    if (element === page) continue;
    if (!isHeading(element)) section.blocks.push(writeBlock(main, element, base + path));
    else {
      sections.push(section);
      const id = attribute(element, "id");
      section = { title: textOf(element), path: id === undefined ? section.path : `${path}#${id}`, blocks: [] };
    }
  }
  return [...sections, section].flatMap(({ blocks, ...about }) =>
    pieces(blocks).map((text) => ({ page: name, ...about, text })),
  );
}

const isHeading = ({ tagName }: Element) => /^h[2-6]$/.test(tagName);

const containers = new Set(["article", "div", "header", "main", "section"]);

/** The title and the blocks of the text, without what surrounds it: breadcrumbs, contents, dates. */
function leaves(parent: Element, isText = false): Element[] {
  return parent.childNodes.filter(isElement).flatMap((element) => {
    if (containers.has(element.tagName)) return leaves(element, isText || wordsOf(element, "class").includes("prose"));
    const isLead = element.tagName === "h1" || wordsOf(element, "class").includes("lead");
    return isText || isLead ? [element] : [];
  });
}

function writeBlock(main: Element, element: Element, address: string): string {
  const tree = toMdast({ ...main, childNodes: [element] }, address);
  tidyMarks(tree);
  return toText(tree).trim();
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
