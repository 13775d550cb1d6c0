import { stringify } from "yaml";
import { STILL_TO_WRITE } from "../../content-check/field-problems.ts";

/** What `npm run new` writes: files, by their paths from the project's root on, and the path of the page that they make. */
export interface NewContent {
  path: string;
  files: { file: string; content: string | Uint8Array }[];
}

/** A page's file: its fields, marked as a draft of today, and headings with their text still to be written. */
export function writePage(fields: Record<string, unknown>, headings: readonly string[]): string {
  const updated = new Date().toISOString().slice(0, 10);
  const front = stringify({ ...fields, updated, draft: true }, { lineWidth: 0 });
  return `---\n${front}---\n${headings.map((heading) => `## ${heading}\n\n${STILL_TO_WRITE}\n`).join("\n")}`;
}
