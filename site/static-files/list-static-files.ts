import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** The folder in content/ whose files the shop serves as they are, at addresses below its root. */
export const STATIC_FOLDER = "static";

/** A file of content/static/. */
export interface StaticFile {
  /** Below content/static/, with slashes: `.well-known/assetlinks.json`. */
  path: string;
  bytes: number;
  /** Neither a file nor a folder: most often a symbolic link, which is never followed. */
  isOdd: boolean;
}

/** Lists all files in `root`/content/static/, hidden ones too. */
export function listStaticFiles(root: string): StaticFile[] {
  const folder = join(root, "content", STATIC_FOLDER);
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  return entries
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const isOdd = !entry.isFile();
      return { path: relative(folder, file).split(sep).join("/"), bytes: isOdd ? 0 : statSync(file).size, isOdd };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
