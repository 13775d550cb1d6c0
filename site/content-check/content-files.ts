import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { z } from "astro/zod";
import GithubSlugger from "github-slugger";
import type { Nodes, Root } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import remarkGfm from "remark-gfm";
import remarkMdx from "remark-mdx";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { isScalar, isSeq } from "yaml";
import { isSlug } from "../../api/contract/patterns.ts";
import { replacedPage } from "../content-schema/developers-pages.ts";
import { documentTypes } from "../content-schema/documents.ts";
import { isDraft, slugProblem } from "../content-schema/fields.ts";
import { leakedSource } from "../content-schema/leaked-source.ts";
import { reservedSlugs } from "../content-schema/page.ts";
import { questionIds, questionsId } from "../content-schema/questions.ts";
import { categoryPath, disallowedPaths, guidePath, pagePath, productPath } from "../urls/paths.ts";
import { locate, withLineFeeds, type Yaml } from "./front-matter.ts";
import type { Problem } from "./problem.ts";
import { findTurningCharacter } from "./unseen.ts";

export type Kind = "product" | "category" | "guide" | "page";

/** A page's file: its path from the project's root; `category` is a product's folder. */
export interface PageFile {
  kind: Kind;
  file: string;
  slug: string;
  category: string | undefined;
  isMdx: boolean;
  /** A build leaves drafts out, so their problems are warnings. */
  isDraft: boolean;
  text: string;
}

/** The media types of pictures, by their files' extension. */
const pictureMediaTypes: Readonly<Record<string, string>> = {
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  avif: "image/avif",
  gif: "image/gif",
};

/** The file extensions of pictures, without the dot. */
export const pictureTypes: readonly string[] = Object.keys(pictureMediaTypes);

export interface ContentFiles {
  pages: PageFile[];
  /** Every file in content/, pictures too, by its path from the project's root. */
  paths: Set<string>;
  /** Files whose folder, type or name the shop can't use. */
  problems: Problem[];
}

const folders = new Map<string, { kind: Kind; depth: number; types: string[] }>([
  ["products", { kind: "product", depth: 4, types: ["md"] }],
  ["categories", { kind: "category", depth: 3, types: ["md"] }],
  ["guides", { kind: "guide", depth: 3, types: ["md", "mdx"] }],
  ["pages", { kind: "page", depth: 3, types: ["md", "mdx"] }],
]);

/** Reads `root`/content/, without files whose name starts with a dot. */
export function readContentFiles(root: string): ContentFiles {
  const entries = readdirSync(join(root, "content"), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, sep).length).split(sep).join("/"))
    .sort();
  const pages: PageFile[] = [];
  const problems: Problem[] = [];
  for (const file of paths) {
    const page = readFile(root, file, problems);
    if (typeof page === "string") problems.push({ file, line: 1, message: page });
    else if (page !== undefined) pages.push(page);
  }
  return { pages, paths: new Set(paths), problems };
}

/** The page; a message if the file can't be one; undefined for pictures, documents of products, and files outside the shop's folders. */
function readFile(root: string, file: string, problems: Problem[]): PageFile | string | undefined {
  const parts = file.split("/");
  const rule = folders.get(parts[1] ?? "");
  const [, slug = "", type = ""] = /^(.*?)(?:\.([^.]*))?$/.exec(parts.at(-1) ?? "") ?? [];
  if (rule === undefined || pictureTypes.includes(type)) return undefined;
  const { kind, depth, types } = rule;
  if (kind === "product" && isDocument(file)) return undefined;
  if (!types.includes(type))
    return `A ${kind}'s file name must end in ${types.map((type) => `.${type}`).join(" or ")}, and a picture's in lowercase letters.`;
  if (parts.length !== depth) return misplaced(kind);
  const composed = file.normalize("NFC");
  // Whichever of the two spellings a link has, the address is the composed one.
  if (composed !== file)
    return `The path has letters and their accents apart, as some Macs write them. Rename it: \`git mv "${file}" "${composed}"\`.`;
  if (!isSlug(slug)) return `The file's name ${slugProblem(slug)}`;
  if (kind === "page" && reservedSlugs.includes(slug))
    return `The shop itself uses the address of a page called ${slug}. Choose another name.`;
  const hidden = kind === "page" && disallowedPaths.find((path) => pagePath(slug).startsWith(path));
  const replaced = kind === "page" ? replacedPage(slug, type) : undefined;
  if (replaced !== undefined) {
    problems.push({ file, line: 1, message: replaced, isWarning: true });
    return undefined;
  }
  if (hidden)
    return `robots.txt keeps search engines away from addresses that start with ${hidden}. Start the name with another word: \`about-${slug}.${type}\`.`;
  const { text, problems: unreadable } = readTextFile(root, file);
  problems.push(...unreadable);
  const category = kind === "product" ? parts[2] : undefined;
  return { kind, file, slug, category, isMdx: type === "mdx", isDraft: isDraft(text), text };
}

function misplaced(kind: Kind): string {
  const place =
    kind === "product" ? "in the folder of its category, content/products/<category>/" : "directly in this folder";
  return `Put a ${kind}'s file ${place}.`;
}

/** Whether a file has a picture's extension, in lowercase. */
export const isPicture = (path: string) => pictureTypes.includes(posix.extname(path).slice(1));

/** The media type of a picture by its file's extension; undefined for any other file. */
export const pictureMediaType = (path: string): string | undefined => pictureMediaTypes[posix.extname(path).slice(1)];

/** Whether a file has a document's extension, in lowercase. */
export const isDocument = (path: string) => documentTypes.some((type) => posix.extname(path) === `.${type}`);

/**
 * Reads a file as text with `\n` line ends. A file in another encoding than UTF-8 is a problem, and is decoded as Windows
 * would, so that its other problems are real.
 */
export function readTextFile(root: string, file: string): { text: string; problems: Problem[] } {
  const bytes = readFileSync(join(root, file));
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const encoding = isUtf8(bytes) ? "utf-8" : isUtf16 ? "utf-16le" : "windows-1252";
  const text = withLineFeeds(new TextDecoder(encoding).decode(bytes));
  if (encoding === "utf-8") return { text, problems: [] };
  const lines = bytes.toString("latin1").split("\n");
  const line = 1 + lines.findIndex((each) => !isUtf8(Buffer.from(each, "latin1")));
  const message = "Letters here aren't in UTF-8. Save the file with the encoding “UTF-8”, then check its text.";
  return { text, problems: [{ file, line, message }] };
}

/** A page as far as it can be read. */
export interface ReadPage {
  page: PageFile;
  /** Problems of the syntax. */
  written: Problem[];
  /** Undefined when the front matter can't be read. */
  yaml: Yaml | undefined;
  path: string;
  /** Undefined when the front matter's end is missing. */
  text: string | undefined;
  /** The line of the file where the text starts. */
  textLine: number;
}

/** A page and the facts that are known of its file, by name (kept-facts.ts). The file is parsed only for a fact that is missing. */
export interface KnownPage {
  page: PageFile;
  /** The path in its URL. */
  path: string;
  facts: Record<string, unknown>;
  read: () => ReadPage;
  /** Undefined when it can't be parsed, or didn't have to be. */
  body?: Body | undefined;
}

/**
 * Makes a function of one page remember what it returned for as long as its file is the same.
 *
 * @param read depends on nothing but the page and the settings of `openFacts`, and returns plain data, neither null nor undefined,
 *   because it is kept as JSON
 */
export const factOf =
  <Fact>(name: string, read: (page: ReadPage) => Fact) =>
  (known: KnownPage): Fact => {
    known.facts[name] ??= read(known.read());
    return known.facts[name] as Fact;
  };

/** The URL path of a file's page. */
export function pathOf({ kind, slug }: Pick<PageFile, "kind" | "slug">): string {
  return { product: productPath, category: categoryPath, guide: guidePath, page: pagePath }[kind](slug);
}

export interface Use {
  name: string;
  file: string;
  line: number;
}

/** The former slugs in a page's front matter, each with its place. */
export const formerSlugs = factOf("formerSlugs", ({ page, yaml }): Use[] => {
  if (yaml === undefined) return [];
  const { node } = locate(yaml, ["formerly"]);
  if (!isSeq(node)) return [];
  return node.items.flatMap((item, index) => {
    if (!isScalar(item)) return [];
    return { name: String(item.value), file: page.file, line: locate(yaml, ["formerly", index]).line };
  });
});

/** The ids of the headings above a page's questions. */
export function questionAnchors(known: KnownPage): string[] {
  const asked = questionIds(readQuestions(known));
  return asked.length > 0 ? [questionsId, ...asked] : [];
}

/** A page's questions, before the schema has checked them. */
const readQuestions = factOf("questions", ({ yaml }): { question: string }[] => {
  if (yaml === undefined) return [];
  const { node } = locate(yaml, ["questions"]);
  if (!isSeq(node)) return [];
  return node.items.map((_, index) => ({ question: String(yaml.document.getIn(["questions", index, "question"])) }));
});

type Located<Facts> = Facts & { line: number };
export type Element = Extract<Nodes, { type: "mdxJsxFlowElement" | "mdxJsxTextElement" }>;

/** The parts of a text that are checked. */
export interface Body {
  headings: Located<{ depth: number; text: string; id: string }>[];
  links: Located<{ url: string }>[];
  pictures: Located<{ url: string; alt: string }>[];
  /** Code in an .mdx file: `{1 + 1}`, `import …`. */
  code: Located<{ text: string; isModule: boolean }>[];
  footnotes: Located<object>[];
  /** Raw HTML of a .md file. */
  html: Located<{ value: string }>[];
  /** HTML and components of an .mdx file. */
  elements: Located<{ element: Element; isInText: boolean }>[];
  /** Source code that would be shown as text. */
  leaks: Located<{ text: string }>[];
  /** Characters that turn the direction of what follows, written as entities: `&#x202e;`. */
  unseen: Located<{ what: string }>[];
}

const markdown = unified().use(remarkParse).use(remarkGfm);
const mdx = unified().use(remarkParse).use(remarkGfm).use(remarkMdx);

/** Parses a text that starts on `firstLine` of its file. Throws remark-mdx's error for malformed MDX. */
export function parseBody(text: string, isMdx: boolean, firstLine: number): Body {
  const body: Body = {
    headings: [],
    links: [],
    pictures: [],
    code: [],
    footnotes: [],
    html: [],
    elements: [],
    leaks: [],
    unseen: [],
  };
  const tree: Root = (isMdx ? mdx : markdown).parse("\n".repeat(firstLine - 1) + text);
  const slugger = new GithubSlugger();
  const definitions = new Map<string, string>();
  visit(tree, "definition", ({ identifier, url }) => void definitions.set(identifier, url));
  visit(tree, (node, index, parent) => {
    const line = node.position?.start.line ?? firstLine;
    const shown = node.type === "text" ? node.value : node.type === "image" ? (node.alt ?? "") : "";
    const unseen = findTurningCharacter(shown);
    // One that stands there as it is is found without the tree (field-problems.ts).
    if (unseen && !text.includes(shown.charAt(unseen.index))) body.unseen.push({ ...unseen, line });
    if (node.type === "text" && parent?.type !== "heading") {
      const leak = leakedSource(node.value, index === 0 && parent?.type === "paragraph");
      if (leak !== undefined) body.leaks.push({ text: leak, line });
    }
    if (node.type === "heading") {
      const text = textOf(node);
      body.headings.push({ depth: node.depth, text, id: slugger.slug(text), line });
    } else if (node.type === "link") body.links.push({ url: node.url, line });
    else if (node.type === "linkReference") body.links.push({ url: definitions.get(node.identifier) ?? "", line });
    else if (node.type === "image") body.pictures.push({ url: node.url, alt: node.alt ?? "", line });
    else if (node.type === "imageReference")
      body.pictures.push({ url: definitions.get(node.identifier) ?? "", alt: node.alt ?? "", line });
    else if (node.type === "footnoteReference" || node.type === "footnoteDefinition") body.footnotes.push({ line });
    else if (node.type === "html") body.html.push({ value: node.value, line });
    else if (node.type === "mdxjsEsm") body.code.push({ text: node.value, isModule: true, line });
    else if (node.type === "mdxFlowExpression" || node.type === "mdxTextExpression")
      body.code.push({ text: node.value, isModule: false, line });
    else if (node.type === "mdxJsxFlowElement") body.elements.push({ element: node, isInText: false, line });
    else if (node.type === "mdxJsxTextElement")
      body.elements.push({ element: node, isInText: !standsAlone(parent), line });
  });
  return body;
}

/** MDX lifts components out of a paragraph that contains nothing else. */
function standsAlone(parent: Nodes | undefined): boolean {
  return (
    parent?.type === "paragraph" &&
    parent.children.every((child) => child.type === "mdxJsxTextElement" || !textOf(child).trim())
  );
}

/** remark-mdx throws a VFileMessage: `reason` is its sentence, `line` the file's line if it is known. */
const thrown = z.looseObject({ reason: z.string(), line: z.int().optional().catch(undefined) });

/** An error of `parseBody` in an editor's words, with its line; `bodyLine` is where the text starts. */
export function mdxProblem(error: unknown, bodyLine: number): { line: number; message: string } {
  const { reason, line = bodyLine } = thrown.parse(error);
  // "Expected a closing tag for `<Callout>` (12:1-12:21)" says where the tag was opened.
  const [, tag, opened] = /closing tag for `<([\w.]+)>` \((\d+):/.exec(reason) ?? [];
  if (tag !== undefined)
    return { line: Number(opened), message: `<${tag}> isn't closed. Write \`</${tag}>\` below its text.` };
  const message = `In an .mdx file, { and < start code. Write \\{ or \\< to show them. (${reason})`;
  return { line, message };
}
