import { readFile, writeFile } from "node:fs/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { ContentError } from "../content-error.ts";
import { forEachAtMost, listFiles } from "../publish/dist-files.ts";
import { markdownMiddleware } from "./dev-middleware.ts";
import { pageToMarkdown } from "./page-to-markdown.ts";
import { sourceOf } from "./source-of.ts";

/**
 * The Markdown face of the site. After the build it writes `x.md` beside each `x.html`; while developing it answers
 * `/x.md` from the dev server's own `/x`. Pages need do nothing for it.
 */
export function markdownFace(): AstroIntegration {
  let origin = "";
  return {
    name: "markdown-face",
    hooks: {
      "astro:config:done": ({ config }) => {
        if (!config.site) throw new Error("markdown-face needs `site` in astro.config.ts: Markdown has absolute links");
        origin = config.site.replace(/\/$/, "");
      },
      "astro:server:setup": ({ server }) => {
        server.middlewares.use(markdownMiddleware(origin));
      },
      "astro:build:done": async ({ dir, logger }) => {
        const start = performance.now();
        const { pages, characters, long } = await writeMarkdown(fileURLToPath(dir), origin);
        for (const page of long) logger.warn(`${page}: divide it, agents read ${mostCharacters} characters of a page.`);
        logger.info(
          `${pages} pages, ${Math.round(characters / 1000)} kB, in ${Math.round(performance.now() - start)} ms`,
        );
      },
    },
  };
}

/** What agents' tools read of a page before they cut it off, in characters. */
const mostCharacters = 50_000;

/**
 * Writes the Markdown of every HTML page in a built site's folder.
 *
 * @param origin the base address without a trailing slash
 * @returns how much was written, and the pages that are too long, each with its length
 * @throws naming each page that can't be converted, with its reason, after all have been tried
 */
export async function writeMarkdown(
  dist: string,
  origin: string,
): Promise<{ pages: number; characters: number; long: string[] }> {
  const files = (await listFiles(dist)).filter((file) => file.endsWith(".html"));
  const problems: string[] = [];
  const written = { pages: 0, characters: 0, long: [] as string[] };
  await forEachAtMost(files, 4, async (file) => {
    try {
      const markdown = pageToMarkdown(await readFile(file, "utf8"), origin);
      if (markdown === undefined) return;
      await writeFile(file.replace(/\.html$/, ".md"), markdown);
      written.pages += 1;
      written.characters += markdown.length;
      if (markdown.length > mostCharacters)
        written.long.push(`${sourceOf(relative(dist, file))} has ${markdown.length} characters in Markdown`);
    } catch (error) {
      problems.push(`${sourceOf(relative(dist, file))}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  if (problems.length > 0)
    throw new ContentError(`These pages have no Markdown face:\n\n${problems.sort().join("\n")}`);
  written.long.sort();
  return written;
}
