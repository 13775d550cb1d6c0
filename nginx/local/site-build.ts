import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "./child-process.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SITE = join(ROOT, "site");
const DIST = join(SITE, "dist");
/** Lies in the build itself, so that it goes when that goes; a dot file, so that nginx never serves it. */
const MARK = join(DIST, ".built-from");

/** Builds the site unless the last build was made of the same input. Returns what it did, in words. */
export async function buildSite(baseUrl: string): Promise<string> {
  const input = fingerprint(baseUrl);
  if (existsSync(MARK) && readFileSync(MARK, "utf8") === input) return "unchanged since the last build";
  // Not through a package manager: it would leave Astro behind when we are killed.
  await runToEnd("Building the site", process.execPath, [join(SITE, "build.ts")], { env: { BASE_URL: baseUrl } });
  writeFileSync(MARK, input);
  return `${globSync("**/*.html", { cwd: DIST }).length} pages, HTML and Markdown`;
}

/** SHA-256 over everything that the build reads: content, the site's code, the API's description, versions, dates of commits. */
function fingerprint(baseUrl: string): string {
  const hash = createHash("sha256").update(`${baseUrl}\n${process.version}\n${lastContentCommit()}\n`);
  const files = globSync(["content/**", "site/**", "api/openapi.json", "pnpm-lock.yaml"], {
    cwd: ROOT,
    exclude: (path) => /^site\/(?:node_modules|dist(?:\.new|\.old)?|\.cache|\.astro)(?:\/|$)/.test(path),
  });
  for (const file of files.sort()) {
    const path = join(ROOT, file);
    if (statSync(path).isFile()) hash.update(`${file}\n`).update(readFileSync(path)).update("\n");
  }
  return hash.digest("hex");
}

/** The sitemap's dates come from git where a page has none of its own. */
function lastContentCommit(): string {
  try {
    return execFileSync("git", ["log", "-1", "--format=%H", "--", "content"], {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    // No git, or a copy without history: then there are no such dates either.
    return "";
  }
}
