import { createHash, hash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { Liquid } from "liquidjs";
import type { Manifest } from "../../api/contract/built-files/manifest.ts";
import type { ShopWords } from "../../api/contract/built-files/words.ts";
import { findWord, type WordTree } from "../../api/contract/words.ts";
import { forStaffInLiquid, renderChoices, renderStaffFrame } from "../admin/frame/page.ts";
import { signInPages } from "../admin/frame/sign-in-page.ts";
import { wordsFor } from "../admin/words.ts";
import { writeAtomically } from "../build/files.ts";
import { ContentError } from "../content-schema/content-error.ts";
import { readPageFacts } from "../markdown-face/front-matter.ts";
import { splitPage } from "../markdown-face/html.ts";
import { quotePointer } from "../markdown-face/page-to-markdown.ts";
import { toText } from "../markdown-face/write-markdown.ts";
import { CONTENT_PLACE, NOTICE_PLACE, TILES_PLACE, TITLE_PLACE } from "./frame-places.ts";
import { checkTemplate, type LiquidFile, makeLiquid } from "./liquid.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SOURCE = join(import.meta.dirname, "..", "src", "private-pages");
const WORDS = join(import.meta.dirname, "..", "words", "words-in.ts");

interface PrivatePagesShop extends Omit<ShopWords, "words"> {
  /** A line that pages on the way to an order show; HTML pages have it from the frame. */
  notice?: string | undefined;
}

interface PrivatePagesInput {
  /** The shop's layout as HTML, with TITLE_PLACE and CONTENT_PLACE in it. */
  frame: string;
  shop: PrivatePagesShop;
  /** The shop's words in place of ours (site/words/own-words.ts). */
  ownWords?: WordTree;
  /** Other files for the API, by their path in the folder. */
  files?: Readonly<Record<string, string>>;
  /** The API's search index (api/contract/search/). */
  search: Uint8Array;
  /** What the assistant's tools know besides (assistant-file.ts), as JSON. */
  assistant: string;
  /** What content/ says of versions where something else is in force (content-offers.ts), as JSON, which the import alone reads. */
  contentOffers?: string;
  /** Imports a module; the dev server's own, because Vite's loader of the configuration is closed by then. */
  load?: (file: string) => Promise<unknown>;
}

/** The page variables that the API adds to every view, and to those of /admin. */
const GIVEN = ["page_title"];
const GIVEN_STAFF = [...GIVEN, "staff"];

/** The templates of /admin, in whose frame they are. */
const STAFF = "staff/";

/** The answers that nginx gives without the API under the private pages' addresses, by the word of each. */
const NGINX_ERRORS = {
  400: "bad_request",
  403: "forbidden",
  405: "method_not_allowed",
  413: "payload_too_large",
  414: "uri_too_long",
  429: "too_many_requests",
  500: "internal_error",
  503: "unavailable",
} as const;

/**
 * The files of `.session/`, by path: each private page as a Liquid template in the shop's layout, the partials, the
 * words, and the pages that nginx serves itself: of its own errors, of signing in to /admin, and for who may not write there. `manifest.json` is the last.
 *
 * @throws ContentError with every mistake in the Liquid files: file, line, what is wrong and what there is
 */
export async function privatePageFiles({
  frame,
  shop: { notice, ...shop },
  ownWords,
  files = {},
  search,
  assistant,
  contentOffers = "{}",
  load = importFile,
}: PrivatePagesInput): Promise<Map<string, string | Uint8Array>> {
  const words = await readPrivatePageWords(shop.locale, ownWords, load);
  const adminWords = wordsFor(shop.locale);
  const pages = new Map([...readLiquidFiles(SOURCE), ...readLiquidFiles(SOURCE, STAFF)]);
  const [withTiles, noticeHtml] = takePiece(frame, NOTICE_PLACE);
  const [layout, tiles] = takePiece(withTiles, TILES_PLACE);
  const piece = (html: string) => ({ file: relative(ROOT, join(SOURCE, "frame.astro")), text: asLiteral(html.trim()) });
  const partials = readLiquidFiles(join(SOURCE, "partials"))
    .set("shop-notice", piece(noticeHtml))
    .set("category-tiles", piece(tiles))
    .set("staff-choices", {
      file: "site/admin/frame/page.ts",
      text: forStaffInLiquid(asLiteral(renderChoices(adminWords))),
    });
  const liquid = makeLiquid(partials, words);
  const templates: Manifest["templates"] = {};
  const problems: string[] = [];
  for (const [name, page] of pages) {
    const checked = checkTemplate(page, liquid, partials, words, isStaff(name) ? GIVEN_STAFF : GIVEN);
    problems.push(...checked.problems);
    const titleWord = `${name.replace("/", ".")}.title`;
    const hasTitle = findWord(words, titleWord) !== undefined || checked.variables.includes("title_word");
    if (!isMarkdown(name) && !isPiece(name) && !hasTitle)
      problems.push(`${page.file}:1: the page's title is missing: the word '${titleWord}'.`);
    templates[name] = { variables: checked.variables };
  }
  for (const [file, text] of Object.entries(files))
    if (file.endsWith(".liquid")) {
      const checked = checkTemplate({ file, text }, liquid, partials, words);
      problems.push(...checked.problems);
      templates[file.replace(/\.liquid$/, "")] = { variables: checked.variables };
    }
  if (problems.length > 0)
    throw new ContentError(`The private pages can't be built:\n\n${[...new Set(problems)].join("\n")}`);
  const put = fitFrame(asLiteral(layout));
  const putStaff = (name: string) => {
    const frame = renderStaffFrame(adminWords, name.slice(STAFF.length), TITLE_PLACE, CONTENT_PLACE);
    return fitFrame(forStaffInLiquid(asLiteral(frame)));
  };
  const texts = new Map([
    ...[...pages].map(([name, { text }]): [string, string] => [
      `${name}.liquid`,
      isMarkdown(name)
        ? addPointer(text, layout) + (showsNotice(pages.get(name.replace(/\.md$/, ""))) ? asMarkdown(notice) : "")
        : isPiece(name)
          ? text
          : (isStaff(name) ? putStaff(name) : put)(unindent(text)),
    ]),
    ...[...partials].map(([name, { text }]): [string, string] => [`partials/${name}.liquid`, unindent(text)]),
    ["words.json", JSON.stringify({ ...shop, words } satisfies ShopWords)] as const,
    ...Object.entries(files),
  ]);
  const manifest: Manifest = {
    templates,
    files: [...texts.keys()],
    hash: hashOf(texts.values()),
    search: hash("sha256", search),
    assistant: hash("sha256", assistant),
  };
  const written = new Map<string, string | Uint8Array>(texts)
    .set("search.index", search)
    .set("assistant.json", assistant)
    .set("content-offers.json", contentOffers);
  for (const [status, word] of Object.entries(NGINX_ERRORS))
    written.set(`errors/${status}`, renderError(liquid, texts.get("problem.liquid") ?? "", word));
  written.set("admin/refused", renderRefused(liquid, texts.get("staff/refused.liquid") ?? ""));
  for (const [page, text] of signInPages(shop)) written.set(`admin/${page}`, text);
  return written.set("manifest.json", JSON.stringify(manifest));
}

/** A line that holds tags alone would otherwise leave blanks in every page. */
const unindent = (text: string) => text.replace(/^[ \t]+/gm, "");

const isStaff = (name: string) => name.startsWith(STAFF);

/** `buy.md.liquid` is a page's Markdown face: it has no layout. */
const isMarkdown = (name: string) => name.endsWith(".md");

/** What a page's HTML shows, its Markdown says. */
const showsNotice = (page: LiquidFile | undefined) => page?.text.includes("render 'shop-notice'");

/** `version-fault.html.liquid` is a piece of a page of the build, and has neither layout nor title. */
const isPiece = (name: string) => name.endsWith(".html");

/** A line at a Markdown page's end. */
const asMarkdown = (line = "") =>
  line && `\n${toText({ type: "root", children: [{ type: "paragraph", children: [{ type: "text", value: line }] }] })}`;

/** A page's Markdown face with the pointer to /llms.txt below its front matter, as all pages have it. */
function addPointer(markdown: string, frame: string): string {
  const pointer = readPageFacts(splitPage(frame))?.pointer;
  if (!pointer) return markdown;
  const line = toText({ type: "root", children: [quotePointer(pointer)] });
  return markdown.replace("\n---\n", () => `\n---\n\n${line.replace("](/", "]({{ origin }}/").trimEnd()}\n`);
}

/** Writes `.session/` to the folder `out`, replacing what was there. The manifest comes last: without it the API waits. */
export async function buildSessionFolder({ out, ...input }: PrivatePagesInput & { out: string }): Promise<void> {
  writeSessionFolder(out, await privatePageFiles(input));
}

/** The same with files that privatePageFiles() has made. */
export function writeSessionFolder(out: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  rmSync(out, { recursive: true, force: true });
  for (const [path, content] of files) {
    const file = join(out, path);
    mkdirSync(dirname(file), { recursive: true });
    if (path === "manifest.json") writeAtomically(file, String(content));
    else writeFileSync(file, content);
  }
}

const importFile = (file: string): Promise<unknown> => import(/* @vite-ignore */ pathToFileURL(file).href);

/** The private pages' words in a locale's language. */
async function readPrivatePageWords(
  locale: string,
  own: WordTree | undefined,
  load: (file: string) => Promise<unknown>,
): Promise<WordTree> {
  const { wordsIn } = (await load(WORDS)) as typeof import("../words/words-in.ts");
  return wordsIn(locale, own).private_pages;
}

/** The Liquid files of a folder, or of one below it, by name. */
function readLiquidFiles(folder: string, below = ""): Map<string, LiquidFile> {
  const files = globSync(`${below}*.liquid`, { cwd: folder }).sort();
  return new Map(
    files.map((name) => {
      const path = join(folder, name);
      const file = { file: relative(ROOT, path), text: readFileSync(path, "utf8") };
      return [below + basename(name, ".liquid"), file];
    }),
  );
}

/** The frame (src/private-pages/frame.astro) without what stands between two of `place`, and that. */
function takePiece(frame: string, place: string): [rest: string, piece: string] {
  const [before = "", piece = "", after = ""] = frame.split(place);
  return [before + after, piece];
}

/** Text in which braces aren't Liquid. */
const asLiteral = (text: string) => text.replaceAll("{", "{{ '{' }}");

/** Returns a function that puts a page's Liquid into the frame, in which braces of its own text aren't Liquid. */
function fitFrame(frame: string): (content: string) => string {
  if (frame.split(CONTENT_PLACE).length !== 2 || !frame.includes(TITLE_PLACE))
    throw new Error("The frame of the private pages must have one place for the content, and some for the title.");
  const literal = frame.replaceAll(TITLE_PLACE, "{{ page_title }}");
  return (content) => literal.replace(CONTENT_PLACE, () => content);
}

function renderError(liquid: Liquid, template: string, word: string): string {
  const title = `problem.${word}.title`;
  const view = { title_word: title, text_word: `problem.${word}.text`, reference: null };
  const page_title: string = liquid.parseAndRenderSync("{{ title | t }}", { title });
  return liquid.parseAndRenderSync(template, { ...view, page_title });
}

/** For nginx, which asks the API who may write (nginx/conf/admin/). Its header leads to the start page alone. */
function renderRefused(liquid: Liquid, template: string): string {
  const page_title: string = liquid.parseAndRenderSync("{{ 'staff.refused.title' | t }}");
  const staff = { may_content: false, may_orders: false };
  return liquid.parseAndRenderSync(template, { right_word: "staff.refused.content", staff, page_title });
}

function hashOf(contents: Iterable<string>): string {
  const hash = createHash("sha256");
  for (const content of contents) hash.update(`${content.length}\n${content}`);
  return hash.digest("hex");
}
