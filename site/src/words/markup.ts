import type { Wrap } from "../../../api/contract/words.ts";

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

// Outside the Char production of XML 1.0 (§2.2), and lone surrogates.
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Escapes text for an element or attribute, and removes characters that XML can't contain. */
export const escapeXml = (text: string): string =>
  text.replace(impossible, "").replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** Wraps text in an element: `element("a", { href: "/contact" })("Ask us")`. The text and the attributes are escaped. */
export function element(name: string, attributes: Readonly<Record<string, string>> = {}): Wrap {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return (text) => `<${name}${written.join("")}>${escapeXml(text)}</${name}>`;
}

/** Wraps text in a link. */
export const link = (href: string): Wrap => element("a", { href });

/** Wraps text for screen readers only. */
export const hidden: Wrap = element("span", { class: "hidden-visually" });

/** JSON for a `<script>`, in which no `<` can end the element (HTML standard, 4.12.1.3). */
export function scriptJson(value: object): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
