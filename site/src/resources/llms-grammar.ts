// The grammar of llmstxt.org, whose reference parser crashes on anything else: H1, a one-line quote, paragraphs, then H2
// sections that contain only `- [name](url): notes`.
import { absoluteUrl } from "../../urls/paths.ts";

/** A link of llms.txt. */
export type Link = { title: string; path: string; notes: string };

/** A file with title, summary, paragraphs and sections. Empty sections are omitted. */
export function writeLlms(
  title: string,
  summary: string,
  paragraphs: readonly string[],
  sections: readonly string[],
): string {
  const parts = [`# ${plain(title)}`, `> ${plain(summary)}`, ...paragraphs.map(plain), ...sections.filter(Boolean)];
  return `${parts.join("\n\n")}\n`;
}

/** A section with its heading; empty if it has no links. */
export function writeSection(heading: string, links: readonly Link[], baseUrl: string): string {
  const lines = links.map((link) => writeLink(link, baseUrl));
  return lines.length === 0 ? "" : `## ${plain(heading)}\n\n${lines.join("\n")}`;
}

/** One line of a section. */
export function writeLink({ title, path, notes }: Link, baseUrl: string): string {
  const url = absoluteUrl(path, baseUrl).replaceAll("(", "%28").replaceAll(")", "%29");
  return `- [${linkName(title)}](${url}): ${plain(notes)}`;
}

// The reference parser ends a name at the first `]`, even an escaped one, and a URL at the first `)`. In Markdown a backslash would
// escape the bracket after it, and a code span could begin here and end in the notes.
const linkName = (name: string) =>
  plain(oneLine(name).replaceAll("[", "(").replaceAll("]", ")").replace(/[\\`]/g, "\\$&"));

// An editor's words must not become links or HTML in any renderer. After an odd number of backslashes the character is escaped.
const plain = (text: string) =>
  oneLine(text)
    .replaceAll("](", "] (")
    .replace(/\\*<(?=[a-z/!?])/gi, (sign) => (sign.length % 2 === 0 ? sign : `${sign.slice(0, -1)}\\<`));

// Some parsers also break lines at control characters, such as Python's splitlines() at U+0085 and U+001C.
const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, " ").trim();
