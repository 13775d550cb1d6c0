import type { BlockContent, List, ListItem, PhrasingContent, RootContent } from "mdast";
import { blocksOf } from "./blocks.ts";
import { type Element, isElement } from "./elements.ts";
import type { Mdast, Page } from "./handler.ts";
import { phrasingOf } from "./phrasing.ts";

type Group = { terms: Element[]; details: Element[] };

/**
 * A definition list as a list of `- **Term**: value`. Not as a table: it needs no empty head, a long value doesn't
 * break it, and a value may hold blocks. Several terms or short values of one group are separated by commas or semicolons.
 */
export function definitionList(element: Element, page: Page): Mdast {
  const children = groupsOf(element).map((group) => item(group, page));
  const list: List = { type: "list", ordered: false, spread: false, children };
  return children.length > 0 ? list : undefined;
}

// The HTML standard (4.4.9) lets each group stand in a <div>.
function groupsOf(list: Element): Group[] {
  const parts = list.childNodes
    .filter(isElement)
    .flatMap((child) => (child.tagName === "div" ? child.childNodes.filter(isElement) : child));
  const groups: Group[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (part.tagName === "dt") {
      if (last && last.details.length === 0) last.terms.push(part);
      else groups.push({ terms: [part], details: [] });
    } else if (part.tagName === "dd") {
      if (last) last.details.push(part);
      else groups.push({ terms: [], details: [part] });
    }
  }
  return groups;
}

function item({ terms, details }: Group, page: Page): ListItem {
  const term = separated(
    terms.map((dt) => phrasingOf(page.contentOf(dt))),
    ", ",
  );
  const values = details.map((dd) => page.contentOf(dd));
  const head: PhrasingContent[] = term.length > 0 ? [{ type: "strong", children: term }, text(": ")] : [];
  if (values.every(isOneLine)) {
    return listItem([{ type: "paragraph", children: [...head, ...separated(values.map(phrasingOf), "; ")] }]);
  }
  const title: PhrasingContent[] = term.length > 0 ? [{ type: "strong", children: term }, text(":")] : [];
  return listItem([{ type: "paragraph", children: title }, ...blocksOf(values.flat())] as BlockContent[]);
}

const listItem = (children: ListItem["children"]): ListItem => ({ type: "listItem", spread: false, children });

const text = (value: string): PhrasingContent => ({ type: "text", value });

const isOneLine = (content: RootContent[]) =>
  content.length <= 1
    ? content.every((node) => !["list", "code", "table", "blockquote"].includes(node.type))
    : content.every((node) => !["paragraph", "heading", "list", "code", "table", "blockquote"].includes(node.type));

const separated = (lines: PhrasingContent[][], separator: string): PhrasingContent[] =>
  lines.filter((line) => line.length > 0).flatMap((line, index) => (index === 0 ? line : [text(separator), ...line]));
