import { parse, stringify } from "yaml";
import type { FormGroup } from "./form.ts";
import { type FileForm, type FileFormat, Unreadable } from "./writer.ts";

/** The file that Sveltia reads in place of the one in the repository. */
export function printForm({ body }: FileFormat, form: FileForm): string {
  const yaml = stringify(form.values, { lineWidth: 0 });
  return body === "none" ? yaml : `---\n${yaml}---\n\n${form.body}\n`;
}

/** What Sveltia has made of it. Throws Unreadable. */
export function parseForm({ body }: FileFormat, text: string): FileForm {
  const [, head = "", rest = ""] =
    body === "none" ? [text, text] : (/^---\n([\s\S]*?)\n?---(?:\n([\s\S]*))?$/.exec(text.trim()) ?? []);
  try {
    const values: unknown = parse(head);
    if (typeof values === "object" && values !== null && !Array.isArray(values))
      return { values: values as FormGroup, body: rest.trim() };
  } catch {
    // Said below: only Sveltia writes this, or somebody's own program.
  }
  throw new Unreadable("The form isn't YAML between two lines `---`.");
}
