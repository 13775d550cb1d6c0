import type { DefaultTreeAdapterTypes as Html } from "parse5";

export type Element = Html.Element;

export const isElement = (node: Html.Node): node is Element => "tagName" in node;

export const isText = (node: Html.Node): node is Html.TextNode => node.nodeName === "#text";

// Parts of tables and of lists among them (HTML standard, 15.3).
const blocks = new Set(
  "address article aside blockquote caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

/** True for an element on lines of its own, false for one within a line. */
export const isBlock = ({ tagName }: Element): boolean => blocks.has(tagName);

/** The value of an attribute, "" where it has none; undefined where the element doesn't have the attribute. */
export const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((each) => each.name === name)?.value;

/** The words of an attribute that lists some, such as `class` or `rel`. */
export const wordsOf = (element: Element, name: string): string[] =>
  (attribute(element, name) ?? "").split(/[ \t\n\f\r]+/);

/** Text with its white space as HTML shows it: runs are one blank, and none stands at the ends. A no-break space is no white space. */
export const collapsed = (text: string): string => text.replace(/[ \t\n\f\r]+/g, " ").replace(/^ | $/g, "");

/** The text of an element in one line, white space collapsed. */
export const textOf = (element: Element): string => collapsed(rawText(element));

/** The text of an element as the DOM's `textContent` has it, but that a `<br>` is a line break. */
export function rawText({ childNodes }: Element): string {
  let text = "";
  for (const child of childNodes) {
    if (isText(child)) text += child.value;
    else if (isElement(child)) text += child.tagName === "br" ? "\n" : rawText(child);
  }
  return text;
}
