import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

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
  return listFolder(folder, "").sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Folder by folder: `recursive` follows links to folders, for ever if one leads up. */
const listFolder = (folder: string, prefix: string): StaticFile[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry): StaticFile[] => {
    const file = join(folder, entry.name);
    const path = prefix + entry.name;
    if (entry.isDirectory()) return listFolder(file, `${path}/`);
    const isOdd = !entry.isFile();
    return [{ path, bytes: isOdd ? 0 : statSync(file).size, isOdd }];
  });
