import { rmSync } from "node:fs";
import { checkContent } from "../../../site/content-check/check.ts";
import { formatProblem } from "../../../site/content-check/problem.ts";
import { validContent, writeContent } from "./content-tree.ts";

export const kestrel = "products/barcode-scanners/kestrel-c2.md";
export const osprey = "products/barcode-scanners/osprey.md";

/** In the valid shop's `file`, `text` becomes `replacement`, and the check reports `problem`. */
export type Mistake = [what: string, file: string, text: string, replacement: string, problem: string];

/** The problems of the valid shop with changed files. */
export async function problemsWith(changes: Record<string, string | Uint8Array | null>): Promise<string[]> {
  const folder = writeContent(changes);
  try {
    return (await checkContent(folder)).map(formatProblem);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The problems of the valid shop after `text` in one file is replaced. */
export function problemsAfter(file: string, text: string, replacement: string): Promise<string[]> {
  const valid = validContent[file] ?? "";
  if (!valid.includes(text)) throw new Error(`${file} has no ${text}`);
  return problemsWith({ [file]: valid.replace(text, replacement) });
}
