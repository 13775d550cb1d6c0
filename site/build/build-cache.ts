import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { contentRoot } from "../content-repository/content-root.ts";
import { generatedFiles } from "./build-input.ts";
import { hashOfFiles } from "./files.ts";

// Astro's files in its cache: the parsed content, and the list of cached pages with their keys.
const keptContent = "data-store.json";
const keptPages = "incremental-build.json";
// Pictures, whose names contain a hash of their content and size, but not of the code that made them.
const keptPictures = "assets";

/**
 * Astro integration that invalidates Astro's build cache where Astro itself doesn't:
 * - When any code changes: Astro watches content.config.ts only, not the schema that it imports.
 * - After an interrupted build: Astro replaces cached pages one by one but saves their keys at the end, and a picture may be
 *   half written.
 */
export function buildCache(): AstroIntegration {
  let cache = "";
  const file = (name: string) => join(cache, name);
  const discard = (name: string) => rmSync(file(name), { recursive: true, force: true });
  const discardPicturesSince = (time: number) => {
    const pictures = globSync("*", { cwd: file(keptPictures) }).map((name) => join(file(keptPictures), name));
    for (const picture of pictures) if (statSync(picture).mtimeMs >= time) rmSync(picture);
  };
  return {
    name: "build-cache",
    hooks: {
      "astro:config:setup": ({ command, config }) => {
        if (command !== "build") return;
        cache = fileURLToPath(config.cacheDir);
        mkdirSync(cache, { recursive: true });
        const code = hashOfCode(fileURLToPath(config.root));
        const isSameCode = existsSync(file("code")) && readFileSync(file("code"), "utf8") === code;
        const isCutShort = existsSync(file("unfinished"));
        if (!isSameCode) for (const name of [keptContent, keptPictures]) discard(name);
        if (!isSameCode || isCutShort) discard(keptPages);
        if (isCutShort) discardPicturesSince(statSync(file("unfinished")).mtimeMs);
        writeFileSync(file("code"), code);
      },
      "astro:build:start": () => writeFileSync(file("unfinished"), ""),
      "astro:build:generated": () => discard("unfinished"),
    },
  };
}

/**
 * SHA-256 of the site's code, of what it shares with the API, and of its packages' versions, of Node's version, which decides how Intl formats numbers and dates,
 * and of where the content is from the site, since Astro keeps the paths of its files from there. What Astro compares to reuse pages
 * has absolute paths itself.
 */
function hashOfCode(site: string): string {
  const patterns = ["**/*.{ts,astro,css,svg}", "../api/contract/**/*.ts", "package.json", "../pnpm-lock.yaml"];
  return hashOfFiles(site, patterns, (path) => generatedFiles.test(path))
    .update(process.version + relative(site, contentRoot()))
    .digest("hex");
}
