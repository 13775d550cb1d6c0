import { attribute, type Element, isBlock, isElement, isText, readHtml, type Text } from "./html.ts";
import { handlers } from "./to-mdast.ts";

/**
 * Parses the `<main>` of a page and removes what only a screen needs: `data-markdown-ignore`, `hidden`, `aria-hidden="true"`,
 * form controls, and white space that a browser collapses.
 *
 * @param html the page's HTML from its first `<main>` on
 * @throws if there isn't exactly one `<main>`, or it contains an element that isn't HTML, such as a component in a `.md` file,
 *   whose name would be lost silently
 */
export function readMain(html: string): Element {
  const [main, second] = readHtml(html).childNodes.filter(isElement).filter(isMain);
  if (!main) throw new Error("it has no <main>: put the page's content into one");
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
      throw new Error(`<${child.tagName}> is not an HTML element that can be written in Markdown: ${unknownReason}`);
    // The elements in a drawing are SVG.
    if (child.tagName !== "svg") prepare(child);
    if (isOpenFold(child)) child.tagName = "span";
    if (child.tagName === "a") nameLink(child);
  }
}

// Without its summary, which only a screen needs, a fold's words continue the line.
const isOpenFold = ({ tagName, childNodes }: Element) =>
  tagName === "details" && !childNodes.some((child) => isElement(child) && isBlock(child));

const unknownReason = "check the spelling, or use a component in an .mdx file";

/** True for what is hidden, can't be operated in a text, or is of no use there. */
const isForScreensOnly = (element: Element): boolean =>
  attribute(element, "data-markdown-ignore") !== undefined ||
  attribute(element, "aria-hidden") === "true" ||
  attribute(element, "hidden") !== undefined ||
  unsaid.has(element.tagName) ||
  // A disabled checkbox is a GFM task.
  (element.tagName === "input" &&
    !(attribute(element, "type") === "checkbox" && attribute(element, "disabled") !== undefined));

// Controls, and line break opportunities.
const unsaid = new Set(["button", "label", "legend", "noscript", "select", "textarea", "wbr"]);

// A hyphen marks a custom element (HTML standard, 4.13.2).
const isKnown = (tagName: string) => tagName.includes("-") || handlers.has(tagName);

// A link with only an icon is named by its label.
function nameLink(link: Element): void {
  const label = attribute(link, "aria-label");
  if (!label || !link.childNodes.every((child) => isText(child) && child.value.trim() === "")) return;
  link.childNodes = [{ value: label }];
}

/**
 * Collapses white space as a browser does (CSS Text 3, §4.1): runs become one space, and a line has none at its start or end,
 * even across elements. Preformatted text stays as it is.
 */
export function collapseWhiteSpace(main: Element): void {
  // The last text if it ends in a space, which must go if the line ends here.
  let open: Text | undefined;
  let isAfterBlank = true;

  function endLine(): void {
    if (open) open.value = open.value.slice(0, -1);
    open = undefined;
    isAfterBlank = true;
  }

  function seeText(text: Text): void {
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

// Laid out in a line like a word.
const replaced = new Set(["canvas", "img", "input", "meter", "object", "picture", "progress", "svg"]);
