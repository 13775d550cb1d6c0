import type { Element } from "hast";
import { defaultHandlers, type Handle, type State } from "hast-util-to-mdast";
import type { RootContent } from "mdast";
import { definitionList } from "./definition-list.ts";
import { collapsed, eachElement, rawText, textOf } from "./elements.ts";
import { type Mdast, paragraph, phrasingOf, strong } from "./phrasing.ts";
import { table, tableCell } from "./table.ts";

/** How an element becomes Markdown where hast-util-to-mdast would lose something. */
export const handlers: Record<string, Handle> = {
  a: link,
  abbr: abbreviation,
  aside,
  code: codeInLine,
  details: (state, element) => state.toFlow(state.all(element)),
  dl: definitionList,
  figcaption: (state, element) => paragraph({ type: "emphasis", children: phrasingOf(state.all(element)) }),
  img: picture,
  picture: (state, element) => state.all(element),
  kbd: codeInLine,
  pre: codeBlock,
  samp: codeInLine,
  search: (state, element) => state.toFlow(state.all(element)),
  sub: script("₀₁₂₃₄₅₆₇₈₉₊₋"),
  summary,
  sup: script("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"),
  svg: drawing,
  table,
  td: tableCell,
  th: tableCell,
};

// Its long form, which a screen shows to whoever points at it, stands behind it.
function abbreviation(state: State, element: Element): Mdast {
  const { title } = element.properties;
  const content = state.all(element);
  return typeof title === "string" && title ? [...content, { type: "text", value: ` (${title})` }] : content;
}

function link(state: State, element: Element): Mdast {
  const { href, dataFootnoteBackref } = element.properties;
  if (dataFootnoteBackref !== undefined) return undefined;
  if (typeof href !== "string") return state.all(element);
  if (!URL.canParse(href, state.frozenBaseUrl)) throw new Error(`the link ${JSON.stringify(href)} is no address`);
  const node = defaultHandlers.a(state, element);
  const [only, second] = node.children;
  // A picture that leads to itself in full size says its address once.
  return only?.type === "image" && !second && only.url === node.url ? only : node;
}

// A blockquote with a bold title and not GitHub's `> [!TIP]`: GFM itself has no alerts, and the title may be any words.
function aside(state: State, element: Element): Mdast {
  if (typeof element.properties["dataCallout"] !== "string") return state.toFlow(state.all(element));
  const children = element.children.flatMap((child): RootContent[] => {
    if (child.type === "element" && hasClass(child, "callout-title")) return [paragraph(strong(textOf(child)))];
    return state.all({ type: "root", children: [child] });
  });
  return { type: "blockquote", children: state.toFlow(children) };
}

const hasClass = ({ properties }: Element, name: string) =>
  Array.isArray(properties["className"]) && properties["className"].includes(name);

// A summary may hold a heading (HTML standard, 4.11.2); then that stands, else the line is bold.
function summary(state: State, element: Element): Mdast {
  const content = state.all(element);
  if (content.some((node) => node.type === "heading")) return state.toFlow(content);
  return paragraph({ type: "strong", children: phrasingOf(content) });
}

// An empty alternative text marks decoration (HTML standard, 4.8.4.4): it says nothing to a reader.
function picture(state: State, element: Element): Mdast {
  const { alt } = element.properties;
  if (typeof alt !== "string") return defaultHandlers.img(state, element);
  return collapsed(alt) === "" ? undefined : { ...defaultHandlers.img(state, element), alt: collapsed(alt) };
}

// hast-util-to-mdast would drop the white space at its ends: `a<code> b</code>`.
function codeInLine(_state: State, element: Element): Mdast {
  return { type: "inlineCode", value: rawText(element).replace(/[ \t\n\f\r]+/g, " ") };
}

// Shiki puts the language on <pre data-language>, where hast-util-to-mdast doesn't look; and blank lines at the end of
// code are its own. Every block has a language, so that no reader guesses one.
function codeBlock(state: State, element: Element): Mdast {
  const code = defaultHandlers.pre(state, element);
  const marked = element.properties["dataLanguage"];
  const language = typeof marked === "string" ? marked : code.lang;
  const lang = !language || language === "plaintext" ? "text" : language;
  return { ...code, lang, value: rawText(element).replace(/\n$/, "") };
}

// Markdown has no raised or lowered text: digits have characters of their own (m², H₂O), words stand in the line (1st).
function script(characters: string): Handle {
  const digits = [...characters];
  return (state, element) => {
    const text = textOf(element);
    const isPlain = element.children.every((child) => child.type === "text");
    if (!isPlain || !/^[0-9+\-−]+$/.test(text)) return state.all(element);
    return {
      type: "text",
      value: [...text.replace("−", "-")].map((digit) => digits["0123456789+-".indexOf(digit)]).join(""),
    };
  };
}

// A drawing that stands for a word, such as a tick in a table, carries that word as its label or title.
function drawing(_state: State, element: Element): Mdast {
  const { ariaLabel } = element.properties;
  if (typeof ariaLabel === "string") return { type: "text", value: ariaLabel };
  let title: string | undefined;
  eachElement(element, (child) => {
    if (child.tagName === "title") title ??= textOf(child);
  });
  return title ? { type: "text", value: title } : undefined;
}
