import { join } from "node:path";
import mdx from "@astrojs/mdx";
import type { AstroUserConfig } from "astro";
import { buildCache } from "./build/build-cache.ts";
import { contentCheck } from "./content-check/integration.ts";
import { contentRoot } from "./content-repository/content-root.ts";
import { finish } from "./finish/finish.ts";
import { llmsFull } from "./finish/llms-full.ts";
import { markdownFace } from "./markdown-face/markdown-face.ts";
import { cleanPictures, nameAsset } from "./pictures/clean-pictures.ts";
import { privatePages } from "./private-pages/integration.ts";
import { contentStore } from "./quick-build/content-store.ts";
import { shopLook } from "./shop-look/shop-look.ts";
import { staticFiles } from "./static-files/static-files.ts";

// Without `defineConfig`: astro/config loads Astro's optimizer of drawings, too, a fifth of all modules, which isn't
// used here.
export default {
  outDir: "./dist",
  cacheDir: "./.cache",
  trailingSlash: "never",
  // The default drops line breaks between inline elements, as JSX does: "London" and "EC1A" would run together.
  compressHTML: true,
  // One style sheet for all pages: cached from the second page on, and the CSP needs no unsafe-inline for styles.
  build: { format: "file", inlineStylesheets: "never" },
  // Shiki would write inline styles, which the CSP refuses; the language stays on the element for the Markdown face.
  markdown: { syntaxHighlight: false },
  // The order matters: contentCheck() stops an invalid build before anything is written, cleanPictures() removes what
  // isn't to be published, finish() compresses what the others wrote, and privatePages() writes what is neither.
  integrations: [
    contentCheck(),
    buildCache(),
    contentStore(),
    shopLook(),
    cleanPictures(),
    mdx(),
    markdownFace(),
    llmsFull(),
    staticFiles(),
    finish(),
    privatePages(),
  ],
  // From site/, so that the names of pictures, which contain a hash of it, don't depend on where the project is. It
  // makes PNGs of drawings too (src/shop/raster-image.ts), which is safe, because the content check refuses scripts and
  // external files in SVGs.
  image: { service: { entrypoint: "/pictures/image-service.ts" } },
  // Reuses unchanged pages of the last build (src/shop/page-keys.ts, build/build-cache.ts).
  experimental: { incrementalBuild: true },
  vite: {
    resolve: { alias: { "@content": join(contentRoot(), "content") } },
    // Not in node_modules, where the user who builds on a server can't write.
    cacheDir: ".cache/vite",
    server: {
      // Pictures of content beside the project, too.
      fs: { allow: [join(import.meta.dirname, ".."), contentRoot()] },
      watch: {
        // Saving empties a file before writing it. Without this a half-written file would be read, and the rest of the
        // save missed.
        awaitWriteFinish: { stabilityThreshold: 60, pollInterval: 20 },
        // Tens of thousands of generated files.
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
        output: { assetFileNames: nameAsset },
        onLog(level, log, handle) {
          // Harmless: Astro adds this directive to .mdx modules and reads it before Rolldown bundles them.
          if (log.code === "MODULE_LEVEL_DIRECTIVE" && log.message.includes('"use astro:head-inject"')) return;
          handle(level, log);
        },
      },
    },
  },
} satisfies AstroUserConfig;
