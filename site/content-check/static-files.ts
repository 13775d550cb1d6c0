import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { listStaticFiles, STATIC_FOLDER, type StaticFile } from "../static-files/list-static-files.ts";
import { homePath, searchPath, securityTxtPath } from "../urls/paths.ts";
import { resources, type Targets } from "./links.ts";
import type { Problem } from "./problem.ts";
import { isApis } from "./redirects.ts";

const types = ["txt", "xml", "json", "html", "ico", "png", "webp", "woff2", "pdf"];

/** What a browser would run, or take styles from, as if the shop had written it. */
const refused: Readonly<Record<string, string>> = {
  js: "Scripts aren't served: a page must not be able to do more than the shop's own code.",
  mjs: "Scripts aren't served: a page must not be able to do more than the shop's own code.",
  css: "Styles of your own go into content/theme.css.",
  svg: "A drawing opened by itself can run scripts. Save it as PNG or WebP, or put it beside the text that shows it.",
  md: "A text with an address of its own goes into content/pages/.",
  jpg: "Save it as WebP or PNG.",
  jpeg: "Save it as WebP or PNG.",
};

const WELL_KNOWN = ".well-known/";
/** As nginx takes them (nginx/conf/well-known.conf). */
const plainPart = /^[A-Za-z0-9][\w.-]*$/;

const MOST_BYTES = 5_000_000;
const MOST_BYTES_IN_ALL = 20_000_000;

/** Finds files of content/static/ that can't be served, or would stand where the shop has something else. */
export function findStaticProblems(root: string, targets: Targets): Problem[] {
  const files = listStaticFiles(root);
  const first = new Map<string, string>();
  const problems = files.flatMap((file): Problem[] => {
    const twin = first.get(file.path.toLowerCase());
    first.set(file.path.toLowerCase(), twin ?? file.path);
    const message =
      nameProblem(file) ??
      (twin && `${twin} differs from it in capitals only, which Windows and macOS can't tell apart. Rename one.`) ??
      addressProblem(`/${file.path}`, targets) ??
      sizeProblem(file) ??
      contentProblem(root, file);
    return message === undefined ? [] : [{ file: `content/${STATIC_FOLDER}/${file.path}`, message }];
  });
  const sum = files.reduce((total, { bytes }) => total + bytes, 0);
  if (sum <= MOST_BYTES_IN_ALL) return problems;
  const message = `All files together have ${megabytes(sum)}, and the limit is ${megabytes(MOST_BYTES_IN_ALL)}. Put large downloads elsewhere, or beside the product that they belong to.`;
  return [...problems, { file: `content/${STATIC_FOLDER}/`, message }];
}

/** The addresses of the files, to which texts may link. */
export const staticPaths = (root: string): ReadonlySet<string> =>
  new Set(listStaticFiles(root).flatMap(({ path, isOdd }) => (isOdd ? [] : `/${path}`)));

function nameProblem({ path, isOdd }: StaticFile): string | undefined {
  const isWellKnown = path.startsWith(WELL_KNOWN);
  const parts = (isWellKnown ? path.slice(WELL_KNOWN.length) : path).split("/");
  if (isOdd) return "A link to another file isn't followed. Put the file itself here.";
  if (parts.some((part) => part.startsWith(".")))
    return "Hidden files aren't served, except those in .well-known/. Delete it, or rename it without the dot.";
  const odd = parts.find((part) => !plainPart.test(part));
  if (odd !== undefined) {
    const right = odd
      .normalize("NFKD")
      .replaceAll(/\p{M}/gu, "")
      .replaceAll(/[^\w.-]+/g, "-")
      .replace(/^[^A-Za-z0-9]+/, "");
    const example = plainPart.test(right) ? right : "file.txt";
    return `A name here has letters a to z, digits, points, hyphens and underscores, and begins with a letter or a digit. Rename \`${odd}\` to \`${example}\`.`;
  }
  const type = posix.extname(path).slice(1);
  if (types.includes(type) || (type === "" && isWellKnown)) return undefined;
  if (types.includes(type.toLowerCase()))
    return `The ending must be in lowercase letters. Rename it: \`${posix.basename(path, `.${type}`)}.${type.toLowerCase()}\`.`;
  if (type === "") return "A file without an ending is served in .well-known/ only. Add the ending, such as `.txt`.";
  const why = refused[type.toLowerCase()] ?? "";
  return `Files of this type aren't served from here. ${why || `Use a file that ends in ${types.join(", ")}.`}`;
}

function addressProblem(path: string, { pages, drafts, formerly }: Targets): string | undefined {
  if (path === securityTxtPath)
    return "The shop makes this file from `security` in content/store.yaml. Write the contact there, and delete this file.";
  if (resources.has(path)) return `The shop makes ${path} itself, and serves that instead. Delete this file.`;
  if (isApis(path) || path.startsWith(`${searchPath}/`) || path.startsWith("/.well-known/acme-challenge/"))
    return `The shop itself answers addresses like ${path}, so nobody would get this file. Choose another name.`;
  const made = ["/documents/", "/llms/", "/sitemaps/"].find((folder) => path.startsWith(folder));
  if (made !== undefined)
    return `The shop has files of its own at addresses that begin with ${made}. Choose another folder.`;
  if (!path.endsWith(".html")) return undefined;
  const plain = path.slice(0, -".html".length);
  const page = plain === "/index" ? homePath : plain;
  if (pages.has(page) || drafts.has(page) || /^\/(?:404|410)$/.test(page))
    return `The shop has a page at ${page}, to which ${path} leads. Choose another name.`;
  const now = formerly.get(page);
  return now === undefined
    ? undefined
    : `The page \`${now}\` was formerly at ${page}, and ${path} leads to it. Choose another name.`;
}

function sizeProblem({ bytes }: StaticFile): string | undefined {
  if (bytes === 0) return "The file is empty. Delete it, or save it again.";
  if (bytes <= MOST_BYTES) return undefined;
  return `The file has ${megabytes(bytes)}, and the limit is ${megabytes(MOST_BYTES)}. Save it smaller, or put it elsewhere.`;
}

function contentProblem(root: string, { path }: StaticFile): string | undefined {
  if (!path.endsWith(".json")) return undefined;
  try {
    JSON.parse(readFileSync(join(root, "content", STATIC_FOLDER, path), "utf8").replace(/^\ufeff/, ""));
    return undefined;
  } catch (error) {
    return `The file isn't valid JSON (${error instanceof Error ? error.message : error}). Correct it.`;
  }
}

const megabytes = (bytes: number) => `${(Math.ceil(bytes / 100_000) / 10).toFixed(1)} MB`;
