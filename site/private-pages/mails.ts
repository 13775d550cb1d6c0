import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toHtml } from "hast-util-to-html";
import type { Nodes, Parents, Root } from "mdast";
import { toHast } from "mdast-util-to-hast";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { parsePage } from "../content-check/front-matter.ts";
import { ContentError } from "../content-schema/content-error.ts";
import { isToCustomer, mailKinds, mailSchema, placePattern } from "../content-schema/mail.ts";
import { type Colours, type Look, lookOf } from "../content-schema/shop.ts";
import { readStandardMail } from "../mails/read-standard-mail.ts";
import { deriveColours, readPalette } from "../shop-look/palette.ts";
import { documentLanguage } from "../words/text-language.ts";

const BLOCKS = join(import.meta.dirname, "..", "src", "private-pages", "mails");

const TOKENS = join(import.meta.dirname, "..", "src", "styles", "tokens.css");

/** The shop's own address in editors' texts. */
const EXAMPLE = "https://shop.example";

/**
 * All mails as Liquid: `mails/<kind>.subject.liquid`, `.text.liquid` and `.html.liquid` for each, of the shop's own file in
 * `content`/mails/ or else the standard one. A shop that no longer takes orders may still have some.
 */
export function mailFiles(content: string, shop: MailShop): Record<string, string> {
  const folder = join(content, "mails");
  return Object.assign({}, ...[...mailKinds.keys()].map((kind) => convertMail(folder, kind, shop)));
}

interface MailShop {
  base_url: string;
  locale: string;
  look?: Look | undefined;
  colours?: Colours | undefined;
  /** The last line of each mail, below the company's particulars. */
  notice?: string | undefined;
}

function convertMail(folder: string, kind: string, shop: MailShop): Record<string, string> {
  const file = `content/mails/${kind}.md`;
  const path = join(folder, `${kind}.md`);
  const written = existsSync(path) ? readFileSync(path, "utf8") : readStandardMail(kind, shop.locale);
  const { yaml, body = "" } = parsePage(file, written);
  const { subject } = mailSchema.parse(yaml?.document.toJS());
  const tree = unified().use(remarkParse).parse(body);
  const ending = [isToCustomer(kind) && `{{ ${COMPANY} }}`, shop.notice].flatMap((text) => text || []);
  for (const value of ending) tree.children.push({ type: "paragraph", children: [{ type: "text", value }] });
  visit(tree, "link", (link) => {
    if (link.url.startsWith("/")) link.url = shop.base_url + link.url;
    else if (link.url.startsWith(EXAMPLE)) link.url = shop.base_url + link.url.slice(EXAMPLE.length);
  });
  const { lang, dir } = documentLanguage(shop.locale);
  // Also of the first element within, because webmail replaces <html> and <body>.
  const direction = dir ? ` dir="${dir}"` : "";
  const html = readFileSync(join(BLOCKS, "frame.html"), "utf8")
    .replace('lang="en"', () => `lang="${lang}"${direction}`)
    .replace("<div ", () => `<div${direction} `)
    .replace("SUBJECT", () => subject)
    .replace("/* COLOURS */", () => writeColours(lookOf(shop).colours))
    .replace("CONTENT", () => writeHtml(tree));
  const liquid = (text: string, format: "text" | "html") => fillPlaces(text, kind, format);
  return {
    [`mails/${kind}.subject.liquid`]: liquid(subject, "text"),
    [`mails/${kind}.text.liquid`]: liquid(writeText(tree), "text"),
    [`mails/${kind}.html.liquid`]: dir ? mirror(liquid(html, "html")) : liquid(html, "html"),
  };
}

/** Styles for text from right to left: left and right change places. Many mail programs don't know `start` and `end`. */
const mirror = (html: string) =>
  html.replaceAll(/(?<= style=")[^"]*/g, (style) =>
    style
      .replaceAll(/\b(?:left|right)\b/g, (side) => (side === "left" ? "right" : "left"))
      .replaceAll(/(?<=:)([^ ;]+) ([^ ;]+) ([^ ;]+) ([^ ;]+)(?=;|$)/g, "$1 $4 $3 $2"),
  );

/** The colours of both schemes, without custom properties, which few mail programs know. */
function writeColours(colours: Colours | undefined): string {
  const rules = readFileSync(join(BLOCKS, "colours.css"), "utf8").trim();
  const tokens = readFileSync(TOKENS, "utf8");
  const [light, dark] = (["light", "dark"] as const).map((scheme) => {
    const standard = readPalette(tokens, scheme);
    const own = colours && deriveColours(colours[scheme], standard);
    return rules.replaceAll(/var\(--([a-z-]+)\)/g, (_use, name: string) => own?.get(name) ?? standard.get(name) ?? "");
  });
  return `${light}\n@media (prefers-color-scheme: dark) {\n${dark}\n}`;
}

/** The block with which each mail to a customer ends, which editors needn't write. */
const COMPANY = "company";

/** Replaces an editor's names by their Liquid. */
function fillPlaces(text: string, kind: string, format: "text" | "html"): string {
  const { words = {}, blocks = [] } = mailKinds.get(kind) ?? {};
  const filled = text.replaceAll(placePattern, (place, name: string | undefined) => {
    const block = [...blocks, COMPANY].find((each) => each === name);
    if (block) return readFileSync(join(BLOCKS, `${block}.${format}.liquid`), "utf8").trim();
    const expression = words[name ?? ""];
    if (expression === undefined) throw new ContentError(`content/mails/${kind}.md: ${place} isn't known here.`);
    return `{{ ${expression} }}`;
  });
  return filled.replaceAll(NAME, (_name, before, name, after) => {
    const [lead, rest] = before ? [before, ""] : ["", after];
    return `{% if buyer.name != "" %}${lead}${name}${rest}{% endif %}${before ? after : ""}`;
  });
}

/** A text, or all of it emphasized. */
const emphasized = (pattern: string) => `(?:${pattern}|<strong>${pattern}</strong>|<em>${pattern}</em>)`;
const PLACE = emphasized(emphasized(String.raw`\{\{ buyer\.name \}\}`));

/** Punctuation, or the end of a line or paragraph. */
const END = String.raw`(?:</(?:strong|em|a)>)*(?:[.,:;!?]|<(?!/?(?:strong|em|a)\b)|\n\n|$)`;

/**
 * The buyer's name, which is empty before they have paid, in what goes with it then: the blank before it, as in “Hello
 * Ada,”, with a comma, as in “Thank you, Ada!”, or at the beginning of a text the comma or colon after it.
 */
const NAME = new RegExp(String.raw`((?<=\S)(?:,(?=\s+${PLACE}${END}))?(?:[^\S\n]+|\n)|)(${PLACE})([,:]?[^\S\n]*)`, "g");

/** A block stands in a paragraph of its own, and brings its own elements. */
function writeHtml(tree: Root): string {
  const html = toHtml(toHast(tree));
  const blocks = [COMPANY, ...new Set([...mailKinds.values()].flatMap(({ blocks }) => blocks))].join("|");
  return html.replaceAll(new RegExp(`<p>(\\{\\{\\s*(?:${blocks})\\s*\\}\\})</p>`, "g"), "$1");
}

/** The text of a mail, as people write one: links after their words, and lists with a dash. */
function writeText(node: Nodes): string {
  switch (node.type) {
    case "root":
      return node.children.map(writeText).join("\n\n");
    case "text":
      return node.value.replaceAll("\n", " ");
    case "break":
      return "\n";
    case "thematicBreak":
      return "---";
    case "list":
      return node.children
        .map((item, index) => `${node.ordered ? `${(node.start ?? 1) + index}.` : "-"} ${indent(writeText(item))}`)
        .join("\n");
    case "listItem":
      return node.children.map(writeText).join("\n");
    case "link": {
      const words = writeAll(node);
      const address = node.url.replace(/^(mailto|tel):/, "");
      return words === address ? words : `${words} (${address})`;
    }
    default:
      return "children" in node ? writeAll(node) : "";
  }
}

const writeAll = ({ children }: Parents) => children.map(writeText).join("");

const indent = (text: string) => text.replaceAll("\n", "\n  ");
