import { parseFragment } from "parse5";
import { attribute, type Element, isElement, isText } from "./elements.ts";
import { handlers } from "./handlers.ts";
import { collapseWhiteSpace } from "./white-space.ts";

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
