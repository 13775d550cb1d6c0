import { globSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { listFiles } from "../build/files.ts";
import { contentRoot, isLargeShop } from "../content-repository/content-root.ts";
import { ContentError } from "../content-schema/content-error.ts";
import { type BackgroundConversion, convertInBackground, convertPages } from "./convert-pages.ts";
import { markdownMiddleware } from "./dev-middleware.ts";
import { type ConvertedPage, type EarlyPages, pruneCache } from "./page-cache.ts";

/**
 * Astro integration for the Markdown face: writes `x.md` beside each `x.html` after the build, and answers `/x.md` on the dev
 * server. Pages need no code for it.
 */
export function markdownFace(): AstroIntegration {
  let origin = "";
  let cacheFolder = "";
  let outDir = "";
  let background: BackgroundConversion | undefined;
  return {
    name: "markdown-face",
    hooks: {
      "astro:config:done": ({ config }) => {
        if (!config.site) throw new Error("markdown-face needs `site` in astro.config.ts: Markdown has absolute links");
        origin = config.site.replace(/\/$/, "");
        cacheFolder = fileURLToPath(new URL("./markdown/", config.cacheDir));
        outDir = fileURLToPath(config.outDir);
      },
      "astro:server:setup": ({ server }) => {
        server.middlewares.use(markdownMiddleware(origin));
      },
      "astro:build:start": () => {
        if (isLargeShop()) background = convertInBackground({ dist: outDir, origin, cacheFolder });
      },
      "astro:build:done": async ({ logger }) => {
        const start = performance.now();
        const early = await background?.stop();
        const { pages, characters, reused, long } = await writeMarkdown(outDir, origin, cacheFolder, early);
        for (const page of long) logger.warn(longPageWarning(page));
        const time = Math.round(performance.now() - start);
        const soon = early ? `, ${early.size} read while others were rendered` : "";
        logger.info(`${pages} pages (${reused} as before${soon}), ${Math.round(characters / 1000)} kB, in ${time} ms`);
      },
    },
  };
}

export const longPageWarning = (page: string) =>
  `${page}. Divide it: agents read only ${mostCharacters} characters of a page.`;

/** After this many characters agents' tools cut a page off. */
const mostCharacters = 50_000;

/** The result. `reused` pages had the same HTML in an earlier build; `long` names the pages that are too long for agents. */
type Written = { pages: number; characters: number; reused: number; long: string[] };

/**
 * Writes the Markdown of every HTML page in the folder of a built site.
 *
 * @param origin the base address without a trailing slash
 * @param cacheFolder keeps the Markdown of the last build, and will keep this one's
 * @param early the pages that this build has already converted
 * @throws with every page that can't be converted and why, after trying all of them
 */
export async function writeMarkdown(
  dist: string,
  origin: string,
  cacheFolder: string,
  early?: EarlyPages,
): Promise<Written> {
  const files = (await listFiles(dist)).filter((file) => file.endsWith(".html"));
  const pages = await convertPages({ files, origin, cacheFolder }, early);
  const written = reportPages(dist, pages);
  await pruneCache(cacheFolder, new Set(pages.flatMap((page) => ("name" in page ? page.name : []))));
  return written;
}

/**
 * Sums up converted pages.
 *
 * @throws with every page that couldn't be converted and why
 */
export function reportPages(dist: string, pages: readonly ConvertedPage[]): Written {
  const problems: string[] = [];
  const written: Written = { pages: 0, characters: 0, reused: 0, long: [] };
  for (const page of pages) {
    const source = () => sourceOf(relative(dist, page.file));
    if ("problem" in page) {
      problems.push(`${source()}: ${page.problem}`);
      continue;
    }
    written.pages += 1;
    written.characters += page.characters;
    if (page.isKnown) written.reused += 1;
    if (page.characters > mostCharacters)
      written.long.push(`${source()} has ${page.characters} characters in Markdown`);
  }
  if (problems.length > 0)
    throw new ContentError(`These pages can't be converted to Markdown:\n\n${problems.sort().join("\n")}`);
  written.long.sort();
  return written;
}

/**
 * The source file of a built page: `products/tavrel-pip.html` → `content/products/barcode-scanners/tavrel-pip.md`.
 * The page's own path if it doesn't have a file in content/.
 */
function sourceOf(page: string): string {
  const path = page.replace(/\.html$/, "").replace(/\/page\/\d+$/, "");
  const [folder, slug] = path.includes("/") ? path.split("/") : ["pages", path === "index" ? "home" : path];
  const [file] = globSync(`content/${folder}/{,*/}${slug}.{md,mdx}`, { cwd: contentRoot() });
  return file ?? page;
}
