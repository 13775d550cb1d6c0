import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Writes a whole file or nothing. What a killed process leaves half lies beside content/, where nothing reads it, and the next
 * one writes over it.
 */
export function putFile(root: string, path: string, content: string | Uint8Array): void {
  const part = join(root, ".import.part");
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(part, content);
  renameSync(part, join(root, path));
}
