import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { generatedFiles } from "./build-input.ts";
import { hashOfFiles } from "./files.ts";

// Astro's own files in its cache: the content as it was read, and the list of the pages that it has kept with their keys.
const keptContent = "data-store.json";
const keptPages = "incremental-build.json";
// Pictures that it has made, by names that hold their content and size, but not what made them.
const keptPictures = "assets";

/**
 * Has a build take over from the last one only what is sure to be the same. Astro knows content that was read by another
 * schema for the same as long as content.config.ts is, so nothing outlives a change of the code. And it notes which pages
 * it has kept when all of them are made, but replaces them one by one: of a build that ended between, none is taken.
 * Nor is any picture that such a build has written: it may be half a one, and would stay so.
 */
export function buildCache(): AstroIntegration {
  let cache = "";
  const file = (name: string) => join(cache, name);
  const forget = (name: string) => rmSync(file(name), { recursive: true, force: true });
  const forgetPicturesSince = (time: number) => {
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
        if (!isSameCode) for (const name of [keptContent, keptPictures]) forget(name);
        if (!isSameCode || isCutShort) forget(keptPages);
        if (isCutShort) forgetPicturesSince(statSync(file("unfinished")).mtimeMs);
        writeFileSync(file("code"), code);
      },
      "astro:build:start": () => writeFileSync(file("unfinished"), ""),
      "astro:build:generated": () => forget("unfinished"),
    },
  };
}

/** SHA-256 over all code of the site, the versions of its packages, and Node's, which words numbers and days. */
function hashOfCode(site: string): string {
  const patterns = ["**/*.{ts,astro,css,svg}", "package.json", "../pnpm-lock.yaml"];
  return hashOfFiles(site, patterns, generatedFiles).update(process.version).digest("hex");
}
