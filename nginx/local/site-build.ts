import { join } from "node:path";
import { runToEnd } from "./child-process.ts";

const BUILD = join(import.meta.dirname, "..", "..", "site", "commands", "build.ts");

/** Builds the site unless the last build was made from the same input. Returns what it did, and its warnings. */
export async function buildSite(): Promise<{ said: string; warnings: string; value: undefined }> {
  // Not through a package manager: it would leave Astro behind when we are killed.
  const { stdout, stderr } = await runToEnd("Building the site", process.execPath, [BUILD, "--if-changed"]);
  return { said: stdout.trim().split("\n").at(-1) ?? "", warnings: stderr.trim(), value: undefined };
}
