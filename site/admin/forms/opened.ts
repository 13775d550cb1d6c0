import type { FileForm } from "./writer.ts";

// A form says in a field of its own which file it was made from. The id that Sveltia sends is that of the last version that
// it has seen, whatever the editor had before them: so one who saved over another's version put back what they had never
// touched.

const FIELD = "_opened";

export interface Opened {
  /** The blob of the file that the form is of. */
  id: string;
  /**
   * The blob in the drafts to which that file is the next version: itself, unless it was prepared for a save; undefined
   * where there wasn't a file.
   */
  on: string | undefined;
  path: string;
}

/** A form that says what it was made from. */
export const withOpened = ({ values, body }: FileForm, { id, on, path }: Opened): FileForm => ({
  values: { ...values, [FIELD]: `${id} ${on ?? "-"} ${path}` },
  body,
});

/** What a form was made from, if it says so. */
export function openedOf({ values }: FileForm): Opened | undefined {
  const [, id, on, path] = /^([0-9a-f]{40}) ([0-9a-f]{40}|-) (.+)$/.exec(String(values[FIELD] ?? "")) ?? [];
  return id && on && path ? { id, on: on === "-" ? undefined : on, path } : undefined;
}
