import { posix } from "node:path";
import { isDocument, isPicture } from "../../content-check/content-files.ts";
import { inspectPicture } from "../../content-check/pictures.ts";
import { formatOf } from "./formats.ts";
import type { TreeEntry } from "./git.ts";

/** What can't be stored, in a sentence for the editor. */
export class Refused extends Error {
  override name = "Refused";
}

const MOST_MEGABYTES = 20;

/** Throws Refused unless a file of this name belongs into content/, and would be a plain file there. */
export function refusePath(path: string, tree: readonly TreeEntry[]): void {
  const parts = path.split("/");
  const isPlain = parts.every(
    (part) => /^[^.\s\\:-][^\\:\p{Cc}\p{Cf}]*$/u.test(part) && Buffer.byteLength(part) <= 200,
  );
  if (parts[0] !== "content" || parts.length < 2 || parts.length > 6 || !isPlain)
    throw new Refused(`“${path.slice(0, 200)}” can't be a file's name. Use lowercase letters, digits and hyphens.`);
  if (formatOf(path) === undefined && !isPicture(path) && !isDocument(path))
    throw new Refused(`${path} isn't a text, a picture or a document of the shop.`);
  const inTheWay = tree.find(
    (entry) => (entry.path === path || path.startsWith(`${entry.path}/`)) && !isExpected(entry, entry.path === path),
  );
  if (inTheWay) throw new Refused(`${inTheWay.path} isn't a plain file or folder, so nothing can be saved there.`);
}

const isExpected = ({ mode, type }: TreeEntry, isFile: boolean): boolean =>
  isFile ? mode.startsWith("100") : type === "tree";

/** Throws Refused for a picture that can't be shown or could do harm, and for a file that is too large. */
export async function refuseUpload(path: string, bytes: Buffer): Promise<void> {
  const name = posix.basename(path);
  if (bytes.length > MOST_MEGABYTES * 1_000_000)
    throw new Refused(`${name} has ${Math.ceil(bytes.length / 1_000_000)} MB. The limit is ${MOST_MEGABYTES} MB.`);
  const problem = isPicture(path) ? await inspectPicture(bytes, path) : undefined;
  if (problem !== undefined) throw new Refused(`${name} ${problem}`);
}
