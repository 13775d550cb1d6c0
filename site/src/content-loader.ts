import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { glob, type Loader, type LoaderContext } from "astro/loaders";
import { parsePage } from "../content-check/front-matter.ts";
import { isDraft } from "../content-schema/fields.ts";

/**
 * Loads the files of a folder of content/, each known by its path without the extension, so that `index` and `404` stay
 * what they are. A build leaves drafts out, right or wrong; the dev server has those that can be read.
 */
export function contentFiles(folder: string, pattern: string): Loader {
  const generateId = ({ entry }: { entry: string }) => entry.replace(/\.mdx?$/, "");
  return {
    name: "content-files",
    load: async (context) => {
      const base = fileURLToPath(new URL(`../content/${folder}/`, context.config.root));
      const isDev = context.watcher !== undefined;
      const leftOut = findDrafts(base).filter(({ isReadable }) => !isDev || !isReadable);
      const patterns = [pattern, ...leftOut.map(({ path }) => `!${path}`)];
      // Texts as they were written are read again of guides only (src/shop/guides.ts).
      const files = glob({ base, pattern: patterns, generateId, retainBody: folder === "guides" });
      forgetRenamed(context);
      const lean = withoutCopies(context);
      if (isDev || existsSync(base)) await files.load(isDev ? withoutWrongDrafts(lean) : lean);
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

/** A shop may have no guides; Astro would warn of a mistake for every page that asks whether there are some. */
function declareEmpty({ store }: LoaderContext): void {
  store.set({ id: "none", data: {} });
  store.delete("none");
}

/** Astro takes `a.md` that was `a.mdx` in the last build for what it knows, and looks for the file that is gone. */
function forgetRenamed({ store, config }: LoaderContext): void {
  for (const [id, { filePath }] of store.entries())
    if (filePath !== undefined && !existsSync(join(fileURLToPath(config.root), filePath))) store.delete(id);
}

/** With each rendered text Astro would keep its front matter once more, which nothing here asks for. */
function withoutCopies(context: LoaderContext): LoaderContext {
  const set: LoaderContext["store"]["set"] = ({ rendered, ...entry }) => {
    if (rendered === undefined) return context.store.set(entry);
    const { frontmatter: _, ...metadata } = rendered.metadata ?? {};
    return context.store.set({ ...entry, rendered: { ...rendered, metadata } });
  };
  return { ...context, store: { ...context.store, set } };
}

/** Astro ends the dev server at the first entry that its schema refuses; a draft is passed over until it is right. */
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
