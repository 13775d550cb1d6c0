import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import sharp from "sharp";
import { isPicture } from "../content-check/content-files.ts";
import { inspectPicture } from "../content-check/pictures.ts";
import { ContentError } from "../content-schema/content-error.ts";
import { addressProblem, fetchPicture, Refused } from "./fetch-picture.ts";
import { putFile } from "./put-file.ts";

/** Plenty, as content/README.md says. */
const SIDE_PX = 2000;

/** Where pictures come from. */
export interface PictureSource {
  /** Whether a picture is in the folder. */
  has: (source: string) => boolean;
  /** The picture, and its type as a file's ending. Throws Refused. */
  take: (source: string) => Promise<{ bytes: Buffer; type: string; isChanged: boolean }>;
}

/** So many failures of a host in a row, and it isn't asked any more. */
const MOST_FAILURES = 10;
/** More than a catalogue of this size has: a file that names more is wrong or means harm. */
const MOST_FETCHED = 100_000;

/**
 * Pictures from a folder, by their path in it or their name alone, and otherwise from the web.
 *
 * @throws ContentError if the folder can't be read
 */
export function openPictures(folder: string | undefined, stop: AbortSignal): PictureSource {
  const files = folder === undefined ? new Map<string, string>() : listPictures(folder);
  const failures = new Map<string, number>();
  let fetched = 0;
  const fetchFrom = async (source: string): Promise<Buffer> => {
    const host = URL.parse(source)?.host ?? "";
    if ((failures.get(host) ?? 0) >= MOST_FAILURES)
      throw new Refused(`wasn't asked for: ${host} failed ${MOST_FAILURES} times in a row`);
    if (fetched >= MOST_FETCHED)
      throw new Refused(`wasn't asked for, after ${MOST_FETCHED.toLocaleString("en")} others`);
    fetched += 1;
    try {
      const bytes = await fetchPicture(source, stop);
      failures.delete(host);
      return bytes;
    } catch (error) {
      failures.set(host, (failures.get(host) ?? 0) + 1);
      throw error;
    }
  };
  return {
    has: (source) => findFile(files, source) !== undefined,
    take: async (source) => {
      const file = findFile(files, source);
      const isRemote = /^https?:/i.test(source);
      if (file === undefined && !isRemote) throw new Refused("isn't in the folder of pictures");
      return readable(file === undefined ? await fetchFrom(source) : readFileSync(file));
    },
  };
}

/** Why a picture can't be fetched, as far as its address says. */
export const sourceProblem = (source: string): string | undefined =>
  /^[a-z]+:/i.test(source) ? addressProblem(source) : undefined;

function listPictures(folder: string): Map<string, string> {
  if (!existsSync(folder)) throw new ContentError(`The folder of pictures ${folder} doesn't exist.`);
  const files = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    // Not a link, which could lead out of the folder.
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const relative = path.slice(join(folder, "/").length).toLowerCase();
    files.set(relative, path);
    if (!files.has(entry.name.toLowerCase())) files.set(entry.name.toLowerCase(), path);
  }
  return files;
}

function findFile(files: ReadonlyMap<string, string>, source: string): string | undefined {
  if (files.size === 0) return undefined;
  const path = nameOf(source).toLowerCase();
  return files.get(path) ?? files.get(basename(path));
}

/** The path of a picture without host and query. */
function nameOf(source: string): string {
  const url = /^https?:/i.test(source) ? URL.parse(source) : null;
  const path = url?.pathname ?? source;
  try {
    return decodeURIComponent(path).replace(/^[./]+/, "");
  } catch {
    return path.replace(/^[./]+/, "");
  }
}

/** A picture as the shop can show it: too large a one is scaled down, one of another type becomes a JPG or PNG. */
async function readable(bytes: Buffer): Promise<{ bytes: Buffer; type: string; isChanged: boolean }> {
  const type = await typeOf(bytes);
  const problem = isPicture(`x.${type}`) ? await inspectPicture(bytes, `x.${type}`) : "has another type";
  if (problem === undefined) return { bytes, type, isChanged: false };
  if (type === "svg" || type === "")
    throw new Refused(type === "" ? "isn't a picture" : `${problem.replace(/\.$/, "")}`);
  try {
    const scaled = sharp(bytes, { failOn: "truncated" })
      .autoOrient()
      .resize({ width: SIDE_PX, height: SIDE_PX, fit: "inside", withoutEnlargement: true });
    const isClear = (await sharp(bytes).metadata()).hasAlpha === true;
    const changed = await (isClear ? scaled.png() : scaled.jpeg({ quality: 85 })).toBuffer();
    const newType = isClear ? "png" : "jpg";
    const still = await inspectPicture(changed, `x.${newType}`);
    if (still !== undefined) throw new Refused(still.replace(/\.$/, ""));
    return { bytes: changed, type: newType, isChanged: true };
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(problem.replace(/\.$/, ""));
  }
}

/** A picture's type as a file's ending; "" if it isn't one. */
async function typeOf(bytes: Buffer): Promise<string> {
  if (
    /^\s*<(?:\?xml|!--|!doctype svg|svg)/i.test(
      bytes
        .subarray(0, 500)
        .toString("utf8")
        .replace(/^\uFEFF/, ""),
    )
  )
    return "svg";
  const { format, compression } = await sharp(bytes)
    .metadata()
    .catch(() => ({ format: "", compression: undefined }));
  if (format === "jpeg") return "jpg";
  return format === "heif" && compression === "av1" ? "avif" : (format ?? "");
}

/**
 * Puts a picture beside a product's file, where none of the same name and other bytes is. Returns its path from there; the same
 * for the same picture, so that a second run changes nothing.
 */
export function placePicture(root: string, folder: string, name: string, type: string, bytes: Buffer): string {
  for (let count = 1; ; count += 1) {
    const file = `${name}-${count}.${type}`;
    const path = join(root, folder, file);
    if (!existsSync(path)) putFile(root, join(folder, file), bytes);
    else if (!readFileSync(path).equals(bytes)) continue;
    return `./${file}`;
  }
}
