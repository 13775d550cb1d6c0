import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { signInPages } from "../../site/admin/frame/sign-in-page.ts";
import { adminSheet } from "../site/admin/admin-sheet.ts";

const PUBLIC = join(import.meta.dirname, "../../site/public");

/** What a build has for signing in, beside a home page: the pages in a locale, the style sheet and the script, by their paths. */
export function signInFiles(locale = "en-IE"): Record<string, string> {
  const pages = [...signInPages({ name: "Counter & Well", locale })];
  const files = globSync("admin/*", { cwd: PUBLIC });
  return {
    "index.html": "<html>",
    "admin/admin.css": adminSheet(),
    ...Object.fromEntries(pages.map(([page, text]) => [`.session/admin/${page}`, text])),
    ...Object.fromEntries(files.map((file) => [file, readFileSync(join(PUBLIC, file), "utf8")])),
  };
}
