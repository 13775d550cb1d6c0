import { posix } from "node:path";
import { nearest } from "../content-schema/suggest.ts";

/** The endings that pictures have. */
export const pictureTypes: readonly string[] = ["svg", "png", "jpg", "jpeg", "webp", "avif", "gif"];

export interface PictureFiles {
  /** All files of content/. */
  paths: ReadonlySet<string>;
  /** What is wrong with those that can't be shown. */
  wrongPictures: ReadonlyMap<string, string>;
}

/** Why a picture, named in `file`, can't be shown; undefined when it can. */
export function pictureProblem(
  source: string,
  file: string,
  { paths, wrongPictures }: PictureFiles,
): string | undefined {
  if (/^[a-z]+:/i.test(source))
    return `The picture ${source} is elsewhere on the web. Save it beside this file and name it here.`;
  if (!/^\.\.?\//.test(source)) return `A picture's path begins with a dot: write \`./${source.replace(/^\/+/, "")}\`.`;
  const wanted = posix.join(posix.dirname(file), decodePath(source));
  const type = posix.extname(wanted).slice(1);
  const problem = wrongPictures.get(wanted);
  if (problem !== undefined) return `The picture ${source} ${problem}`;
  if (paths.has(wanted) && pictureTypes.includes(type)) return undefined;
  if (paths.has(wanted)) return `${source} is no picture. Pictures end in ${pictureTypes.join(", ")}.`;
  const siblings = [...paths].filter((path) => posix.dirname(path) === posix.dirname(wanted) && isPicture(path));
  const twin = siblings.find((path) => path.toLowerCase() === wanted.toLowerCase());
  if (twin !== undefined) return `No file ${source}; there is ./${posix.basename(twin)} (capitals matter).`;
  const near = nearest(
    posix.basename(wanted),
    siblings.map((path) => posix.basename(path)),
  );
  return `No file ${source}.${near === undefined ? " Is the picture committed too?" : ` Did you mean \`./${near}\`?`}`;
}

/** What is unlucky in a picture's description: it is read aloud after the word “image”. */
export function altDoubt(alt: string): string | undefined {
  const [start, subject] =
    /^(?:an? |the )?(?:image|picture|photo(?:graph)?|pic|graphic|icon|screenshot) (?:of|showing|that shows) (.+)/is.exec(
      alt,
    ) ?? [];
  if (start === undefined || subject === undefined) return undefined;
  return `The description begins with “${start.slice(0, -subject.length).trim()}”, which a reader has heard already. Say at once what the picture shows: “${subject}”.`;
}

/** Whether a file's name ends as a picture's does. */
export const isPicture = (path: string) => pictureTypes.includes(posix.extname(path).slice(1));

function decodePath(source: string): string {
  try {
    return decodeURI(source);
  } catch {
    // A `%` that stands for itself.
    return source;
  }
}
