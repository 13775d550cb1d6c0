import { execFile } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkOut } from "../../content-repository/checkout.ts";
import { categoryPath, guidePath, pagePath, productPath } from "../../urls/paths.ts";
import type { DraftCheck } from "../content/draft-check.ts";
import { readDrafts } from "../content/drafts.ts";
import { withoutMistakes } from "./without-mistakes.ts";

/** A page of the drafts in both faces. */
export interface Preview {
  html: string;
  markdown: string;
  /** The files that it shows as they are live, because their drafts have mistakes. */
  leftOut: readonly string[];
}

/** The page can't be shown. The message is what a program has printed, for the log. */
export class Unrenderable extends Error {
  override name = "Unrenderable";
}

export interface Previews {
  /** Renders a page of the drafts without mistakes; undefined if they have no such page. Throws Mistaken or Unrenderable. */
  render(pathname: string): Promise<Preview | undefined>;
  /** A file that the last whole build of drafts has made, such as a new picture; undefined if there is none. */
  fileOf(name: string): string | undefined;
}

const SITE = join(import.meta.dirname, "..", "..");
const run = promisify(execFile);
/** One page, and a build of everything: what takes longer hangs, and is ended. */
const [PAGE_WITHIN_MS, BUILD_WITHIN_MS] = [60_000, 10 * 60_000];
/** What ends with it is the preview, not the admin. */
const MEMORY = "--max-old-space-size=2048";
/** The exit code of render-page.ts for a page that only a whole build can show. */
export const NEEDS_BUILD = 3;

/** Renders drafts in processes of their own, one at a time. `folder` is where their files are kept. */
export function openPreviews(repository: string, folder: string, draftCheck: DraftCheck): Previews {
  const content = join(folder, "preview");
  const site = join(folder, "preview-site");
  let last: Promise<unknown> = Promise.resolve();
  let built = "";
  let shown: { drafts: string; pathname: string; preview: Promise<Preview | undefined> } | undefined;

  async function render(pathname: string, drafts: string): Promise<Preview | undefined> {
    const isWanted = ({ path }: { path: string }) => pagePathOf(path) === pathname;
    const { commit, leftOut } = await withoutMistakes(repository, draftCheck, drafts, isWanted);
    await checkOut(repository, commit, content);
    try {
      const args = [MEMORY, join(import.meta.dirname, "render-page.ts"), pathname];
      const env = { ...process.env, CONTENT_ROOT: content };
      const { stdout } = await run(process.execPath, args, {
        env,
        cwd: SITE,
        timeout: PAGE_WITHIN_MS,
        maxBuffer: 2 ** 26,
      });
      return { ...JSON.parse(stdout), leftOut };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === NEEDS_BUILD)) throw unrenderable(error);
    }
    const what = [drafts, ...leftOut].join("\n");
    if (built !== what) await build(commit);
    built = what;
    const file = (face: string) => join(site, `${pathname === "/" ? "index" : pathname}.${face}`);
    if (!existsSync(file("html"))) return undefined;
    return { html: readFileSync(file("html"), "utf8"), markdown: readFileSync(file("md"), "utf8"), leftOut };
  }

  async function build(commit: string): Promise<void> {
    rmSync(site, { recursive: true, force: true });
    built = "";
    const args = [MEMORY, join(SITE, "commands", "build.ts"), "--content", commit, "--out", site];
    const env = { ...process.env, CONTENT_REPOSITORY: repository };
    await run(process.execPath, args, { env, timeout: BUILD_WITHIN_MS, maxBuffer: 2 ** 26 }).catch((error: unknown) => {
      throw unrenderable(error);
    });
  }

  return {
    async render(pathname) {
      const drafts = await readDrafts(repository);
      // The page and the frame in it both ask for it.
      if (shown?.drafts === drafts && shown.pathname === pathname) return shown.preview;
      const preview = last.then(() => render(pathname, drafts));
      shown = { drafts, pathname, preview };
      last = preview.catch(() => {
        if (shown?.preview === preview) shown = undefined;
      });
      return preview;
    },
    fileOf(name) {
      const file = join(site, "_astro", name);
      return /^[\w.-]+$/.test(name) && existsSync(file) ? file : undefined;
    },
  };
}

function unrenderable(error: unknown): Unrenderable {
  const { stderr = "", killed = false } = error as { stderr?: string; killed?: boolean };
  return new Unrenderable(killed ? "It took too long, and was ended." : stderr.trim(), { cause: error });
}

const PATHS: Readonly<Record<string, (slug: string) => string>> = {
  products: productPath,
  categories: categoryPath,
  guides: guidePath,
  pages: pagePath,
};

/** The URL path of a content file's page; undefined for a picture, a mail or store.yaml. */
export function pagePathOf(file: string): string | undefined {
  const [, folder = "", slug = ""] = /^content\/(\w+)\/(?:.*\/)?([^/]+)\.mdx?$/.exec(file) ?? [];
  return PATHS[folder]?.(slug);
}
