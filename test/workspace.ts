import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { bareEnvironment } from "./bare-environment.ts";
import { makeFolder } from "./temporary-folder.ts";

const ROOT = join(import.meta.dirname, "..");
const PARTS = [".", "site", "api", "nginx"];
/** Build results, local state, the tests, the shop's content, and the parts, which are copied by themselves. */
const LEFT_OUT =
  /^(?:node_modules|dist|\.builds|\.cache|\.astro|\.git|\.data.*|\.env|\.facts\.json|test|content|site|api|nginx)$/;

const FIXTURES = join(import.meta.dirname, "fixtures");
/** Content folders that a copy of the project can have. */
export const shops = {
  /** The project's own content/, which editors change: for the graders, never for a test that expects certain words. */
  own: join(ROOT, "content"),
  /** A frozen copy of the demo shop. */
  demo: join(FIXTURES, "demo-shop"),
  /** Names and texts that break careless code. */
  hostile: join(FIXTURES, "hostile-shop"),
  /** Another trade, language and currency. */
  second: join(FIXTURES, "second-shop"),
  /** Hebrew, from right to left, with brands and measures in Latin letters. */
  hebrew: join(FIXTURES, "hebrew-shop"),
} as const;

/**
 * Copies the project to a temporary folder that shares only the installed packages, with `shop` as its content/; null
 * leaves content/ out. Returns the folder's path; the caller removes it.
 */
export function copyWorkspace(shop: string | null = shops.demo, prefix = "twinfront copy-"): string {
  const copy = makeFolder(prefix);
  for (const part of PARTS) {
    const entries = readdirSync(join(ROOT, part)).filter((entry) => !LEFT_OUT.test(entry));
    mkdirSync(join(copy, part), { recursive: true });
    // Not Node's own, which takes ten times as long.
    execFileSync("cp", ["-r", ...entries, join(copy, part)], { cwd: join(ROOT, part) });
    symlinkSync(join(ROOT, part, "node_modules"), join(copy, part, "node_modules"));
  }
  if (shop !== null) execFileSync("cp", ["-r", shop, join(copy, "content")]);
  return copy;
}

/**
 * Builds the site of a copy. Returns its dist folder and the build's output; rejects with the output when it fails.
 */
export async function buildSite(
  copy: string,
  env: Record<string, string> = {},
  args: string[] = [],
): Promise<{ dist: string; output: string }> {
  const site = join(copy, "site");
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [join(site, "commands", "build.ts"), ...args],
    {
      env: { ...bareEnvironment(), ...env },
    },
  );
  return { dist: join(site, "dist"), output: stdout + stderr };
}
