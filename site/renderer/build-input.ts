import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { hashOfFiles } from "./files.ts";

const SITE = join(import.meta.dirname, "..");

/** SHA-256 of everything that a build reads: content, the site's code, api/openapi.json, versions, settings, git's state. */
export function hashBuildInput(): string {
  const patterns = ["**", "../content/**", "../api/openapi.json", "../pnpm-lock.yaml"];
  const takesCards = process.env["STRIPE_SECRET_KEY"] ? "card" : "";
  const settings = [process.version, process.env["BASE_URL"] ?? "", takesCards, ...stateOfGit()];
  return hashOfFiles(SITE, patterns, generatedFiles).update(settings.join("\n")).digest("hex");
}

/**
 * Whether an expected day in the text of a build's products.json has passed. A build leaves out days that have passed before it,
 * so its pages promise one that has passed since.
 */
export function hasPassedDay(products: string, now: Date): boolean {
  const today = now.toISOString().slice(0, 10);
  return Array.from(products.matchAll(/"available_from":"([^"]+)"/g), ([, day = ""]) => day).some((day) => day < today);
}

/** Paths below site/ that a build or an installation generates; `dist.new` and `dist.old` are an earlier version's. */
export const generatedFiles = /^(?:node_modules|dist(?:\.new|\.old)?|\.builds|\.cache|\.astro)(?:\/|$)/;

/** Pages without a day of their own get it from git, so a new commit changes them, and so does completing a shallow clone. */
function stateOfGit(): string[] {
  return [
    ["log", "-1", "--format=%H", "--", "../content"],
    ["rev-parse", "--is-shallow-repository"],
  ].map((args) => {
    try {
      return execFileSync("git", args, { cwd: SITE, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    } catch {
      // Without git, pages don't get days from it.
      return "";
    }
  });
}
