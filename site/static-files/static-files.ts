import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { contentRoot } from "../content-repository/content-root.ts";
import { listStaticFiles, STATIC_FOLDER } from "./list-static-files.ts";

/**
 * Astro integration that publishes content/static/: in `.static/`, where nginx looks once it has found nothing else (nginx/conf/files.conf),
 * so that no file can stand in for a page. It comes before finish(), which compresses and dates what is there, and after those
 * that read all .html files as pages.
 */
export function staticFiles(): AstroIntegration {
  return {
    name: "static-files",
    hooks: {
      "astro:config:setup": ({ updateConfig }) => {
        // Otherwise Vite warns that it doesn't have the files that theme.css names.
        const external = listStaticFiles(contentRoot()).map(({ path }) => `/${path}`);
        if (external.length > 0) updateConfig({ vite: { build: { rolldownOptions: { external } } } });
      },
      "astro:server:setup": ({ server }) => {
        server.middlewares.use((request, response, next) => {
          const path = (request.url ?? "").split("?", 1)[0]?.slice(1);
          const file = listStaticFiles(contentRoot()).find((each) => each.path === path && !each.isOdd);
          if (file === undefined) return void next();
          const bytes = readFileSync(join(contentRoot(), "content", STATIC_FOLDER, file.path));
          response.writeHead(200, { "content-type": mediaTypeOf(file.path, bytes), "cache-control": "no-store" });
          response.end(bytes);
        });
      },
      "astro:build:done": ({ dir }) => writeStaticFiles(fileURLToPath(dir)),
    },
  };
}

/** Copies the files into a built site. One without an ending, which says nothing of its type, is apart if it is JSON. */
function writeStaticFiles(dist: string): void {
  const folder = join(contentRoot(), "content", STATIC_FOLDER);
  for (const { path, isOdd } of listStaticFiles(contentRoot())) {
    if (isOdd) continue;
    const isUnnamedJson = posix.extname(path) === "" && isJson(readFileSync(join(folder, path)));
    const copy = join(dist, ".static", isUnnamedJson ? ".json" : "", path);
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(join(folder, path), copy);
  }
}

/** For the dev server: nginx has its own list (nginx/conf/types.conf). */
const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml; charset=utf-8",
  ".json": "application/json",
  ".ico": "image/x-icon",
  ".png": "image/png",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".pdf": "application/pdf",
};

const mediaTypeOf = (path: string, bytes: Buffer): string =>
  mediaTypes[posix.extname(path)] ?? (isJson(bytes) ? "application/json" : "text/plain; charset=utf-8");

/** Whether a file is an object or a list in JSON. */
function isJson(bytes: Buffer): boolean {
  try {
    return typeof JSON.parse(bytes.toString("utf8")) === "object";
  } catch {
    return false;
  }
}
