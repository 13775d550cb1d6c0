import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { ImageMetadata } from "astro";
import { imageMetadata } from "astro/assets/utils";
import sharp from "sharp";
import { forEachAtMost } from "../renderer/files.ts";
import { isPicture } from "./pictures.ts";
import { svgProblem } from "./svg.ts";

/** Reads the pictures among `paths` below `root`. Gives what is wrong, by path: the rest of a sentence that begins with the picture's name. */
export async function inspectPictures(root: string, paths: ReadonlySet<string>): Promise<Map<string, string>> {
  const wrong = new Map<string, string>();
  await forEachAtMost([...paths].filter(isPicture), 4, async (path) => {
    const bytes = await readFile(join(root, path));
    const problem = await (path.endsWith(".svg") ? drawingProblem(bytes) : photographProblem(bytes, extname(path)));
    if (problem !== undefined) wrong.set(path, problem);
  });
  return wrong;
}

/** What a good camera takes. Beyond it a build would need gigabytes to make the smaller ones that visitors get. */
const LONGEST_SIDE = 6000;
const MOST_PIXELS = 24_000_000;

type Size = Pick<ImageMetadata, "width" | "height" | "format">;

function sizeProblem({ width, height }: Size, remedy: string): string | undefined {
  if (Math.max(width, height) <= LONGEST_SIDE && width * height <= MOST_PIXELS) return undefined;
  const [has, most] = [
    `${count(width)} × ${count(height)}`,
    `${count(LONGEST_SIDE)} on a side and ${MOST_PIXELS / 1e6} million in all`,
  ];
  return `has ${has} pixels; ${most} are the most. ${remedy}`;
}

const count = (number: number) => number.toLocaleString("en");

async function drawingProblem(bytes: Buffer): Promise<string | undefined> {
  const problem = svgProblem(bytes.toString("utf8"));
  if (problem !== undefined) return problem;
  const size = await readSize(bytes);
  return size?.format === "svg"
    ? sizeProblem(size, 'Write width="800" and height="600", or what is in proportion, into its <svg>.')
    : 'has no size near its beginning. Its <svg> needs width and height, or viewBox="0 0 800 600".';
}

async function photographProblem(bytes: Buffer, ending: string): Promise<string | undefined> {
  const size = await readSize(bytes);
  if (size === undefined) return "is no picture that can be read. Save it anew as a JPG or PNG.";
  const type = size.format;
  if (`.${type}` !== ending.replace("jpeg", "jpg")) return `is of the type ${type}, but ends in ${ending}. Rename it.`;
  const tooLarge = sizeProblem(size, "Save it smaller: 2,000 pixels wide is plenty.");
  if (tooLarge !== undefined) return tooLarge;
  try {
    // Astro would fill in grey for what is missing.
    await sharp(bytes, { failOn: "truncated" }).resize(1).toBuffer();
    return undefined;
  } catch {
    return "is damaged: not all of it can be read. Save it anew.";
  }
}

/** Type and size as Astro will read them, from the file's beginning: `jpg`, `svg` … */
const readSize = async (bytes: Buffer): Promise<Size | undefined> => imageMetadata(bytes).catch(() => undefined);
