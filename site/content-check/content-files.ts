import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { isDraft } from "../content-schema/draft.ts";
import { slugPattern, slugProblem } from "../content-schema/fields.ts";
import { reservedSlugs } from "../content-schema/page.ts";
import { disallowedPaths, pagePath } from "../urls/paths.ts";
import { pictureTypes } from "./pictures.ts";
import type { Problem } from "./problem.ts";
import { readTextFile } from "./text-file.ts";

export type Kind = "product" | "category" | "guide" | "page";

/** A page's file. `file` counts from the project's root on; `category` is a product's folder. */
export interface PageFile {
  kind: Kind;
  file: string;
  slug: string;
  category: string | undefined;
  isMdx: boolean;
  /** True for a page that a build leaves out: its mistakes hold up nobody. */
  isDraft: boolean;
  text: string;
}

export interface ContentFiles {
  pages: PageFile[];
  /** Every file below content/, pictures too, by its path from the project's root on. */
  paths: Set<string>;
  /** Files in a place, of a type or with a name that the shop can't use. */
  problems: Problem[];
}

const folders = new Map<string, { kind: Kind; depth: number; types: string[] }>([
  ["products", { kind: "product", depth: 4, types: ["md"] }],
  ["categories", { kind: "category", depth: 3, types: ["md"] }],
  ["guides", { kind: "guide", depth: 3, types: ["md", "mdx"] }],
  ["pages", { kind: "page", depth: 3, types: ["md", "mdx"] }],
]);

/** Reads the content folder below `root`. Files whose name begins with a dot belong to the system, not to the shop. */
export function readContentFiles(root: string): ContentFiles {
  const entries = readdirSync(join(root, "content"), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, sep).length).split(sep).join("/"))
    .sort();
  const pages: PageFile[] = [];
  const problems: Problem[] = [];
  for (const file of paths) {
    const page = readPage(root, file, problems);
    if (typeof page === "string") problems.push({ file, line: 1, message: page });
    else if (page !== undefined) pages.push(page);
  }
  return { pages, paths: new Set(paths), problems };
}

/** The page, a message when the file can't be one, or undefined when it is a picture or none of the shop's folders has it. */
function readPage(root: string, file: string, problems: Problem[]): PageFile | string | undefined {
  const parts = file.split("/");
  const rule = folders.get(parts[1] ?? "");
  const [, slug = "", type = ""] = /^(.*?)(?:\.([^.]*))?$/.exec(parts.at(-1) ?? "") ?? [];
  if (rule === undefined || pictureTypes.includes(type)) return undefined;
  const { kind, depth, types } = rule;
  if (!types.includes(type))
    return `A ${kind}'s file ends in ${types.map((name) => `.${name}`).join(" or ")}, a picture's in small letters.`;
  if (parts.length !== depth) return misplaced(kind);
  if (!slugPattern.test(slug)) return `The file's name ${slugProblem(slug)}`;
  if (kind === "page" && reservedSlugs.includes(slug))
    return `A page can't be called ${slug}: the shop itself answers there.`;
  const hidden = kind === "page" && disallowedPaths.find((path) => pagePath(slug).startsWith(path));
  if (hidden)
    return `Search engines pass by every address that begins with ${hidden} (robots.txt). Begin the name with another word: \`about-${slug}.${type}\`.`;
  const { text, problems: unreadable } = readTextFile(root, file);
  problems.push(...unreadable);
  const category = kind === "product" ? parts[2] : undefined;
  return { kind, file, slug, category, isMdx: type === "mdx", isDraft: isDraft(text), text };
}

function misplaced(kind: Kind): string {
  const place =
    kind === "product" ? "in the folder of its category: content/products/<category>/" : "in no folder below this one";
  return `A ${kind}'s file stands ${place}.`;
}
