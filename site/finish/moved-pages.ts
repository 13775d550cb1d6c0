import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Lists former paths with the present ones; nginx doesn't serve dot files. */
export const movedListPath = "/.moved/list.txt";

/**
 * Writes a file `.moved/<former path>.to` for each line of the list, which contains the present path. nginx reads it where
 * there is no page (nginx/moved.js). The ending keeps a category's file apart from the folder of its later pages.
 */
export function writeMovedFiles(dist: string): void {
  const list = readFileSync(join(dist, movedListPath), "utf8");
  for (const line of list.split("\n").filter(Boolean)) {
    const [former = "", present = ""] = line.split(" ");
    const file = join(dist, ".moved", `${former}.to`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, present);
  }
}
