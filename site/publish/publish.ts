import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { openCompressionCache } from "./compression.ts";
import { publishFiles } from "./publish-files.ts";

/**
 * Makes the built site ready for nginx: compressed files, mtimes that make good ETags, `.redirects.map`. It must stand
 * last among the integrations, for it seals what the others wrote.
 */
export function publish(): AstroIntegration {
  let cacheFolder = "";
  return {
    name: "publish",
    hooks: {
      "astro:config:setup": ({ injectRoute }) => {
        // Not in src/pages: Astro skips files there whose names begin with a dot.
        const entrypoint = new URL("./redirects-endpoint.ts", import.meta.url);
        injectRoute({ pattern: "/.redirects.map", entrypoint, prerender: true });
      },
      "astro:config:done": ({ config }) => {
        cacheFolder = fileURLToPath(new URL("./compressed/", config.cacheDir));
      },
      "astro:build:done": async ({ dir, logger }) => {
        const start = performance.now();
        const { files, bytes, brotliBytes, compressed, reused } = await publishFiles(
          fileURLToPath(dir),
          openCompressionCache(cacheFolder),
        );
        const time = Math.round(performance.now() - start);
        logger.info(
          `${files} files, ${kilobytes(bytes)}, text by brotli ${kilobytes(brotliBytes)}, in ${time} ms (${compressed} compressed, ${reused} reused)`,
        );
      },
    },
  };
}

const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;
