import type { BlockContent, PhrasingContent, Root, RootContent } from "mdast";
import { definitionList, list, listItem, table } from "./block-elements.ts";
import { attribute, type Element, isElement, isText, rawText, textOf, wordsOf } from "./html.ts";
import { abbreviation, codeInLine, drawing, link, picture, quotation, subOrSuperscript } from "./inline-elements.ts";
import { blocksOf, type Handler, type Mdast, type Page, paragraph, phrasingOf, strong } from "./markdown-tree.ts";

/**
 * Converts an element into a Markdown tree (mdast), with a handler for each HTML element.
 *
 * @param base the absolute URL against which addresses are resolved
 * @throws if an address isn't valid
 */
export function toMdast(main: Element, base: string): Root {
  const page: Page = {
    contentOf: (element) => contentOf(element, page),
    addressOf: (reference) => absoluteAddress(reference, base),
  };
  return { type: "root", children: blocksOf(page.contentOf(main)) };
}

function contentOf({ childNodes }: Element, page: Page): RootContent[] {
  const content: RootContent[] = [];
  for (const child of childNodes) {
    if (isText(child) && child.value !== "") content.push({ type: "text", value: child.value });
    if (!isElement(child)) continue;
    // A custom element is converted as its content (HTML standard, 4.13.2).
    const handle = handlers.get(child.tagName) ?? page.contentOf;
    const result = handle(child, page) ?? [];
    if (Array.isArray(result)) content.push(...result);
    else content.push(result);
  }
  return content;
}

// Agents that find links with a regular expression end a URL at its first `)`, even an escaped one.
function absoluteAddress(reference: string, base: string): string {
  const url = URL.parse(reference, base);
  if (!url) throw new Error(`the link ${JSON.stringify(reference)} is not a valid address`);
  return url.href.replaceAll("(", "%28").replaceAll(")", "%29");
}

const nothing: Handler = () => undefined;

const content: Handler = (element, page) => page.contentOf(element);

const blocks: Handler = (element, page) => blocksOf(page.contentOf(element));

const mark =
  (type: "strong" | "emphasis" | "delete"): Handler =>
  (element, page) => ({ type, children: page.contentOf(element) as PhrasingContent[] });

const line: Handler = (element, page) => paragraph(...phrasingOf(page.contentOf(element)));

const each = (tagNames: string, handler: Handler): [string, Handler][] =>
  tagNames.split(" ").map((tagName) => [tagName, handler]);

function heading(element: Element, page: Page): Mdast {
  const depth = Number(element.tagName.slice(1)) as 1 | 2 | 3 | 4 | 5 | 6;
  return { type: "heading", depth, children: phrasingOf(page.contentOf(element)).map(unbroken) };
}

// A Markdown heading is one line.
function unbroken(node: PhrasingContent): PhrasingContent {
  if (node.type === "break") return { type: "text", value: " " };
  return "children" in node ? { ...node, children: node.children.map(unbroken) as [] } : node;
}

const blockquote: Handler = (element, page) => ({
  type: "blockquote",
  children: blocksOf(page.contentOf(element)) as BlockContent[],
});

// A blockquote with a bold title instead of GitHub's `> [!TIP]`: alerts aren't part of GFM, and the title may be in any language.
const aside: Handler = (element, page) =>
  attribute(element, "data-callout") === undefined ? blocks(element, page) : blockquote(element, page);

const paragraphOrTitle: Handler = (element, page) =>
  wordsOf(element, "class").includes("callout-title") ? paragraph(strong(textOf(element))) : line(element, page);

const caption: Handler = (element, page) =>
  paragraph({ type: "emphasis", children: phrasingOf(page.contentOf(element)) });

// A summary may contain a heading (HTML standard, 4.11.2), which is kept; otherwise the line is bold.
function summary(element: Element, page: Page): Mdast {
  const content = page.contentOf(element);
  if (content.some((node) => node.type === "heading")) return blocksOf(content);
  return paragraph({ type: "strong", children: phrasingOf(content) });
}

// Shiki puts the language on <pre data-language>, Markdown renderers in a class of <code>. Every block gets a language, so that
// no reader has to guess.
function codeBlock(element: Element): Mdast {
  const code = element.childNodes.filter(isElement).find(({ tagName }) => tagName === "code");
  const named = code && wordsOf(code, "class").find((name) => name.startsWith("language-"));
  const language = attribute(element, "data-language") ?? named?.slice("language-".length);
  const lang = !language || language === "plaintext" ? "text" : language;
  return { type: "code", lang, value: rawText(element).replace(/\n$/, "") };
}

/** How each HTML element becomes Markdown. An element that isn't here ends the build. */
export const handlers: ReadonlyMap<string, Handler> = new Map([
  ...each("area col colgroup datalist dialog input link meta script source style template track", nothing),
  ...each("bdi bdo big canvas caption cite data dfn font ins map meter nobr object output picture progress", content),
  ...each("rb rp rt rtc ruby slot small span time tbody td tfoot th thead tr", content),
  ...each("address article center dd details div dt fieldset figure footer form header hgroup", blocks),
  ...each("nav search section", blocks),
  ...each("code kbd samp tt var", codeInLine),
  ...each("b strong", mark("strong")),
  ...each("em i mark u", mark("emphasis")),
  ...each("del s strike", mark("delete")),
  ...each("h1 h2 h3 h4 h5 h6", heading),
  ...each("dir menu ol ul", list),
  ["a", link],
  ["abbr", abbreviation],
  ["aside", aside],
  ["blockquote", blockquote],
  ["br", () => ({ type: "break" })],
  ["dl", definitionList],
  ["figcaption", caption],
  ["hr", () => ({ type: "thematicBreak" })],
  ["img", picture],
  ["li", listItem],
  ["p", paragraphOrTitle],
  ["pre", codeBlock],
  ["q", quotation],
  ["sub", subOrSuperscript("₀₁₂₃₄₅₆₇₈₉₊₋")],
  ["summary", summary],
  ["sup", subOrSuperscript("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")],
  ["svg", drawing],
  ["table", table],
]);
