import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { onTestFailed } from "vitest";

const ROOT = join(import.meta.dirname, "..");

/** How often a test repeats something, or with what: `deep` in `npm run test:deep`, otherwise `usual`. */
export const byDepth = <T>({ usual, deep }: { usual: T; deep: T }): T =>
  process.env["TEST_SCOPE"] === "deep" ? deep : usual;

/**
 * Where the random numbers of a test begin: at a number made from these folders of the project, those that the test protects,
 * as they are committed. So everybody tries the same at a commit, and something new when the code has changed. A test that
 * fails says the number; with TEST_SEED set to it, the test draws the same numbers again. What it does at once may still meet
 * in another order.
 */
export function seedFor(...folders: [string, ...string[]]): number {
  const seed = Number(process.env["TEST_SEED"] ?? seedOfTrees(folders));
  const scope = byDepth({ usual: "", deep: "TEST_SCOPE=deep " });
  onTestFailed(() => console.error(`The same again: ${scope}TEST_SEED=${seed}`));
  return seed;
}

/** 1 in a copy of the project without Git. */
function seedOfTrees(folders: readonly string[]): number {
  for (const folder of folders) if (!existsSync(join(ROOT, folder))) throw new Error(`There is no folder ${folder}.`);
  try {
    const trees = execFileSync("git", ["rev-parse", ...folders.map((folder) => `HEAD:${folder}`)], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "ignore"],
    });
    // Small enough for fast-check, and to be typed.
    return createHash("sha256").update(trees).digest().readUInt16BE() + 1;
  } catch {
    return 1;
  }
}
