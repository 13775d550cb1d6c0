import { createHash } from "node:crypto";
import type { Liquid, Template } from "liquidjs";
import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/schema";
import { Manifest } from "../../contract/built-files/manifest.ts";
import type { ShopWords } from "../../contract/built-files/words.ts";
import { findWord } from "../../contract/words.ts";
import { type BuildLog, type Builds, followBuilds, type OfBuild, parseFile, type Read, SAME_CODE } from "./builds.ts";
import { makeLiquid, makeTranslate, shopWords } from "./filters.ts";
import { findMissing, isMarkdown, isPiece, type PrivatePage, wordsIn } from "./page.ts";

const manifests = Compile(Manifest);

const NAME = "The templates of the private pages";

/** The files that the site's build made for the API (site/private-pages/), by path; words.json is parsed. */
export interface SessionFolder {
  manifest: Manifest;
  files: ReadonlyMap<string, string>;
  shop: ShopWords;
}

/** Renders a page of one build. `given` is what its frame shows besides. */
type Render = <View extends TSchema>(page: PrivatePage<View>, view: Static<View>, given?: object) => string;

/** The templates of the private pages, which a new build of the site replaces while the API runs. */
export interface Templates extends Pick<OfBuild<Render>, "findFault"> {
  /** A page as HTML or Markdown. Rejects with PageProblem("unavailable") if there are no templates that fit this release. */
  render<View extends TSchema>(page: PrivatePage<View>, view: Static<View>, given?: object): Promise<string>;
}

interface Options {
  builds: Builds;
  /** Every page: a set of templates that lacks one, or uses a variable that its view lacks, is refused. */
  pages: readonly PrivatePage[];
  log: BuildLog;
}

/** Reads templates at the first request, and new ones within a second of a build. */
export function openTemplates({ builds, pages, log }: Options): Templates {
  const make = async (read: Read) => makeRender(await readSessionFolder(read), pages);
  const { current, findFault } = followBuilds({ builds, make, name: "templates", log });
  return { render: async (page, view, given) => (await current())(page, view, given), findFault };
}

/** Reads all files that the manifest lists. Throws an Error that says why they can't be used. */
export async function readSessionFolder(read: Read): Promise<SessionFolder> {
  const manifest: unknown = parseFile("manifest.json", await read("manifest.json"));
  if (!manifests.Check(manifest))
    throw new Error(`The manifest of the private pages' templates is of another release. ${SAME_CODE}`);
  const files = new Map<string, string>();
  const hash = createHash("sha256");
  for (const path of manifest.files) {
    const content = await read(path);
    files.set(path, content);
    hash.update(`${content.length}\n${content}`);
  }
  if (hash.digest("hex") !== manifest.hash)
    throw new Error("The templates of the private pages are of two builds. The next build mends this.");
  const shop: unknown = parseFile("words.json", files.get("words.json") ?? "null");
  if (!shopWords.Check(shop)) throw new Error(`The words of the private pages are of another release. ${SAME_CODE}`);
  return { manifest, files, shop };
}

/** Throws an Error with every difference between a build and the views that this release fills its templates from. */
export function requireFit(
  name: string,
  templates: Manifest["templates"],
  { words }: ShopWords,
  pages: readonly PrivatePage[],
): void {
  const problems = pages.flatMap(({ template, view }) => {
    const needs = templates[template]?.variables;
    if (!needs) return [`there is no template '${template}'`];
    return findMissing(view, needs).map((path) => `'${template}' uses \`${path}\`, which its view lacks`);
  });
  const keys = new Set(pages.flatMap(({ view }) => wordsIn(view)));
  for (const key of keys) if (findWord(words, key) === undefined) problems.push(`there is no word '${key}'`);
  if (problems.length > 0) throw misfit(name, problems.join("; "));
}

/** Parses a template. Throws an Error if it has a tag or filter that this release lacks. */
export function parseFitting(name: string, liquid: Liquid, text: string, path: string): Template[] {
  try {
    return liquid.parse(text, path);
  } catch (error) {
    throw misfit(name, error instanceof Error ? error.message : String(error));
  }
}

const misfit = (name: string, problems: string) =>
  new Error(`${name} don't fit this release of the API: ${problems}. ${SAME_CODE}`);

function makeRender({ manifest, files, shop }: SessionFolder, pages: readonly PrivatePage[]): Render {
  requireFit(NAME, manifest.templates, shop, pages);
  const [html, markdown] = [makeParser(shop, files, "html"), makeParser(shop, files, "markdown")];
  const parsed = new Map(
    pages.map(({ template }) => [template, (isMarkdown(template) ? markdown : html)(template)] as const),
  );
  const titleOf = makeTitle(shop);
  return ({ template }, view, given) => {
    const page = parsed.get(template);
    if (!page) throw new Error(`The page '${template}' isn't one of the API's pages.`);
    const scope: Record<string, unknown> = { ...Object(view) };
    const page_title = isPiece(template) ? "" : titleOf(template, scope);
    return page.liquid.renderSync(page.templates, { ...scope, ...given, page_title });
  };
}

/** Words without values are filled in here, once, since they are half of what a page shows. */
function makeParser(shop: ShopWords, files: ReadonlyMap<string, string>, output: "html" | "markdown") {
  const words = makeLiquid(shop, {}, output);
  const fill = (text: string) => text.replace(/\{\{ '[\w.]+' \| t \}\}/g, (word) => words.parseAndRenderSync(word));
  const filled = new Map([...files].map(([path, text]) => [path, path.endsWith(".liquid") ? fill(text) : text]));
  const liquid = makeLiquid(shop, partialsOf(filled), output);
  return (name: string) => ({
    liquid,
    templates: parseFitting(NAME, liquid, filled.get(`${name}.liquid`) ?? "", name),
  });
}

/** The partials among the files of `.session/`, by name. */
const partialsOf = (files: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries(
    [...files].flatMap(([path, text]) => {
      const [, name] = /^partials\/(.+)\.liquid$/.exec(path) ?? [];
      return name === undefined ? [] : [[name, text]];
    }),
  );

function makeTitle(shop: ShopWords): (template: string, view: Record<string, unknown>) => string {
  const translate = makeTranslate(shop);
  return (template, view) => {
    const { title_word: word = `${template.replace(/\.md$/, "").replace("/", ".")}.title`, errors } = view;
    const title = translate(String(word), view);
    return Array.isArray(errors) && errors.length > 0 ? translate("common.error_prefix", { title }) : title;
  };
}
