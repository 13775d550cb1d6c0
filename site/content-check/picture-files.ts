import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { imageMetadata } from "astro/assets/utils";
import sharp from "sharp";
import { forEachAtMost } from "../publish/dist-files.ts";
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

async function drawingProblem(bytes: Buffer): Promise<string | undefined> {
  const problem = svgProblem(bytes.toString("utf8"));
  if (problem !== undefined) return problem;
  return (await readType(bytes)) === "svg"
    ? undefined
    : 'has no size near its beginning. Its <svg> needs width and height, or viewBox="0 0 800 600".';
}

async function photographProblem(bytes: Buffer, ending: string): Promise<string | undefined> {
  const type = await readType(bytes);
  if (type === undefined) return "is no picture that can be read. Save it anew as a JPG or PNG.";
  if (`.${type}` !== ending.replace("jpeg", "jpg")) return `is of the type ${type}, but ends in ${ending}. Rename it.`;
  try {
    // Astro would fill in grey for what is missing.
    await sharp(bytes, { failOn: "truncated" }).resize(1).toBuffer();
    return undefined;
  } catch {
    return "is damaged: not all of it can be read. Save it anew.";
  }
}

/** The type as Astro will read it: `jpg`, `svg` … */
const readType = async (bytes: Buffer) =>
  imageMetadata(bytes).then(
    ({ format }) => format,
    () => undefined,
  );
