import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentRoot } from "../content-repository/content-root.ts";
import { type OldAddress, parseRedirects, REDIRECTS_FILE, writeParameter } from "../content-schema/redirects.ts";
import { readPath } from "../urls/paths.ts";

/** Lists former paths with the present ones; nginx doesn't serve dot files. */
export const movedListPath = "/.moved/list.txt";

/** Where an old address leads, percent-encoded; "" if it is gone. */
interface Moved {
  from: OldAddress;
  to: string;
  isPage: boolean;
}

/** Writes `movedFiles` of the list and of content/redirects.csv, and returns their paths in the site. */
export function writeMovedFiles(dist: string): string[] {
  const file = join(contentRoot(), "content", REDIRECTS_FILE);
  const rows = existsSync(file) ? readFileSync(file) : Buffer.of();
  const isPage = (path: string) => path === "/" || existsSync(join(dist, `${path}.html`));
  const files = movedFiles(readFileSync(join(dist, movedListPath), "utf8"), new TextDecoder().decode(rows), isPage);
  // Writing into one would change the last build, which shares it.
  for (const path of [ROWS, HOME]) rmSync(join(dist, path), { force: true });
  for (const [path, text] of files) writeFileSync(join(dist, path), text);
  return [...files.keys()];
}

const ROWS = ".moved/rows";
const HOME = ".moved/home";
/** So many parts has the file of rows; the first three digits of a SHA-256 say which one. */
const PARTS = 16 ** 3;

/**
 * The files, by their paths in the site, in which nginx finds old addresses (nginx/moved.js). `.moved/rows` has a part for the
 * first 12 bits of an address's SHA-256, so that of 100,000 rows nginx reads two dozen, and before them where each part
 * begins, and the last ends, in eight hexadecimal digits. A part begins with a line break, and each row is a line: the next
 * 84 bits, and then
 *
 * - `gone`, or `p /path` for a page, which has two faces, or `o /path` for anything else
 * - of a path whose rows have parameters, `?a&b`: the names of those by which they are found, as path`\0a=1` (a path that is
 *   asked for can have a `?`, but no NUL)
 * - of such a path with its parameter, all parameters of the row, and where it leads: `a=1&c=2 p /path`
 *
 * `.moved/home` says that the home page has such rows, so that nginx needn't look for others'.
 *
 * @param list what is at `movedListPath`
 * @param csv content/redirects.csv
 * @param isPage whether a path is a page's
 */
export function movedFiles(list: string, csv: string, isPage: (path: string) => boolean): Map<string, string> {
  const listed = list.split("\n").flatMap((line): Moved[] => {
    const [from = "", to] = line.split(" ");
    return to === undefined ? [] : [{ from: { path: decodeURI(from), query: [] }, to, isPage: true }];
  });
  const { redirects } = csv === "" ? { redirects: [] } : parseRedirects(csv.replaceAll("\r\n", "\n"));
  const rows = redirects.map(({ from, to }): Moved => {
    const [path = ""] = to.split(/[?#]/, 1);
    return { from, to: encodeTarget(to), isPage: to.startsWith("/") && isPage(readPath(path)) };
  });
  const all = [...listed, ...rows].flatMap(inBothForms);
  return new Map([
    ...(all.length > 0 ? [[ROWS, writeRows(linesOf(all))] as const] : []),
    ...(all.some(({ from }) => from.path === "") ? [[HOME, ""] as const] : []),
  ]);
}

function encodeTarget(to: string): string {
  if (to === "") return "";
  const { href, pathname, search, hash } = new URL(to, "https://shop.invalid");
  return to.startsWith("/") ? encodeURI(readPath(pathname)) + search + hash : href;
}

/** The address, and as programs on a Mac write it, letters and their accents apart (UAX #15, NFD). */
const inBothForms = (moved: Moved): Moved[] => {
  const path = moved.from.path.normalize("NFD");
  return path === moved.from.path ? [moved] : [moved, { ...moved, from: { ...moved.from, path } }];
};

type Line = readonly [key: string, line: string];

function linesOf(all: readonly Moved[]): Line[] {
  const byPath = Map.groupBy(all, ({ from }) => from.path);
  return [...byPath].flatMap(([path, rows]) => {
    const plain = rows.filter(({ from }) => from.query.length === 0);
    const asked = rows.filter(({ from }) => from.query.length > 0);
    return [...plain.map((moved): Line => [path, describe(moved)]), ...linesOfQueries(path, asked)];
  });
}

function linesOfQueries(path: string, rows: readonly Moved[]): Line[] {
  if (rows.length === 0) return [];
  const all = rows.map((moved) => ({ parameters: moved.from.query.map(writeParameter), moved }));
  // A row is found by its rarest parameter: of OpenCart's, not by route=product/product.
  const uses = new Map<string, number>();
  for (const parameter of all.flatMap(({ parameters }) => parameters))
    uses.set(parameter, (uses.get(parameter) ?? 0) + 1);
  const found = all.map(({ parameters, moved }) => {
    const [rarest = ""] = parameters.toSorted((a, b) => (uses.get(a) ?? 0) - (uses.get(b) ?? 0));
    return [rarest, `${parameters.join("&")} ${describe(moved)}`] as const;
  });
  const names = new Set(found.map(([parameter]) => parameter.slice(0, parameter.indexOf("="))));
  return [
    [path, `?${[...names].join("&")}`],
    ...found.map(([parameter, line]): Line => [`${path}\0${parameter}`, line]),
  ];
}

const describe = ({ to, isPage }: Moved): string => (to === "" ? "gone" : `${isPage ? "p" : "o"} ${to}`);

function writeRows(lines: readonly Line[]): string {
  const parts: string[][] = Array.from({ length: PARTS }, () => []);
  for (const [key, line] of lines) {
    const digest = createHash("sha256").update(key).digest("hex");
    parts[Number.parseInt(digest.slice(0, 3), 16)]?.push(`${digest.slice(3, 24)} ${line}\n`);
  }
  const texts = parts.map((part) => (part.length > 0 ? `\n${part.join("")}` : ""));
  const places = [8 * (PARTS + 1)];
  for (const text of texts) places.push((places.at(-1) ?? 0) + text.length);
  return [...places.map((place) => place.toString(16).padStart(8, "0")), ...texts].join("");
}
