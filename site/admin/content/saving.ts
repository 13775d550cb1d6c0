import { posix } from "node:path";
import { isDraft, slugPattern } from "../../content-schema/fields.ts";
import { MAIN, readDrafts, saveToDrafts } from "./drafts.ts";
import { textsOf } from "./form.ts";
import { parseForm } from "./form-text.ts";
import { formatOf } from "./formats.ts";
import { type Change, type Person, readBlobs, readFile, readTree } from "./git.ts";
import { Refused, refusePath, refuseUpload } from "./refusals.ts";
import { type FileForm, type FileFormat, writeFile } from "./writer.ts";

/** One file of a save, as an editor's browser sends it. */
export interface FileSave {
  operation: "create" | "update" | "delete";
  path: string;
  /** Where the file was before, if it was renamed. */
  from: string | undefined;
  /** The blob that the editor opened; undefined for a new file. */
  base: string | undefined;
  /** A form (form-text.ts), or the bytes of a picture or document. */
  content: Buffer;
}

/**
 * Saves files to the drafts in one commit, and returns it. Throws an EditConflict, Refused or Unreadable, and then nothing
 * is saved.
 */
export async function save(
  repository: string,
  files: readonly FileSave[],
  { author, message }: { author: Person; message: string },
): Promise<string> {
  const tree = await readTree(repository, await readDrafts(repository));
  const changes: Change[] = [];
  for (const file of files) {
    refusePath(file.path, tree);
    if (file.from !== undefined) refusePath(file.from, tree);
    const bytes = file.operation === "delete" ? null : await bytesOf(repository, file);
    changes.push({ path: file.path, bytes });
    if (file.from !== undefined && file.from !== file.path) changes.push({ path: file.from, bytes: null });
  }
  const seen = files.flatMap(({ path, from, base }) => {
    if (from === undefined || from === path) return { path, id: base };
    return [
      { path: from, id: base },
      { path, id: undefined },
    ];
  });
  return saveToDrafts(repository, { changes, seen, author, message });
}

/** What is written at a file's path. */
async function bytesOf(repository: string, { path, from, base, content }: FileSave): Promise<Buffer> {
  const format = formatOf(path);
  if (format === undefined) {
    await refuseUpload(path, content);
    return content;
  }
  const [old] = base === undefined ? [] : await readBlobs(repository, [base]);
  if (base !== undefined && old === undefined) throw new Refused(`The version of ${path} that you opened is unknown.`);
  const oldText = old === undefined ? undefined : decode(path, old);
  const form = parseForm(format, decode(path, content));
  const wasRenamed = from !== undefined && posix.basename(from) !== posix.basename(path);
  const wanted = wasRenamed ? await keepAddress(repository, format, form, from) : form;
  return Buffer.from(writeFile(format, oldText, wanted));
}

/** The form of a renamed page, with its old address in `formerly` if visitors may know it. */
async function keepAddress(
  repository: string,
  { fields }: FileFormat,
  form: FileForm,
  from: string,
): Promise<FileForm> {
  const { values, body } = form;
  const published = await readFile(repository, MAIN, from);
  const slug = posix.parse(from).name;
  const isKnown = published !== undefined && !isDraft(published.bytes.toString());
  if (!isKnown || !slugPattern.test(slug) || !fields.some(({ name }) => name === "formerly")) return form;
  const formerly = [...new Set([...textsOf(values["formerly"]), slug])].join("\n");
  return { values: { ...values, formerly }, body };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(path: string, bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Refused(`${path} isn't in UTF-8, so it can't be edited here. Save it with the encoding “UTF-8” first.`);
  }
}
