import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { signInPages } from "../../site/admin/frame/sign-in-page.ts";

const PUBLIC = join(import.meta.dirname, "../../site/public");
const STYLES = join(import.meta.dirname, "../../site/src/styles");

/** /admin/admin.css as a build writes it for a shop without colours of its own. */
export const adminSheet = (): string =>
  ["tokens.css", "admin.css"].map((file) => readFileSync(join(STYLES, file), "utf8")).join("\n");

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
