import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { AstroIntegration } from "astro";
import { ContentError } from "../content-schema/content-error.ts";
import { apiCatalogPath, securityTxtPath } from "../urls/paths.ts";
import type { Finished } from "./finish-files.ts";
import type { Report } from "./finish-thread.ts";
import { movedListPath, writeMovedFiles } from "./moved-pages.ts";

/** Routes that can't be in src/pages, where Astro or its checks skip names that begin with a dot. */
const dotFiles = {
  [movedListPath]: new URL("./endpoints/moved-pages.ts", import.meta.url),
  [apiCatalogPath]: new URL("./endpoints/api-catalog.ts", import.meta.url),
  [securityTxtPath]: new URL("./endpoints/security-txt.ts", import.meta.url),
};

/**
 * Astro integration that prepares the built site for nginx: compressed files, mtimes for ETags, and the files whose names begin
 * with a dot. It must be the last integration, because it finishes what the others wrote.
 */
export function finish(): AstroIntegration {
  let cacheFolder = "";
  return {
    name: "finish",
    hooks: {
      "astro:config:setup": ({ injectRoute }) => {
        for (const [pattern, entrypoint] of Object.entries(dotFiles))
          injectRoute({ pattern, entrypoint, prerender: true });
      },
      "astro:config:done": ({ config }) => {
        cacheFolder = fileURLToPath(new URL("./compressed/", config.cacheDir));
      },
      "astro:build:done": async ({ dir, logger }) => {
        const start = performance.now();
        writeMovedFiles(fileURLToPath(dir));
        const { files, bytes, brotliBytes, compressed, reused } = await finishAside(fileURLToPath(dir), cacheFolder);
        const time = Math.round(performance.now() - start);
        logger.info(
          `${files} files, ${kilobytes(bytes)}, text by brotli ${kilobytes(brotliBytes)}, in ${time} ms (${compressed} compressed, ${reused} reused)`,
        );
      },
    },
  };
}

/**
 * Finishes on a thread: each compression makes V8 expect garbage, and search all memory for it, which holds the shop's content
 * here and almost nothing there.
 */
async function finishAside(dist: string, cacheFolder: string): Promise<Finished> {
  const thread = new Worker(new URL("finish-thread.ts", import.meta.url), { workerData: { dist, cacheFolder } });
  const [report] = (await once(thread, "message")) as [Report];
  if ("problem" in report) throw new ContentError(report.problem);
  return report;
}

const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;
