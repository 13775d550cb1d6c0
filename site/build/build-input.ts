import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { contentRoot } from "../content-repository/content-root.ts";
import { REDIRECTS_FILE } from "../content-schema/redirects.ts";
import { securityTxtPath } from "../urls/paths.ts";
import { addFiles, hashOfFiles } from "./files.ts";

const SITE = join(import.meta.dirname, "..");
const TEXTS = /^(?:products\/[^/]+|categories|makers|guides|pages)\/[^/]+\.md$/;

/** Hashes of what a build reads. */
export interface BuildInput {
  /** Everything: content, the site's code, api/contract/, api/openapi.json, versions, settings, git's state. */
  whole: string;
  /** Everything but `texts`, `redirects` and git's state. */
  code: string;
  /** redirects.csv; "" without one. */
  redirects: string;
  /** The .md files of pages, by their paths in content/. */
  texts: Record<string, string>;
}

/** Hashes the input of a build as it is now; `builtAt` is where the content was for the last build, if it is elsewhere now. */
export function hashBuildInput(builtAt = contentRoot()): BuildInput {
  const content = join(contentRoot(), "content");
  // Not a glob, which takes four times as long for 10,000 files.
  const files = readdirSync(content, { recursive: true, encoding: "utf8" })
    .filter((name) => !/(?:^|\/)\./.test(name.replace(/^static\/\.well-known(?:\/|$)/, "static/")))
    .sort();
  const names = files.filter((name) => TEXTS.test(name));
  const texts = Object.fromEntries(names.map((name) => [name, sha256(readFileSync(join(content, name)))]));
  const others = files.filter((name) => !(name in texts) && name !== REDIRECTS_FILE);
  const redirects = files.includes(REDIRECTS_FILE) ? sha256(readFileSync(join(content, REDIRECTS_FILE))) : "";
  const takesCards = process.env["STRIPE_SECRET_KEY"] ? "card" : "";
  // The root too, because Astro and the quick build know the content by its path, relative to the site: a copy of the project is
  // built from the last build of its original.
  const settings = [process.version, process.env["BASE_URL"] ?? "", takesCards, relative(SITE, builtAt)];
  const patterns = ["**", "../api/contract/**/*.ts", "../api/openapi.json", "../pnpm-lock.yaml"];
  const hash = hashOfFiles(SITE, patterns, (path) => generatedFiles.test(path));
  addFiles(hash, content, others);
  const code = hash.update(settings.join("\n")).digest("hex");
  return { whole: sha256(JSON.stringify([code, texts, redirects, stateOfGit()])), code, texts, redirects };
}

const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

/**
 * Whether an expected day in a build's products.json, or the last day of its security.txt, has passed. A build leaves out days
 * that have passed before it, so its files promise one that has passed since.
 */
export function hasPassedDay(dist: string, now: Date): boolean {
  const today = now.toISOString().slice(0, 10);
  const contact = join(dist, securityTxtPath);
  const days = [
    ...readFileSync(join(dist, "products.json"), "utf8").matchAll(/"available_from":"([^"]+)"/g),
    ...(existsSync(contact) ? readFileSync(contact, "utf8").matchAll(/^Expires: ([^T]+)/gm) : []),
  ];
  return days.some(([, day = ""]) => day < today);
}

/** Paths below site/ that a build, a refresh or an installation generates; `dist.new` and `dist.old` are an earlier version's. */
export const generatedFiles =
  /^(?:node_modules|dist(?:\.new|\.old)?|\.builds|\.cache|\.astro|\.facts\.json(?:\.next)?)(?:\/|$)/;

/** Pages without a day of their own get it from git, so a new commit changes them, and so does completing a shallow clone. */
function stateOfGit(): string[] {
  return [
    ["log", "-1", "--format=%H", "--", "content"],
    ["rev-parse", "--is-shallow-repository"],
  ].map((args) => {
    try {
      return execFileSync("git", args, { cwd: contentRoot(), encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    } catch {
      // Without git, pages don't get days from it.
      return "";
    }
  });
}
