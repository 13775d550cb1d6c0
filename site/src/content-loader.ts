import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ContentEntryType } from "astro";
import { glob, type Loader, type LoaderContext } from "astro/loaders";
import { parsePage, readPage } from "../content-check/front-matter.ts";
import { contentRoot } from "../content-repository/content-root.ts";
import { ADDED_TO, developersSlugs, FOLDER } from "../content-schema/developers-pages.ts";
import { isDraft } from "../content-schema/fields.ts";
import { shareContent } from "../quick-build/content-store.ts";
import { keepLive } from "../quick-build/live-content.ts";

/**
 * Loads the files of a folder of content/. An entry's id is its path without the extension, unchanged even for `index` and `404`. A
 * build omits all drafts; the dev server shows those that can be parsed.
 */
export const contentFiles = (folder: string, pattern: string): Loader =>
  filesIn(
    () => join(contentRoot(), "content", folder, "/"),
    folder === "pages" ? [pattern, ...withoutReplaced] : [pattern],
    {
      // Only guides need their source text later (src/shop/guides.ts).
      retainBody: folder === "guides",
    },
  );

/** Loads the pages about the API, which come with the program. */
export const developersPages = (): Loader => filesIn(() => join(FOLDER, "/"), ["*.mdx"], { retainBody: false });

/** Copies of those in content/ aren't read: the check says so. */
const withoutReplaced = developersSlugs.flatMap((slug) =>
  slug === ADDED_TO ? [`!${slug}.mdx`] : [`!${slug}.md`, `!${slug}.mdx`],
);

function filesIn(folder: () => string, pattern: readonly string[], { retainBody }: { retainBody: boolean }): Loader {
  const generateId = ({ entry }: { entry: string }) => entry.replace(/\.mdx?$/, "");
  return {
    name: "content-files",
    load: async (given) => {
      const context = withoutEmptyFolders(readAsChecked(given));
      const base = folder();
      const isDev = context.watcher !== undefined;
      const leftOut = findDrafts(base).filter(({ isReadable }) => !isDev || !isReadable);
      const patterns = [...pattern, ...leftOut.map(({ path }) => `!${path}`)];
      const files = glob({ base, pattern: patterns, generateId, retainBody });
      forgetRenamed(context);
      if (isDev) {
        const live = keepLive(context);
        await files.load(withoutWrongDrafts(withoutCopies(live.context)));
        await live.begin();
      } else {
        if (existsSync(base)) await files.load(withoutCopies(context));
        shareContent(context);
      }
      if (context.store.keys().length === 0) declareEmpty(context);
    },
  };
}

function findDrafts(base: string): { path: string; isReadable: boolean }[] {
  const names = existsSync(base) ? readdirSync(base, { recursive: true, encoding: "utf8" }) : [];
  const paths = names.filter((name) => /\.mdx?$/.test(name));
  return paths.flatMap((path) => {
    const text = readFileSync(join(base, path), "utf8");
    return isDraft(text) ? { path, isReadable: parsePage(path, text).yaml !== undefined } : [];
  });
}

/** Has the check's parser read all files, of which Astro's own would read some otherwise; its types keep that to Astro. */
function readAsChecked(context: LoaderContext & { entryTypes?: Map<string, ContentEntryType> }): LoaderContext {
  const getEntryInfo: ContentEntryType["getEntryInfo"] = ({ contents, fileUrl }) =>
    Promise.resolve({ ...readPage(fileURLToPath(fileUrl), contents), slug: "", rawData: "" });
  const entryTypes = [...(context.entryTypes ?? [])].map(
    ([ending, type]) => [ending, { ...type, getEntryInfo }] as const,
  );
  return Object.assign({ ...context }, { entryTypes: new Map(entryTypes) });
}

/** Leaves out Astro's warnings about folders without files: a shop needs none of guides, makers or products. */
function withoutEmptyFolders(context: LoaderContext): LoaderContext {
  const { logger } = context;
  const warn = (message: string) => {
    if (!/^No files found|^The base directory .* does not exist/.test(message)) logger.warn(message);
  };
  return { ...context, logger: Object.assign(Object.create(logger), { warn }) };
}

/** Declares an empty collection: without this, Astro warns on every page that reads it. */
function declareEmpty({ store }: LoaderContext): void {
  store.set({ id: "none", data: {} });
  store.delete("none");
}

/** Removes entries whose file is gone: Astro would look for `a.mdx` if it has been renamed to `a.md` since the last build. */
function forgetRenamed({ store, config }: LoaderContext): void {
  for (const [id, { filePath }] of store.entries())
    if (filePath !== undefined && !existsSync(join(fileURLToPath(config.root), filePath))) store.delete(id);
}

/** Drops the second copy of the front matter that Astro stores with each rendered text. */
function withoutCopies(context: LoaderContext): LoaderContext {
  const set: LoaderContext["store"]["set"] = ({ rendered, ...entry }) => {
    if (rendered === undefined) return context.store.set(entry);
    const { frontmatter: _, ...metadata } = rendered.metadata ?? {};
    return context.store.set({ ...entry, rendered: { ...rendered, metadata } });
  };
  return { ...context, store: { ...context.store, set } };
}

/** Skips invalid drafts, for which Astro would end the dev server. */
function withoutWrongDrafts(context: LoaderContext): LoaderContext {
  const wrong = new WeakSet<object>();
  return {
    ...context,
    parseData: (entry) =>
      context.parseData(entry).catch((error: unknown) => {
        if (entry.data["draft"] !== true) throw error;
        wrong.add(entry.data);
        return entry.data;
      }),
    store: { ...context.store, set: (entry) => !wrong.has(entry.data) && context.store.set(entry) },
  };
}
