import { join } from "node:path";
import { runToEnd } from "./child-process.ts";

const BUILD = join(import.meta.dirname, "..", "..", "site", "commands", "build.ts");

/** Builds the site unless the last build was made of the same input. Returns what it did, in words. */
export async function buildSite(): Promise<string> {
  // Not through a package manager: it would leave Astro behind when we are killed.
  const output = await runToEnd("Building the site", process.execPath, [BUILD, "--if-changed"]);
  return output.trim().split("\n").at(-1) ?? "";
}
