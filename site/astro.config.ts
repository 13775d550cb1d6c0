import mdx from "@astrojs/mdx";
import { defineConfig } from "astro/config";
import { contentCheck } from "./content-check/integration.ts";
import { markdownFace } from "./markdown-face/markdown-face.ts";
import { llmsFull } from "./publish/llms-full.ts";
import { publish } from "./publish/publish.ts";
import { buildCache } from "./renderer/build-cache.ts";
import { contentStore } from "./renderer/content-store.ts";
import { searchIndex } from "./search-index/search-index.ts";
import { shopColours } from "./shop-colours/shop-colours.ts";

export default defineConfig({
  outDir: "./dist",
  cacheDir: "./.cache",
  trailingSlash: "never",
  // The default drops line breaks between inline elements, as JSX does: "London" and "EC1A" would run together.
  compressHTML: true,
  // One style sheet for all pages: cached from the second page on, and the CSP needs no unsafe-inline for styles.
  build: { format: "file", inlineStylesheets: "never" },
  // Shiki would write inline styles, which the CSP refuses; the language stays on the element for the Markdown face.
  markdown: { syntaxHighlight: false },
  // In this order: contentCheck() ends a wrong build before anything is written, publish() compresses and seals what is there when it runs.
  integrations: [
    contentCheck(),
    buildCache(),
    contentStore(),
    shopColours(),
    mdx(),
    markdownFace(),
    llmsFull(),
    searchIndex(),
    publish(),
  ],
  // For PNG twins of drawings (src/shop/rasters.ts). Safe: the content check refuses scripts and other files in an SVG.
  image: { dangerouslyProcessSVG: true },
  // Product pages are taken over from the last build where nothing on them has changed (src/shop/product-cache-key.ts, renderer/last-build.ts).
  experimental: { incrementalBuild: true },
  vite: {
    server: {
      watch: {
        // A save empties a file before it fills it. Read in between, it would be wrong, and what follows within 50 ms isn't told.
        awaitWriteFinish: { stabilityThreshold: 60, pollInterval: 20 },
        // Tens of thousands of files, which nobody edits.
        ignored: [`${import.meta.dirname}/.builds`, `${import.meta.dirname}/.cache`].map(
          (made) => (path: string) => path.startsWith(made),
        ),
      },
    },
    build: {
      cssCodeSplit: false,
      // Astro would write small scripts into the page, and the CSP refuses them.
      assetsInlineLimit: 0,
      rolldownOptions: {
        // By hash alone: of two products with the same picture, now one and now the other would have named the file.
        output: { assetFileNames: "_astro/[hash][extname]" },
        onLog(level, log, handle) {
          // Astro puts this directive into every .mdx module and reads it before Rolldown bundles them: nothing is lost.
          if (log.code === "MODULE_LEVEL_DIRECTIVE" && log.message.includes('"use astro:head-inject"')) return;
          handle(level, log);
        },
      },
    },
  },
});
