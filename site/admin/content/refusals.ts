import { posix } from "node:path";
import { isDocument, isPicture } from "../../content-check/content-files.ts";
import { inspectPicture } from "../../content-check/pictures.ts";
import { STATIC_FOLDER } from "../../static-files/list-static-files.ts";
import { formatOf } from "../forms/formats.ts";
import { type AdminWords, wordsFor } from "../words.ts";
import type { TreeEntry } from "./git.ts";

/** What can't be stored, in a sentence for the editor; the message has it in English. */
export class Refused extends Error {
  override name = "Refused";
  /** The sentence in an editor's words. */
  readonly say: (words: AdminWords) => string;

  constructor(say: string | ((words: AdminWords) => string)) {
    super(typeof say === "string" ? say : say(wordsFor("en")));
    this.say = typeof say === "string" ? () => say : say;
  }
}

const MOST_MEGABYTES = 20;

/** Throws Refused unless a file of this name belongs into content/, and would be a plain file there. */
export function refusePath(path: string, tree: readonly TreeEntry[]): void {
  const parts = path.split("/");
  const isPlain = parts.every(
    (part) => /^[^.\s\\:-][^\\:\p{Cc}\p{Cf}]*$/u.test(part) && Buffer.byteLength(part) <= 200,
  );
  if (parts[0] !== "content" || parts.length < 2 || parts.length > 6 || !isPlain)
    throw new Refused(({ refused }) => refused.name({ name: path.slice(0, 200) }));
  if (parts[1] === STATIC_FOLDER) throw new Refused(({ refused }) => refused.as_it_is({ name: path }));
  if (formatOf(path) === undefined && !isPicture(path) && !isDocument(path))
    throw new Refused(({ refused }) => refused[isPhotograph(path) ? "photograph" : "type"]({ name: path }));
  const inTheWay = tree.find(
    (entry) => (entry.path === path || path.startsWith(`${entry.path}/`)) && !isExpected(entry, entry.path === path),
  );
  if (inTheWay) throw new Refused(({ refused }) => refused.in_the_way({ name: inTheWay.path }));
}

/** Whether a file's name is one that phones and cameras give, and a picture's can't be: the CMS converts it, a program has to. */
const isPhotograph = (path: string): boolean => isPicture(path.toLowerCase()) || /\.(?:heic|heif)$/i.test(path);

const isExpected = ({ mode, type }: TreeEntry, isFile: boolean): boolean =>
  isFile ? mode.startsWith("100") : type === "tree";

/** Throws Refused for a picture that can't be shown or could do harm, and for a file that is too large. */
export async function refuseUpload(path: string, bytes: Buffer): Promise<void> {
  const name = posix.basename(path);
  if (bytes.length > MOST_MEGABYTES * 1_000_000)
    throw new Refused(({ refused }) =>
      refused.size({ name, size: Math.ceil(bytes.length / 1_000_000), limit: MOST_MEGABYTES }),
    );
  const problem = isPicture(path) ? await inspectPicture(bytes, path) : undefined;
  if (problem !== undefined) throw new Refused(({ refused }) => refused.picture({ name, problem }));
}
