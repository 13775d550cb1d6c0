import { type DefaultTreeAdapterTypes as Html, parseFragment } from "parse5";
import { attribute, type Element, isBlock, isElement, isText } from "./html.ts";
import { handlers } from "./to-mdast.ts";

/**
 * Parses the one `<main>` of a page and takes out what only a screen needs: `data-markdown="skip"`, `hidden`,
 * `aria-hidden="true"`, and the white space that nobody sees.
 *
 * @param html the page's HTML from its first `<main>` on
 * @throws when it has no `<main>`, or an element that is no HTML: a component in a `.md` file, which HTML parsers
 *   take for an unknown element and would silently drop the name of.
 */
export function readMain(html: string): Element {
  const [main, second] = parseFragment(html).childNodes.filter(isElement).filter(isMain);
  if (!main) throw new Error("it has no <main>: the Markdown face is made of what stands in <main>");
  if (second) throw new Error(twoMains);
  prepare(main);
  collapseWhiteSpace(main);
  return main;
}

const isMain = ({ tagName }: Element) => tagName === "main";

const twoMains = "it has two <main>: keep one";

function prepare(parent: Element): void {
  parent.childNodes = parent.childNodes.filter((child) =>
    isElement(child) ? !isForScreensOnly(child) : isText(child),
  );
  for (const child of parent.childNodes) {
    if (!isElement(child)) continue;
    if (isMain(child)) throw new Error(twoMains);
    if (!isKnown(child.tagName))
      throw new Error(`<${child.tagName}> is no HTML element that Markdown has words for: ${unknownReason}`);
    // A drawing's elements are SVG's own.
    if (child.tagName !== "svg") prepare(child);
    if (child.tagName === "a") nameLink(child);
  }
}

const unknownReason = "a component works in an .mdx file only. A typing slip?";

/** True for what a reader of the text can't see, can't operate or needn't know. */
const isForScreensOnly = (element: Element): boolean =>
  attribute(element, "data-markdown") === "skip" ||
  attribute(element, "aria-hidden") === "true" ||
  attribute(element, "hidden") !== undefined ||
  unsaid.has(element.tagName) ||
  // A box that can't be ticked is a task of GFM.
  (element.tagName === "input" &&
    !(attribute(element, "type") === "checkbox" && attribute(element, "disabled") !== undefined));

// Controls, and the places where a long word may break.
const unsaid = new Set(["button", "label", "legend", "noscript", "select", "textarea", "wbr"]);

// A hyphen marks a custom element (HTML standard, 4.13.2).
const isKnown = (tagName: string) => tagName.includes("-") || handlers.has(tagName);

// A link that only shows an icon has its name in its label.
function nameLink(link: Element): void {
  const label = attribute(link, "aria-label");
  if (!label || !link.childNodes.every((child) => isText(child) && child.value.trim() === "")) return;
  link.childNodes = [{ nodeName: "#text", value: label, parentNode: link }];
}

/**
 * Leaves of an element's white space what a browser shows (CSS Text 3, §4.1): runs become one blank, and none stands where
 * a line begins or ends, however many elements lie between. What is preformatted stays.
 */
export function collapseWhiteSpace(main: Element): void {
  // The last text while it ends in a blank, which must go should its line end here.
  let open: Html.TextNode | undefined;
  let isAfterBlank = true;

  function endLine(): void {
    if (open) open.value = open.value.slice(0, -1);
    open = undefined;
    isAfterBlank = true;
  }

  function seeText(text: Html.TextNode): void {
    if (/[\t\n\v\f\r]| {2}/.test(text.value)) text.value = text.value.replace(/[\t\n\v\f\r ]+/g, " ");
    if (isAfterBlank && text.value.startsWith(" ")) text.value = text.value.slice(1);
    if (text.value === "") return;
    isAfterBlank = text.value.endsWith(" ");
    open = isAfterBlank ? text : undefined;
  }

  function seeElement(element: Element): void {
    if (unseen.has(element.tagName)) return;
    const endsLine = isBlock(element) || element.tagName === "br";
    if (endsLine) endLine();
    if (element.tagName !== "pre") seeContent(element);
    if (endsLine) endLine();
    if (!replaced.has(element.tagName)) return;
    open = undefined;
    isAfterBlank = false;
  }

  function seeContent({ childNodes }: Element): void {
    for (const child of childNodes) {
      if (isText(child)) seeText(child);
      else if (isElement(child)) seeElement(child);
    }
  }

  seeContent(main);
  endLine();
}

const unseen = new Set(["datalist", "dialog", "script", "style", "template"]);

// They stand in a line as a word does.
const replaced = new Set(["canvas", "img", "input", "meter", "object", "picture", "progress", "svg"]);
