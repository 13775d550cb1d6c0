import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { extname, join, posix } from "node:path";
import type { ImageMetadata } from "astro";
import { imageMetadata } from "astro/assets/utils";
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from "saxes";
import sharp, { type Metadata } from "sharp";
import { isSeq } from "yaml";
import { forEachAtMost } from "../build/files.ts";
import { nearest } from "../content-schema/suggest.ts";
import { FEED_SIDE_PX, LEAST_FEED_SIDE_PX, publishedSize } from "../pictures/picture-sizes.ts";
import { factOf, isPicture, type KnownPage, pictureTypes } from "./content-files.ts";
import { locate, type Yaml } from "./front-matter.ts";
import type { Problem } from "./problem.ts";

export interface PictureFiles {
  /** All files of content/. */
  paths: ReadonlySet<string>;
  /** Why a picture can't be shown, by its path. */
  wrongPictures: ReadonlyMap<string, string>;
  /** Why Google's product feed may refuse a picture, by its path: the rest of a sentence that starts with its name. */
  smallPictures: ReadonlyMap<string, string>;
}

/** What `inspectPictures` finds. */
interface InspectedPictures extends Omit<PictureFiles, "paths"> {
  doubts: Problem[];
}

/** Why a picture in the text of `file` can't be shown, where Markdown reads %20 as a space; undefined when it can. */
export function textPictureProblem(source: string, file: string, files: PictureFiles): string | undefined {
  try {
    return pictureProblem(decodeURI(source), file, files);
  } catch {
    return `The address ${source} has a % that stands for nothing. Write %25 for a %, or rename the picture.`;
  }
}

/** Why a picture that `file` refers to can't be shown; undefined when it can. */
export function pictureProblem(
  source: string,
  file: string,
  { paths, wrongPictures }: PictureFiles,
): string | undefined {
  if (/^[a-z]+:/i.test(source))
    return `The picture ${source} is on another website. Save it beside this file and use its file name.`;
  if (!/^\.\.?\//.test(source)) return `Start a picture's path with a dot. Write \`${withDot(source)}\`.`;
  const wanted = pathOf(source, file);
  const type = posix.extname(wanted).slice(1);
  const problem = wrongPictures.get(wanted);
  if (problem !== undefined) return `The picture ${source} ${problem}`;
  if (paths.has(wanted) && unsafe.test(wanted))
    return `The name ${source} has a character that breaks addresses. Rename the file: \`./${safeName(wanted)}\`.`;
  if (paths.has(wanted) && pictureTypes.includes(type)) return undefined;
  if (paths.has(wanted)) return `${source} isn't a picture. Use a file that ends in ${pictureTypes.join(", ")}.`;
  const siblings = [...paths].filter((path) => posix.dirname(path) === posix.dirname(wanted) && isPicture(path));
  const twin = siblings.find((path) => path.toLowerCase() === wanted.toLowerCase());
  if (twin !== undefined) return `No file ${source}. Write ./${posix.basename(twin)}, with the same capitals.`;
  const written = siblings.find((path) => path === decodePath(wanted));
  if (written !== undefined) return `No file ${source}. Write ./${posix.basename(written)}, as the file is called.`;
  if (siblings.some((path) => path.normalize() === wanted.normalize()))
    return `No file ${source}: its name has accents in another form, as some Macs write them. Rename the file, and type its name again.`;
  const near = nearest(
    posix.basename(wanted),
    siblings.map((path) => posix.basename(path)),
  );
  return `No file ${source}.${near === undefined ? " Check its name, and that it is committed." : ` Did you mean \`./${near}\`?`}`;
}

/** A warning about a description that starts with “Image of”: screen readers say “image” first. */
export function altWarning(alt: string): string | undefined {
  const [start, subject] =
    /^(?:an? |the )?(?:image|picture|photo(?:graph)?|pic|graphic|icon|screenshot) (?:of|showing|that shows) (.+)/is.exec(
      alt,
    ) ?? [];
  if (start === undefined || subject === undefined) return undefined;
  return `The description begins with “${start.slice(0, -subject.length).trim()}”, which screen readers already say. Start with what the picture shows: “${subject}”.`;
}

/** What Vite takes for the end of a path or for an encoded character, and what nobody sees. */
const unsafe = /[?\\\p{Cc}]|%(?=[\da-f]{2})/iu;

const safeName = (path: string) => posix.basename(path).replaceAll(new RegExp(unsafe, "giu"), "-");

/** The path from the page's folder, also of one with the slashes of Windows. */
function withDot(source: string): string {
  const path = source.replaceAll("\\", "/");
  return /^\.\.?\//.test(path) ? path : `./${path.replace(/^\/+/, "")}`;
}

const pathOf = (source: string, file: string) => posix.join(posix.dirname(file), source);

function decodePath(source: string): string {
  try {
    return decodeURIComponent(source);
  } catch {
    // A literal `%`.
    return source;
  }
}

export function findPictureProblems(known: KnownPage, files: PictureFiles): Problem[] {
  const { named, warnings } = readPictures(known);
  const small = named.flatMap(({ file, line, source }): Problem[] => {
    const doubt = files.smallPictures.get(pathOf(source, file));
    return doubt === undefined ? [] : [{ file, line, message: `The picture ${source} ${doubt}`, isWarning: true }];
  });
  return [...findPictureReferenceProblems(named, files), ...small, ...warnings];
}

const readPictures = factOf("pictures", ({ page, yaml }) => {
  const { node } = yaml === undefined || page.kind !== "product" ? {} : locate(yaml, ["images"]);
  if (yaml === undefined || !isSeq(node)) return { named: [], warnings: [] };
  const named = node.items.flatMap((_, index) => {
    const path = ["images", index, "src"];
    const source: unknown = yaml.document.getIn(path);
    return typeof source === "string" ? { file: page.file, line: locate(yaml, path).line, source } : [];
  });
  return { named, warnings: findAltWarnings(page.file, yaml, node.items.length) };
});

function findAltWarnings(file: string, yaml: Yaml, pictures: number): Problem[] {
  return Array.from({ length: pictures }, (_, index) => ["images", index, "alt"]).flatMap((path) => {
    const message = altWarning(String(yaml.document.getIn(path)));
    return message === undefined ? [] : { file, line: locate(yaml, path).line, message, isWarning: true as const };
  });
}

export function findPictureReferenceProblems(
  named: { file: string; line: number; source: string }[],
  files: PictureFiles,
): Problem[] {
  return named.flatMap(({ file, line, source }) => {
    const message = pictureProblem(source, file, files);
    return message === undefined ? [] : { file, line, message };
  });
}

/**
 * Checks the pictures among `paths` in `root`. What is wrong is the rest of a sentence that starts with the picture's
 * name.
 */
export async function inspectPictures(root: string, paths: ReadonlySet<string>): Promise<InspectedPictures> {
  const wrongPictures = new Map<string, string>();
  const smallPictures = new Map<string, string>();
  const doubts: Problem[] = [];
  await forEachAtMost([...paths].filter(isPicture), 4, async (path) => {
    const bytes = await readFile(join(root, path));
    const problem = await inspectPicture(bytes, path);
    if (problem !== undefined) return void wrongPictures.set(path, problem);
    const { small, message } = path.endsWith(".svg") ? await doubtDrawing(bytes) : await doubtPhotograph(bytes);
    if (small !== undefined) smallPictures.set(path, small);
    if (message !== undefined) doubts.push({ file: path, line: 1, message, isWarning: true });
  });
  return { wrongPictures, smallPictures, doubts };
}

interface Doubts {
  small: string | undefined;
  message: string | undefined;
}

async function doubtPhotograph(bytes: Buffer): Promise<Doubts> {
  const { autoOrient, pages = 1, format } = await sharp(bytes).metadata();
  const message = pages > 1 ? "This picture moves. The shop shows its first frame alone." : undefined;
  return { small: smallDoubt({ ...autoOrient, format }), message };
}

async function doubtDrawing(bytes: Buffer): Promise<Doubts> {
  const size = await readSize(bytes);
  return { small: size && smallDoubt(size), message: await embeddedDoubt(bytes.toString("utf8")) };
}

function smallDoubt(picture: Parameters<typeof publishedSize>[0]): string | undefined {
  const { width, height } = publishedSize(picture);
  if (Math.min(width, height) >= FEED_SIDE_PX) return undefined;
  const isLeftOut = Math.min(width, height) < LEAST_FEED_SIDE_PX;
  return `is published with ${count(width)} × ${count(height)} pixels. Google's product feed wants at least ${FEED_SIDE_PX} × ${FEED_SIDE_PX}${isLeftOut ? ", and is written without it" : ""}. Save it larger.`;
}

/** A data URL (RFC 2397) of a photograph. */
const embedded = /data:image\/(?:jpe?g|png|webp|avif|gif)((?:;[^,;"']*)*),([^"')]+)/gi;

/** Characters by their numbers: Inkscape writes a line break in base64 as `&#10;`. */
const withoutReferences = (text: string) =>
  text.replaceAll(/&#(?:x([\da-f]+)|(\d+));/gi, (_, hex?: string, decimal?: string) =>
    String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  );

function readData(parameters: string, data: string): Buffer {
  const text = data.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, /; *base64$/i.test(parameters) ? "base64" : "latin1");
}

/** The build cleans photographs and drawings, but not a photograph inside a drawing. */
async function embeddedDoubt(text: string): Promise<string | undefined> {
  const found = [...withoutReferences(text).matchAll(embedded)];
  const photographs = found.map(([, parameters = "", data = ""]) => readData(parameters, data));
  const fields = new Set((await Promise.all(photographs.map(readMetadataNames))).flat());
  if (fields.size === 0) return undefined;
  return `This drawing contains a photograph with ${[...fields].join(", ")}, which may name its author, camera and place, and is published as it is. Save the photograph without it, and put it into the drawing again.`;
}

async function readMetadataNames(photograph: Buffer): Promise<string[]> {
  const unreadable: Partial<Metadata> = {};
  const { exif, xmp, iptc, comments } = await sharp(photograph)
    .metadata()
    .catch(() => unreadable);
  const names = { EXIF: exif, XMP: xmp, IPTC: iptc, comments };
  return Object.entries(names).flatMap(([name, value]) => (value === undefined ? [] : name));
}

/** Why a picture can't be shown: the rest of a sentence that starts with its name; undefined when it can. */
export const inspectPicture = (bytes: Buffer, path: string): Promise<string | undefined> =>
  path.endsWith(".svg") ? drawingProblem(bytes) : photographProblem(bytes, extname(path));

/** A good camera's picture. Larger ones need gigabytes of memory in a build. */
const LONGEST_SIDE = 6000;
const MOST_PIXELS = 24_000_000;

/** Times as long as the other side. Of a longer one, a small copy would be less than a pixel high. */
const NARROWEST = 100;

type Size = Pick<ImageMetadata, "width" | "height">;

function sizeProblem({ width, height }: Size, remedy: string): string | undefined {
  if (Math.max(width, height) > NARROWEST * Math.min(width, height))
    return `has ${count(width)} × ${count(height)} pixels, so one side is more than ${NARROWEST} times the other. Put it on a larger ground, or cut it.`;
  if (Math.max(width, height) <= LONGEST_SIDE && width * height <= MOST_PIXELS) return undefined;
  const [has, most] = [
    `${count(width)} × ${count(height)}`,
    `${count(LONGEST_SIDE)} on a side and ${MOST_PIXELS / 1e6} million in total`,
  ];
  return `has ${has} pixels. The limit is ${most}. ${remedy}`;
}

const count = (number: number) => number.toLocaleString("en");

async function drawingProblem(bytes: Buffer): Promise<string | undefined> {
  if (!isUtf8(bytes)) {
    const photograph = await readSize(bytes);
    return photograph ? typeProblem(photograph.format, ".svg") : "isn't in UTF-8. Save it as UTF-8.";
  }
  const problem = svgProblem(bytes.toString("utf8"));
  if (problem !== undefined) return problem;
  const size = await readSize(bytes);
  if (size?.format !== "svg" || Math.min(size.width, size.height) === 0) return sizeAdvice(bytes.toString("utf8"));
  const remedy = 'Set width and height of its <svg> in the same proportion, such as width="800" and height="600".';
  const tooLarge = sizeProblem(size, remedy);
  if (tooLarge !== undefined || !/style/i.test(bytes.toString("utf8"))) return tooLarge;
  // A style wins over attributes where a PNG is made of it.
  const { width = 0, height = 0 } = await sharp(bytes)
    .metadata()
    .catch((): Partial<Metadata> => ({}));
  if (Math.min(width, height) === 0) return "has a style that leaves it no size. Delete width and height in the style.";
  return sizeProblem({ width, height }, "Delete width and height in its style.");
}

/** What to write where Astro reads no size, or a size of zero pixels. */
function sizeAdvice(text: string): string {
  const { viewBox, width, height } = rootOf(text);
  const box = (viewBox ?? "")
    .trim()
    .split(/\s*,\s*|\s+/)
    .map(Number);
  const [, , wide = 0, high = 0] = box;
  const isMeant = box.length === 4 && box.every(Number.isFinite) && wide > 0 && high > 0;
  const right = box.join(" ");
  if (isMeant && Math.min(wide, high) >= 1 && right !== viewBox)
    return `has a viewBox that can't be read. Write viewBox="${right}" in its <svg>.`;
  const [first, second] = isMeant ? proportion(wide, high) : [800, 600];
  const example = `width="${first}" and height="${second}"`;
  if (text.search(/<svg[\s>]/) > MOST_BEFORE_SVG || text.indexOf(">", text.search(/<svg[\s>]/)) > MOST_BEFORE_SVG)
    return `has more than ${count(MOST_BEFORE_SVG)} characters before the end of its <svg …>. Save it as “plain SVG”.`;
  return width === undefined && height === undefined && !isMeant
    ? 'needs a size. Set width and height of its <svg>, or viewBox="0 0 800 600".'
    : `has a size that can't be read, or of less than a pixel. Write ${example} in its <svg>, as plain numbers.`;
}

/** As far as Astro reads, in bytes. */
const MOST_BEFORE_SVG = 1000;

/** 800 pixels for the longer side. */
const proportion = (wide: number, high: number) =>
  [wide, high].map((side) => Math.max(1, Math.round((800 * side) / Math.max(wide, high))));

/** The attributes of a drawing's <svg>. */
function rootOf(text: string): Record<string, string | undefined> {
  let attributes: Record<string, string> | undefined;
  const parser = new SaxesParser();
  parser.on("opentag", (tag) => {
    attributes ??= tag.attributes;
  });
  parser.write(text).close();
  return attributes ?? {};
}

async function photographProblem(bytes: Buffer, ending: string): Promise<string | undefined> {
  const size = await readSize(bytes);
  if (size === undefined) return "can't be read as a picture. Save it again as a JPG or PNG.";
  const problem =
    typeProblem(size.format, ending) ?? sizeProblem(size, "Save it smaller: 2,000 pixels wide is plenty.");
  if (problem !== undefined) return problem;
  try {
    // Astro would fill the missing part with grey.
    await sharp(bytes, { failOn: "truncated" }).resize(1).toBuffer();
    return undefined;
  } catch {
    return "is damaged. Save it again.";
  }
}

function typeProblem(type: string, ending: string): string | undefined {
  if (!pictureTypes.includes(type)) return `is a ${type} file. Save it as a JPG or PNG.`;
  if (`.${type}` === ending.replace("jpeg", "jpg")) return undefined;
  return `is a ${type} file, but its name ends in ${ending}. Rename it.`;
}

/** Type and size, read by Astro's own function. */
const readSize = async (bytes: Buffer): Promise<(Size & Pick<ImageMetadata, "format">) | undefined> =>
  imageMetadata(bytes).catch(() => undefined);

const svg = "http://www.w3.org/2000/svg";

// Elements that run scripts or load other files: SVG 2, 15 (scripting), 12.3 (foreignObject), SVG Tiny 1.2 (handler,
// listener).
const forbiddenTags = /^(script|foreignobject|handler|listener|iframe|embed|object|audio|video)$/i;
const rasterTypes = pictureTypes.filter((type) => type !== "svg").join("|");
const ownReference = new RegExp(`^\\s*(#|data:image/(${rasterTypes})[;,])`, "i");
// In a style: references to other files, and escapes, which could hide one.
const foreignStyle = /@import|\\|:\/\/|(?<![\w-])(?:image|image-set|src)\(|url\((?!\s*["']?(?:#|data:image\/(?!svg)))/i;

/**
 * Why an SVG can't be published: it isn't well-formed, could run a script, or needs other files. The rest of a sentence
 * that starts with the picture's name; undefined when it can.
 */
export function svgProblem(text: string): string | undefined {
  let problem: string | undefined;
  let style: string | undefined;
  let depth = 0;
  const parser = new SaxesParser({ xmlns: true });
  const report = (what: string | undefined) => {
    problem ??= what && `${what} in line ${parser.line}. Save it as “plain SVG”, without scripts and links.`;
  };
  const readStyle = (part: string) => {
    if (style !== undefined) style += part;
  };
  parser.on("error", ({ message }) => report(`isn't a well-formed SVG (${message.replace(/^[\d:]+ |\.$/g, "")})`));
  parser.on("xmldecl", ({ encoding = "UTF-8" }) => {
    if (!/^utf-8$/i.test(encoding)) problem ??= `says that it is in ${encoding}. Save it as UTF-8.`;
  });
  parser.on("doctype", (doctype) => {
    if (doctype.includes("[")) report("defines entities in its DOCTYPE");
  });
  parser.on("processinginstruction", ({ target }) => report(`has a <?${target}?>`));
  parser.on("opentag", (tag) => {
    if (depth++ === 0 && (tag.local !== "svg" || tag.uri !== svg)) report(`doesn't start with <svg xmlns="${svg}">`);
    report(tagProblem(tag));
    if (tag.local === "style") style = "";
  });
  parser.on("text", readStyle);
  parser.on("cdata", readStyle);
  parser.on("closetag", ({ local }) => {
    if (local !== "style") return;
    if (style !== undefined && foreignStyle.test(style)) report("has a style that refers to other files");
    style = undefined;
  });
  parser.write(text).close();
  return problem;
}

function tagProblem({ local, uri, attributes }: SaxesTagNS): string | undefined {
  if (forbiddenTags.test(local) || uri === "http://www.w3.org/1999/xhtml") return `contains <${local}>`;
  for (const attribute of Object.values(attributes)) {
    const problem = svgAttributeProblem(attribute);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function svgAttributeProblem({ local, uri, name, value }: SaxesAttributeNS): string | undefined {
  if (uri === "" && /^on/i.test(local)) return `has the attribute ${name}, which runs a script`;
  // Browsers drop control characters and spaces (URL standard, 4.4).
  if (/(java|vb)script:/i.test(value.replace(/[\0- ]/g, ""))) return `has a script in ${name}`;
  if (local === "href" && !ownReference.test(value)) return `refers to ${value}`;
  // An animation could set it later.
  if (local === "attributeName" && /^\s*(on|(\w+:)?href)/i.test(value)) return `animates ${value}`;
  const isStyle = local === "style" || /url\(/i.test(value);
  return isStyle && foreignStyle.test(value) ? `refers to other files in ${name}` : undefined;
}
