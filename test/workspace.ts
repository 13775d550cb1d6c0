import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "..");
const PARTS = ["site", "api", "nginx"];
/** What is made, not written, and what belongs to a running shop. */
const LEFT_OUT = /^(?:node_modules|dist|\.builds|\.cache|\.astro|\.git|\.data.*|\.env|test)$/;

/**
 * Copies the project, as it lies here, into a folder of its own that shares only the installed packages: builds, data
 * and mistakes in there touch nothing else. The caller removes it. Returns its path.
 */
export function copyWorkspace(name = "twinfront copy-"): string {
  const copy = mkdtempSync(join(tmpdir(), name));
  for (const entry of readdirSync(ROOT).filter((entry) => !LEFT_OUT.test(entry))) {
    cpSync(join(ROOT, entry), join(copy, entry), {
      recursive: true,
      filter: (path) => !LEFT_OUT.test(basename(path)),
    });
  }
  for (const part of [".", ...PARTS]) {
    symlinkSync(join(ROOT, part, "node_modules"), join(copy, part, "node_modules"));
  }
  return copy;
}

/**
 * Builds the site of a copy; gives its dist folder and what the build printed. Rejects with the output when it fails.
 * The environment is bare: vitest sets a BASE_URL of its own in its workers.
 */
export async function buildSite(
  copy: string,
  env: Record<string, string> = {},
): Promise<{ dist: string; output: string }> {
  const site = join(copy, "site");
  const { PATH, HOME } = process.env;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(site, "commands", "build.ts")], {
    env: { PATH, HOME, ASTRO_TELEMETRY_DISABLED: "1", ...env },
  });
  return { dist: join(site, "dist"), output: stdout + stderr };
}
