import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The pages about the API, which come with the program. */
export const FOLDER = join(import.meta.dirname, "..", "src", "developers", "pages");

/** Their slugs, which no page of content/ has. */
export const developersSlugs: readonly string[] = readdirSync(FOLDER).map((name) => name.replace(".mdx", ""));

/** The one that a text of content/pages/ is added to. */
export const ADDED_TO = "developers";

/** What to do with a page in content/ whose place the program's has; undefined for any other page. */
export function replacedPage(slug: string, type: string): string | undefined {
  if (!developersSlugs.includes(slug) || (slug === ADDED_TO && type === "md")) return undefined;
  const advice = `Delete it. What your shop has to say to programmers goes into content/pages/${ADDED_TO}.md.`;
  return `This page comes with the program now, so the file isn't read. ${advice}`;
}
