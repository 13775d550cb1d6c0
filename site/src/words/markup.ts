import type { Wrap } from "./grammar.ts";

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

// Outside of the Char production of XML 1.0 (§2.2), and half characters.
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text that may stand in an element or an attribute. What XML can't hold in any form is left out. */
export const escapeXml = (text: string): string =>
  text.replace(impossible, "").replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** Makes text into an element: `element("a", { href: "/contact" })("Ask us")`. The text and the attributes are escaped. */
export function element(name: string, attributes: Readonly<Record<string, string>> = {}): Wrap {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return (text) => `<${name}${written.join("")}>${escapeXml(text)}</${name}>`;
}

/** Makes text into a link. */
export const link = (href: string): Wrap => element("a", { href });

/** Makes text into what is read aloud and not seen. */
export const hidden: Wrap = element("span", { class: "hidden-visually" });

/** JSON that may stand in a `<script>`: no `<` in it can end the element (HTML standard, 4.12.1.3). */
export function scriptJson(value: object): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
