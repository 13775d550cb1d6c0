import { posix } from "node:path";
import { isSlug } from "../../../api/contract/patterns.ts";
import { isDraft } from "../../content-schema/fields.ts";
import { saysTheSame, textsOf } from "../forms/form.ts";
import { parseForm } from "../forms/form-text.ts";
import { formatOf } from "../forms/formats.ts";
import { mergeFiles, type Preference } from "../forms/merge.ts";
import { openedOf, withOpened } from "../forms/opened.ts";
import {
  bodyOf,
  type FileForm,
  type FileFormat,
  readFile as readForm,
  rootOf,
  Unreadable,
  writeFile,
} from "../forms/writer.ts";
import { EditConflict, MAIN, readDrafts, type Save, saveToDrafts } from "./drafts.ts";
import {
  type Change,
  hadContents,
  type Person,
  readBlobs,
  readFile,
  readTree,
  type TreeEntry,
  writeBlob,
} from "./git.ts";
import { Refused, refusePath, refuseUpload } from "./refusals.ts";
import { storeTyped } from "./typed.ts";

/** One file of a save, as an editor's browser sends it. */
export interface FileSave {
  operation: "create" | "update" | "delete";
  path: string;
  /** Where the file was before, if it was renamed. */
  from: string | undefined;
  /** The blob that the editor opened; undefined for a new file. A form may name another one itself (opened.ts). */
  base: string | undefined;
  /** A form (form-text.ts), or the bytes of a picture or document. */
  content: Buffer;
}

/**
 * Saves files to the drafts in one commit, and returns it. What somebody else has saved since they were opened stays, unless
 * both have changed the same. Throws an EditConflict, Refused or Unreadable, and then nothing is saved.
 */
export async function save(
  repository: string,
  files: readonly FileSave[],
  { author, message }: { author: Person; message: string },
): Promise<string> {
  for (;;) {
    const tree = await readTree(repository, await readDrafts(repository));
    const now = new Map(tree.map(({ path, id }) => [path, id]));
    try {
      return await saveToDrafts(repository, { ...(await readSave(repository, files, tree)), author, message });
    } catch (error) {
      // Somebody has saved one of them in between: the next round merges with that, or says that it can't be.
      const isNew = error instanceof EditConflict && error.files.some(({ path, id }) => now.get(path) !== id);
      if (!isNew) throw error;
    }
  }
}

/** What is to be written, and the blobs that it was made from. */
async function readSave(
  repository: string,
  files: readonly FileSave[],
  tree: readonly TreeEntry[],
): Promise<Pick<Save, "changes" | "seen">> {
  const now = new Map(tree.map(({ path, id }) => [path, id]));
  const changes: Change[] = [];
  const seen: { path: string; id: string | undefined }[] = [];
  for (const file of files) {
    const { path, from = path } = file;
    refusePath(path, tree);
    refusePath(from, tree);
    const written = file.operation === "delete" ? undefined : await bytesOf(repository, file, now.get(from));
    changes.push({ path, bytes: written?.bytes ?? null });
    seen.push({ path: from, id: written ? written.on : file.base });
    if (from === path) continue;
    changes.push({ path: from, bytes: null });
    seen.push({ path, id: undefined });
  }
  const kept = await findNamed(repository, tree, changes);
  // Sveltia deletes or moves whatever lies beside an entry with it, since in its eyes all of that belongs to it.
  const goesWithEntry = changes.some(({ path, bytes }) => bytes === null && formatOf(path) !== undefined);
  const [inUse] = kept;
  if (inUse && !goesWithEntry)
    throw new Refused(`${inUse.path} is in use in ${inUse.by}. Take it out there first, or it would be missing.`);
  const stays = new Set(kept.map(({ path }) => path));
  const isWanted = ({ path }: { path: string }) => !stays.has(path);
  return { changes: changes.filter(isWanted), seen: seen.filter(isWanted) };
}

/** What an editor wants to save of one file. */
export interface FormSave {
  path: string;
  isNew: boolean;
  form: FileForm;
  /** What Sveltia made of texts before anybody typed, by those texts. */
  shown: ReadonlyMap<string, string>;
  /** What is to be kept where both have changed the same, once the editor has seen the blob `on`; null if it was deleted. */
  choice: { prefer: Preference; on: string | null } | undefined;
}

/**
 * A form as it will be once it is saved, with what others have saved since it was opened. Its file is written into the
 * repository, from where save() puts it into the drafts. Throws an EditConflict, Refused or Unreadable.
 */
export async function prepare(repository: string, { path, isNew, form, shown, choice }: FormSave): Promise<FileForm> {
  const format = formatOf(path);
  if (format === undefined) throw new Refused(`${path} isn't a text of the shop.`);
  const drafts = await readDrafts(repository);
  const tree = await readTree(repository, drafts);
  const idAt = (path: string) => tree.find((entry) => entry.path === path)?.id;
  const opened = isNew ? undefined : openedOf(form);
  const from = opened && idAt(path) === undefined ? opened.path : path;
  const on = isNew ? undefined : idAt(from);
  refusePath(path, tree);
  // Of equal files a form names any: one that was opened here was once what this file had.
  const isOthers = opened && opened.path !== path && !(await hadContents(repository, drafts, { path, id: opened.id }));
  // A browser may not know yet what somebody else has made under this name.
  if ((isNew || isOthers) && idAt(path) !== undefined)
    throw new Refused(({ refused }) => refused.taken({ name: path }));
  // A browser may still have forms that don't say what they come from.
  const base = isNew ? undefined : await readText(repository, path, opened?.id ?? on);
  const theirs = await readText(repository, from, on);
  const typed = await storeTyped(repository, format, form, base);
  const wanted = from === path ? typed : await keepAddress(repository, format, typed, from);
  const text = base === undefined ? "" : bodyOf(format, base).replaceAll("\r\n", "\n").trim();
  const mine = writeFile(format, base, wanted, shown.get(text));
  const isChosen = choice?.on === (on ?? null);
  const isGone = base !== undefined && theirs === undefined;
  if (isGone && !isChosen) throw new EditConflict([{ path: from, id: on }]);
  const written =
    base === undefined || theirs === undefined
      ? mine
      : mergeOrClash(format, { base, theirs, mine }, { path: from, on, prefer: isChosen ? choice?.prefer : undefined });
  const id = await writeBlob(repository, Buffer.from(written));
  return withOpened(readForm(format, written), { id, on, path });
}

/** Their file with what I have changed. Throws a Clash where both have changed the same, unless it is known what to prefer. */
function mergeOrClash(
  format: FileFormat,
  texts: { base: string; theirs: string; mine: string },
  { path, on, prefer }: { path: string; on: string | undefined; prefer: Preference | undefined },
): string {
  let merged: ReturnType<typeof mergeFiles>;
  try {
    merged = mergeFiles(format, texts, prefer);
  } catch (error) {
    if (error instanceof Unreadable) throw new EditConflict([{ path, id: on }]);
    throw error;
  }
  if (merged.clashes.length > 0 && prefer === undefined) throw new EditConflict([{ path, id: on }], merged.clashes);
  return merged.text;
}

/** A blob's text; undefined without an id. */
async function readText(repository: string, path: string, id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const [bytes] = await readBlobs(repository, [id]);
  if (bytes === undefined) throw new Refused(`The version of ${path} that you opened is unknown.`);
  return decode(path, bytes);
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

/** What is written at a file's path, and the blob there that it goes on from: `now`, or else it is a conflict. */
async function bytesOf(
  repository: string,
  { operation, path, from = path, base, content }: FileSave,
  now: string | undefined,
): Promise<{ bytes: Buffer; on: string | undefined }> {
  const format = formatOf(path);
  if (format === undefined) {
    await refuseUpload(path, content);
    return { bytes: content, on: base };
  }
  const form = parseForm(format, decode(path, content));
  const opened = openedOf(form);
  const isPrepared = opened !== undefined && opened.id !== opened.on && opened.path === path;
  if (isPrepared) {
    const text = await readText(repository, path, opened.id);
    const isFor = (read: FileForm) =>
      read.body === form.body && saysTheSame(rootOf(format.fields), read.values, form.values);
    if (text !== undefined && isFor(readForm(format, text))) return { bytes: Buffer.from(text), on: opened.on };
  }
  const on = operation === "create" ? undefined : isPrepared ? opened.on : (opened?.id ?? base);
  const old = await readText(repository, path, on);
  const typed = await storeTyped(repository, format, form, old);
  const wasRenamed = posix.basename(from) !== posix.basename(path);
  const wanted = wasRenamed ? await keepAddress(repository, format, typed, from) : typed;
  const mine = writeFile(format, old, wanted);
  if (old === undefined || now === undefined || now === on) return { bytes: Buffer.from(mine), on };
  const theirs = (await readText(repository, from, now)) ?? "";
  const merged = mergeOrClash(format, { base: old, theirs, mine }, { path: from, on: now, prefer: undefined });
  return { bytes: Buffer.from(merged), on: now };
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
  if (!isKnown || !isSlug(slug) || !fields.some(({ name }) => name === "formerly")) return form;
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
