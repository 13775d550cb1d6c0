import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ADDED_TO, FOLDER } from "../content-schema/developers-pages.ts";
import { factOf, type PageFile } from "./content-files.ts";
import type { Problem } from "./problem.ts";

const FOLDER_IN_PROJECT = "site/src/developers/pages";

/** The pages about the API, which are the program's: texts of content/ may link to them and their headings. */
export function readDevelopersPages(): PageFile[] {
  return readdirSync(FOLDER).map((name) => ({
    kind: "page",
    file: `${FOLDER_IN_PROJECT}/${name}`,
    slug: name.replace(".mdx", ""),
    category: undefined,
    isMdx: true,
    isDraft: false,
    text: readFileSync(join(FOLDER, name), "utf8"),
  }));
}

/** Finds headings in the text that a shop adds: the program's text has them, and an address of each. */
export const findAddedHeadings = factOf("addedHeadings", ({ page, text, textLine }): Problem[] => {
  if (page.kind !== "page" || page.slug !== ADDED_TO) return [];
  return (text ?? "").split("\n").flatMap((line, index) => {
    if (!/^ {0,3}#{1,6}\s/.test(line)) return [];
    const message = "This text stands above the program's, which has the headings. Write paragraphs, lists and links.";
    return { file: page.file, line: textLine + index, message };
  });
});
