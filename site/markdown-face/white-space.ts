import type { DefaultTreeAdapterTypes as Html } from "parse5";
import { type Element, isBlock, isElement, isText } from "./elements.ts";

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
