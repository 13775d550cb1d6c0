import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { hashOfFiles } from "./files.ts";

const SITE = join(import.meta.dirname, "..");

/** SHA-256 over everything that a build reads: content, the site's code, the API's description, versions, settings, the state of git. */
export function hashBuildInput(): string {
  const patterns = ["**", "../content/**", "../api/openapi.json", "../pnpm-lock.yaml"];
  const settings = [process.version, process.env["BASE_URL"] ?? "", ...stateOfGit()];
  return hashOfFiles(SITE, patterns, generatedFiles).update(settings.join("\n")).digest("hex");
}

/** Paths below site/ that a build or an installation generates; `dist.new` and `dist.old` are an earlier version's. */
export const generatedFiles = /^(?:node_modules|dist(?:\.new|\.old)?|\.builds|\.cache|\.astro)(?:\/|$)/;

/** The pages' days come from git where they have none of their own; a clone that becomes complete changes them too. */
function stateOfGit(): string[] {
  return [
    ["log", "-1", "--format=%H", "--", "../content"],
    ["rev-parse", "--is-shallow-repository"],
  ].map((args) => {
    try {
      return execFileSync("git", args, { cwd: SITE, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    } catch {
      // Without git and its history there are no such days either.
      return "";
    }
  });
}
