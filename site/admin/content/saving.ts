import { posix } from "node:path";
import { isDraft, slugPattern } from "../../content-schema/fields.ts";
import { MAIN, readDrafts, saveToDrafts } from "./drafts.ts";
import { textsOf } from "./form.ts";
import { parseForm } from "./form-text.ts";
import { formatOf } from "./formats.ts";
import { type Change, type Person, readBlobs, readFile, readTree, type TreeEntry } from "./git.ts";
import { Refused, refusePath, refuseUpload } from "./refusals.ts";
import { storeTyped } from "./typed.ts";
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
  const kept = await findNamed(repository, tree, changes);
  // Sveltia deletes or moves whatever lies beside an entry with it, since in its eyes all of that belongs to it.
  const goesWithEntry = changes.some(({ path, bytes }) => bytes === null && formatOf(path) !== undefined);
  const [inUse] = kept;
  if (inUse && !goesWithEntry)
    throw new Refused(`${inUse.path} is in use in ${inUse.by}. Take it out there first, or it would be missing.`);
  const stays = new Set(kept.map(({ path }) => path));
  const isWanted = ({ path }: { path: string }) => !stays.has(path);
  return saveToDrafts(repository, { changes: changes.filter(isWanted), seen: seen.filter(isWanted), author, message });
}

/** The pictures and documents among the deletions that a text names which stays, each with one such text. */
async function findNamed(
  repository: string,
  tree: readonly TreeEntry[],
  changes: readonly Change[],
): Promise<{ path: string; by: string }[]> {
  const deleted = changes.filter(({ path, bytes }) => bytes === null && formatOf(path) === undefined);
  if (deleted.length === 0) return [];
  const changed = new Map(changes.map(({ path, bytes }) => [path, bytes]));
  const unchanged = tree.filter(({ path, type }) => type === "blob" && formatOf(path) && !changed.has(path));
  const blobs = await readBlobs(
    repository,
    unchanged.map(({ id }) => id),
  );
  const texts = [...unchanged.map(({ path }, index) => [path, blobs[index]] as const), ...changed];
  return deleted.flatMap(({ path }) => {
    const [by] = texts.find(([text, bytes]) => formatOf(text) && bytes && isNamed(path, text, `${bytes}`)) ?? [];
    return by === undefined ? [] : { path, by };
  });
}

/** Whether a file's text names another file, by its path from there; in a body it may be percent-encoded. */
function isNamed(path: string, file: string, text: string): boolean {
  const name = posix.basename(path);
  return [name, encodeURI(name)].some((written) =>
    text.split(written).some((before, index, parts) => {
      const [folder = ""] = /[^\s"'()<>[\]]*$/.exec(before.slice(-300)) ?? [];
      return index < parts.length - 1 && posix.join(posix.dirname(file), folder, name) === path;
    }),
  );
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
  const form = await storeTyped(repository, format, parseForm(format, decode(path, content)), oldText);
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
