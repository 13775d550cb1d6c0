import type { Root, RootContent } from "mdast";
import { blocksOf } from "./blocks.ts";
import { type Element, isElement, isText } from "./elements.ts";
import type { Page } from "./handler.ts";
import { handlers } from "./handlers.ts";

/**
 * Converts an element into Markdown's tree, by the handler of each element in it.
 *
 * @param base the absolute URL that addresses are relative to
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
    // A custom element's content is content like any other (HTML standard, 4.13.2).
    const handle = handlers.get(child.tagName) ?? page.contentOf;
    const result = handle(child, page) ?? [];
    if (Array.isArray(result)) content.push(...result);
    else content.push(result);
  }
  return content;
}

// Readers that look for links with a regular expression end a URL at its first `)`, escaped or not.
function absoluteAddress(reference: string, base: string): string {
  const url = URL.parse(reference, base);
  if (!url) throw new Error(`the link ${JSON.stringify(reference)} is no address`);
  return url.href.replaceAll("(", "%28").replaceAll(")", "%29");
}
