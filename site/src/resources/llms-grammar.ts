// The grammar of llmstxt.org, whose reference parser crashes on anything else: H1, a quote of one line, paragraphs, then
// H2 sections that hold nothing but `- [name](url): notes`.
import { absoluteUrl } from "../../urls/paths.ts";

/** A link of llms.txt. */
export type Link = { title: string; path: string; notes: string };

/** A file of a title, its summary, paragraphs, and sections: those without a link are left out. */
export function writeLlms(
  title: string,
  summary: string,
  paragraphs: readonly string[],
  sections: readonly string[],
): string {
  const parts = [`# ${plain(title)}`, `> ${plain(summary)}`, ...paragraphs.map(plain), ...sections.filter(Boolean)];
  return `${parts.join("\n\n")}\n`;
}

/** A section with its heading; nothing where it has no links. */
export function writeSection(heading: string, links: readonly Link[], baseUrl: string): string {
  const lines = links.map((link) => writeLink(link, baseUrl));
  return lines.length === 0 ? "" : `## ${plain(heading)}\n\n${lines.join("\n")}`;
}

/** One line of a section. */
export function writeLink({ title, path, notes }: Link, baseUrl: string): string {
  const url = absoluteUrl(path, baseUrl).replaceAll("(", "%28").replaceAll(")", "%29");
  return `- [${linkName(title)}](${url}): ${plain(notes)}`;
}

// The reference parser ends a name at the first `]`, escaped or not, and a URL at the first `)`. For readers of Markdown a
// backslash would undo the bracket after it, and a code span could begin here and end in the notes.
const linkName = (name: string) =>
  plain(oneLine(name).replaceAll("[", "(").replaceAll("]", ")").replace(/[\\`]/g, "\\$&"));

// Words of an editor make no links and no HTML, whoever renders the file. An odd number of backslashes has escaped already.
const plain = (text: string) =>
  oneLine(text)
    .replaceAll("](", "] (")
    .replace(/\\*<(?=[a-z/!?])/gi, (sign) => (sign.length % 2 === 0 ? sign : `${sign.slice(0, -1)}\\<`));

// Some readers break lines at control characters too: Python's splitlines() does at U+0085 and U+001C.
const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, " ").trim();
