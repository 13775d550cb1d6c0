import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "./problem.ts";

/**
 * Reads a file below `root` as text with plain line ends. One that is not UTF-8 has a problem, and is read as what
 * Windows would have written, so that its other mistakes are real ones.
 */
export function readTextFile(root: string, file: string): { text: string; problems: Problem[] } {
  const bytes = readFileSync(join(root, file));
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const encoding = isUtf8(bytes) ? "utf-8" : isUtf16 ? "utf-16le" : "windows-1252";
  const text = new TextDecoder(encoding).decode(bytes).replaceAll("\r\n", "\n");
  if (encoding === "utf-8") return { text, problems: [] };
  const lines = bytes.toString("latin1").split("\n");
  const line = 1 + lines.findIndex((each) => !isUtf8(Buffer.from(each, "latin1")));
  const message = "Letters here are not in UTF-8. Save the file with the encoding “UTF-8”, and look at it again.";
  return { text, problems: [{ file, line, message }] };
}
