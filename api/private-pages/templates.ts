import { createHash } from "node:crypto";
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import Type, { type Static, type TSchema } from "typebox";
import { Check } from "typebox/value";
import { makeLiquid, makeTranslate, ShopWords } from "./filters.ts";
import { findMissing, isMarkdown, type PrivatePage } from "./page.ts";
import { PageProblem } from "./problem-page.ts";

const Manifest = Type.Object({
  templates: Type.Record(Type.String(), Type.Object({ variables: Type.Array(Type.String()) })),
  files: Type.Array(Type.String({ pattern: "^[a-z0-9_][\\w./-]*$" })),
  hash: Type.String(),
});
type Manifest = Static<typeof Manifest>;

/** The files that the site's build made for the API (site/session/), by path; words.json is parsed. */
interface SessionFolder {
  manifest: Manifest;
  files: ReadonlyMap<string, string>;
  shop: ShopWords;
}

/** The templates of the private pages, which a new build of the site replaces while the API runs. */
export interface Templates {
  /** A page as HTML. Rejects with PageProblem("unavailable") if there are no templates that fit this release. */
  render<View extends TSchema>(page: PrivatePage<View>, view: Static<View>): Promise<string>;
  /** The text of a file that came with the templates. Rejects as `render` does. */
  readFile(path: string): Promise<string>;
  /** Why the newest templates aren't used, in one sentence; undefined if they are. */
  findFault(): Promise<string | undefined>;
}

interface Options {
  /** A folder's path; in development an http address, which is asked at every request. */
  location: string;
  /** Every page: a set of templates that lacks one, or uses a variable that its view lacks, is refused. */
  pages: readonly PrivatePage[];
  log: { info(message: string): void; error(message: string): void };
}

/** Between two looks at the manifest. */
const LOOK_EVERY_MS = 1_000;

/** Reads templates at the first request, and new ones within a second of a build. Until those fit, the old ones stay. */
export function openTemplates({ location, pages, log }: Options): Templates {
  const isServer = isAddress(location);
  let used: { render: PageSet; files: ReadonlyMap<string, string> } | undefined;
  let seen: string | undefined;
  let fault: string | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const read = await openReader(location);
    const text = await read("manifest.json");
    if (text === seen) {
      fault = undefined;
      return;
    }
    const folder = await readSessionFolder(read);
    const render = makePageSet(folder, pages);
    seen = text;
    used = { render, files: folder.files };
    fault = undefined;
    log.info("Using new templates of the private pages.");
  }

  function refuse(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== fault) log.error(`${reason}${used ? " The last templates stay in use." : ""}`);
    fault = reason;
  }

  async function lookAgain(): Promise<void> {
    if (!isServer && performance.now() - lookedAt < LOOK_EVERY_MS) return;
    looking ??= look()
      .catch(refuse)
      .finally(() => {
        lookedAt = performance.now();
        looking = undefined;
      });
    await looking;
  }

  async function readUsed() {
    await lookAgain();
    if (!used) throw new PageProblem("unavailable", { cause: new Error(fault) });
    return used;
  }

  return {
    async render({ template }, view) {
      return (await readUsed()).render(template, view);
    },
    async readFile(path) {
      const text = (await readUsed()).files.get(path);
      if (text === undefined) throw new Error(`The build of the site has no ${path}.`);
      return text;
    },
    async findFault() {
      await lookAgain();
      return fault;
    },
  };
}

type Read = (path: string) => Promise<string>;

const MISSING = "SESSION_PAGES has no templates of the private pages: run `npm run build`.";

const isAddress = (location: string) => /^https?:/.test(location);

/** Opens a folder, or a server in development, for readSessionFolder. */
export const openReader = async (location: string): Promise<Read> =>
  isAddress(location) ? readerOfServer(location) : readerOfFolder(location);

/** Reads one build throughout, although `dist` is a link that the next build replaces. */
async function readerOfFolder(folder: string): Promise<Read> {
  const real = await realpath(folder).catch(() => {
    throw new Error(MISSING);
  });
  return (path) =>
    readFile(join(real, path), "utf8").catch(() => {
      throw new Error(MISSING);
    });
}

const readerOfServer =
  (origin: string): Read =>
  async (path) => {
    const answer = await fetch(`${origin}/${path}`);
    if (!answer.ok) throw new Error("The dev server can't build the templates of the private pages: see its output.");
    return answer.text();
  };

/** Reads all files that the manifest lists. Throws an Error that says why they can't be used. */
export async function readSessionFolder(read: Read): Promise<SessionFolder> {
  const manifest: unknown = JSON.parse(await read("manifest.json"));
  if (!Check(Manifest, manifest))
    throw new Error("The manifest of the private pages' templates is of another release.");
  const files = new Map<string, string>();
  const hash = createHash("sha256");
  for (const path of manifest.files) {
    const content = await read(path);
    files.set(path, content);
    hash.update(`${content.length}\n${content}`);
  }
  if (hash.digest("hex") !== manifest.hash)
    throw new Error("The templates of the private pages are of two builds. This ends with the next one.");
  const shop: unknown = JSON.parse(files.get("words.json") ?? "null");
  if (!Check(ShopWords, shop)) throw new Error("The words of the private pages are of another release.");
  return { manifest, files, shop };
}

/** Renders a page of one set of templates. */
type PageSet = (template: string, view: unknown) => string;

/** Throws an Error with every difference between the templates and the pages' views. */
function makePageSet({ manifest, files, shop }: SessionFolder, pages: readonly PrivatePage[]): PageSet {
  const problems = pages.flatMap(({ template, view }) => {
    const needs = manifest.templates[template]?.variables;
    if (!needs) return [`there is no template '${template}'`];
    return findMissing(view, needs).map((path) => `'${template}' uses \`${path}\`, which its view lacks`);
  });
  if (problems.length > 0)
    throw new Error(`The templates of the private pages don't fit this release of the API: ${problems.join("; ")}.`);
  const [html, markdown] = [makeParser(shop, files, "html"), makeParser(shop, files, "markdown")];
  const parsed = new Map(
    pages.map(({ template }) => [template, (isMarkdown(template) ? markdown : html)(template)] as const),
  );
  const titleOf = makeTitle(shop);
  return (template, view) => {
    const page = parsed.get(template);
    if (!page) throw new Error(`The page '${template}' isn't one of the API's pages.`);
    const scope: Record<string, unknown> = { ...Object(view) };
    return page.liquid.renderSync(page.templates, { ...scope, page_title: titleOf(template, scope) });
  };
}

/** Words without values are filled in here, once, since they are half of what a page shows. */
function makeParser(shop: ShopWords, files: ReadonlyMap<string, string>, output: "html" | "markdown") {
  const words = makeLiquid(shop, {}, output);
  const fill = (text: string) => text.replace(/\{\{ '[\w.]+' \| t \}\}/g, (word) => words.parseAndRenderSync(word));
  const filled = new Map([...files].map(([path, text]) => [path, path.endsWith(".liquid") ? fill(text) : text]));
  const liquid = makeLiquid(shop, partialsOf(filled), output);
  return (name: string) => ({ liquid, templates: liquid.parse(filled.get(`${name}.liquid`) ?? "", name) });
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
    const { title_word: word = `${template.replace(/\.md$/, "")}.title`, errors } = view;
    const title = translate(String(word), view);
    return Array.isArray(errors) && errors.length > 0 ? translate("common.error_prefix", { title }) : title;
  };
}
