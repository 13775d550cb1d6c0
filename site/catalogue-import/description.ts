import type { Nodes, PhrasingContent, Root, RootContent } from "mdast";
import { visit } from "unist-util-visit";
import { readLinks } from "../content-check/body-problems.ts";
import { parseBody } from "../content-check/content-files.ts";
import { ContentError } from "../content-schema/content-error.ts";
import { attribute, collapsed, type Element, isElement, isText, type Node, readHtml } from "../markdown-face/html.ts";
import { collapseWhiteSpace } from "../markdown-face/main-content.ts";
import { plainText, tidyMarks } from "../markdown-face/markdown-tree.ts";
import { toMdast } from "../markdown-face/to-mdast.ts";
import { toText } from "../markdown-face/write-markdown.ts";
import { cleanText } from "./formats/values.ts";

/** A description as content/ has it. */
export interface Described {
  markdown: string;
  /** Its first paragraph, without Markdown. */
  opening: string;
  /** The pictures that stood in it. */
  pictures: { source: string; alt: string }[];
  /** What was changed or lost, in whole sentences. */
  notes: string[];
}

/** Where links lead now. */
export interface Links {
  /** Hosts of the old shop, and of this one. */
  hosts: ReadonlySet<string>;
  /** The path of a page here by its old one. */
  paths: ReadonlyMap<string, string>;
}

/** What a page can't have, or must not. */
const DROPPED = new Set(
  `applet audio base button canvas datalist embed fieldset form frame frameset iframe input link map math meta noscript object optgroup
  option script select source style svg template textarea title track video`.split(/\s+/),
);
const FRAMES = new Set(["iframe", "embed", "object", "video", "audio"]);

/** Deeper HTML isn't a description, and would take more stack than there is. */
const DEEPEST = 100;
/** A relative address of the old shop has this host until it is looked up. */
const OLD = "https://old.invalid";

/**
 * Makes Markdown of a description in HTML, as content/ may have it: without HTML, scripts and frames, with headings from
 * level 2 on and links that lead somewhere.
 *
 * @throws ContentError if that isn't possible
 */
export function describe(html: string, links: Links): Described {
  const notes = new Set<string>();
  const pictures: Described["pictures"] = [];
  const root = readHtml(inParagraphs(html));
  prepare(root, 0, { links, notes, pictures });
  collapseWhiteSpace(root);
  const tree = toMdast(root, `${OLD}/`);
  tidyMarks(tree);
  visit(tree, "link", (node) => {
    if (node.url.startsWith(`${OLD}/`)) node.url = decodeURI(node.url.slice(OLD.length));
    node.title = null;
  });
  tree.children = tree.children.flatMap((node) => (isHeading(node) ? node : withoutHeadings(node)));
  levelHeadings(tree);
  const markdown = toText(tree).trim();
  checkMarkdown(markdown);
  const paragraph = tree.children.find(({ type }) => type === "paragraph");
  return { markdown, opening: paragraph ? plainText(paragraph) : "", pictures, notes: [...notes] };
}

/** Text without block elements, whose blank lines divide it. */
function inParagraphs(html: string): string {
  const text = cleanText(html);
  if (/<(?:p|br|div|ul|ol|dl|table|h[1-6]|section|article|blockquote|pre)\b/i.test(text)) return text;
  return text
    .split(/\n\s*\n/)
    .map((part) => `<p>${part.trim().replaceAll("\n", "<br>")}</p>`)
    .join("");
}

interface Preparing {
  links: Links;
  notes: Set<string>;
  pictures: Described["pictures"];
}

function prepare(parent: Element, depth: number, context: Preparing): void {
  if (depth > DEEPEST) throw new ContentError(`it has elements in elements, more than ${DEEPEST} deep`);
  parent.childNodes = parent.childNodes.flatMap((node): Node[] => {
    if (isText(node)) return [{ value: cleanText(node.value) }];
    if (!isElement(node) || isHidden(node)) return [];
    if (node.tagName === "img") {
      takePicture(node, context);
      return [];
    }
    if (FRAMES.has(node.tagName)) context.notes.add("A video or frame in a description was left out.");
    if (DROPPED.has(node.tagName)) return [];
    prepare(node, depth + 1, context);
    if (node.tagName !== "a") {
      node.attributes = Object.fromEntries(Object.entries(node.attributes).filter(([name]) => KEPT.has(name)));
      return [node];
    }
    const href = newAddress(attribute(node, "href") ?? "", context);
    if (href === undefined) return node.childNodes;
    node.attributes = { href };
    return [node];
  });
}

const KEPT = new Set(["start", "colspan", "rowspan"]);

const isHidden = (element: Element): boolean =>
  attribute(element, "hidden") !== undefined || /display\s*:\s*none/i.test(attribute(element, "style") ?? "");

function takePicture(element: Element, { notes, pictures }: Preparing): void {
  const source = attribute(element, "src") ?? attribute(element, "data-src") ?? "";
  if (!/^(?:https?:)?\/\//i.test(source)) {
    if (source !== "") notes.add("A picture in a description that isn't at an address of the web was left out.");
    return;
  }
  pictures.push({ source: source.replace(/^\/\//, "https://"), alt: collapsed(attribute(element, "alt") ?? "") });
  notes.add("A picture in a description became one of the product's pictures.");
}

/** Where a link leads now; undefined if it leads nowhere, and only its words stay. */
function newAddress(written: string, { links, notes }: Preparing): string | undefined {
  const href = written.trim();
  if (href === "" || href.startsWith("#")) return undefined;
  if (/^(?:mailto|tel):[^\s]+$/i.test(href)) return href;
  const url = URL.parse(href, `${OLD}/`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    notes.add("A link in a description that isn't one to the web was left out.");
    return undefined;
  }
  if (url.origin !== OLD && !links.hosts.has(url.host)) {
    url.protocol = "https:";
    return url.href;
  }
  const path = links.paths.get(readPathname(url));
  if (path === undefined) notes.add("A link to a page of the old shop that isn't here was left out.");
  return path;
}

function readPathname(url: URL): string {
  try {
    return decodeURIComponent(url.pathname).replace(/(?<=.)\/$/, "");
  } catch {
    return url.pathname;
  }
}

const isHeading = (node: Nodes) => node.type === "heading";

/** A heading in a list or a quotation is a bold line there. */
function withoutHeadings(node: RootContent): RootContent {
  if (!("children" in node)) return node;
  const children = (node.children as RootContent[]).map((child): RootContent => {
    if (child.type !== "heading") return withoutHeadings(child);
    return { type: "paragraph", children: [{ type: "strong", children: child.children as PhrasingContent[] }] };
  });
  return { ...node, children } as RootContent;
}

/** Headings from level 2 on, without a level left out. */
function levelHeadings(tree: Root): void {
  const headings = tree.children.filter((node) => node.type === "heading");
  const top = Math.min(...headings.map(({ depth }) => depth));
  let before = 1;
  for (const heading of headings) {
    before = Math.min(heading.depth - top + 2, before + 1, 6);
    heading.depth = before as typeof heading.depth;
  }
}

/** Throws ContentError for a text that the check of content/ would refuse. */
export function checkMarkdown(markdown: string): void {
  if (readLinks(markdown, undefined).isPlain) return;
  const { html, leaks, footnotes, headings, unseen, pictures } = parseBody(markdown, false, 1);
  if (html.length + leaks.length + footnotes.length + unseen.length + pictures.length > 0)
    throw new ContentError("it has HTML or code that can't be written as text");
  let before = 1;
  for (const { depth } of headings) {
    if (depth === 1 || depth > before + 1) throw new ContentError("it has headings that leave out a level");
    before = depth;
  }
}
