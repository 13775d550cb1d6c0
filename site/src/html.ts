import type { Wrap } from "./grammar.ts";
import { escapeXml } from "./resources/xml.ts";

/** Makes text into an element: `element("a", { href: "/contact" })("Ask us")`. The text and the attributes are escaped. */
export function element(name: string, attributes: Readonly<Record<string, string>> = {}): Wrap {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return (text) => `<${name}${written.join("")}>${escapeXml(text)}</${name}>`;
}

/** Makes text into a link. */
export const link = (href: string): Wrap => element("a", { href });

/** Makes text into what is read aloud and not seen. */
export const hidden: Wrap = element("span", { class: "hidden-visually" });
