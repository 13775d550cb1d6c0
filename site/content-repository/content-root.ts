import { existsSync, readdirSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { ContentError } from "../content-schema/content-error.ts";

/**
 * The folder that contains content/: the project's, one beside it (CONTENT_ROOT), or the one that a build has checked out
 * (checkout.ts). Builds and the dev server run in site/, and pages are rendered from a bundle, which doesn't know where it was.
 */
export const contentRoot = (): string => process.env["CONTENT_ROOT"] || resolve("..");

/** What Vite and patterns of files take for something else in a path. */
export const ODD_IN_PATHS = /[#?%*[\]{}()!\\]/;

/** Why content/ can't be read in CONTENT_ROOT; undefined if it can, or if it isn't set. */
export function contentRootProblem(folder: string | undefined): string | undefined {
  if (!folder) return undefined;
  const place = `CONTENT_ROOT=${folder}`;
  if (!isAbsolute(folder))
    return `${place} isn't an absolute path. Write the path of the folder that has content/ in it, from / on.`;
  const [odd] = ODD_IN_PATHS.exec(folder) ?? [];
  if (odd !== undefined) return `${place} has ${odd} in it, which a build would misread. Rename the folder.`;
  if (existsSync(join(folder, "content", "store.yaml"))) return undefined;
  if (existsSync(join(folder, "store.yaml")))
    return `${place} is the folder content/ itself. Write the one above it: CONTENT_ROOT=${resolve(folder, "..")}`;
  const fault = existsSync(folder) ? "has no content/store.yaml" : "doesn't exist";
  return `${place} ${fault}. \`npm run new:shop -- FOLDER\` makes a shop. Without CONTENT_ROOT, the demo's content/ is read.`;
}

/**
 * Reads .env of the project, whose settings the environment wins over, and returns the folder that contains content/. Throws
 * ContentError if that is wrong.
 */
export function openContentRoot(project: string): string {
  const settings = join(project, ".env");
  if (existsSync(settings)) process.loadEnvFile(settings);
  const problem = contentRootProblem(process.env["CONTENT_ROOT"]);
  if (problem !== undefined) throw new ContentError(problem);
  return process.env["CONTENT_ROOT"] || project;
}

// As many as 300 products with a picture each.
const mostFilesOfASmallShop = 600;

/**
 * Whether threads make the build of a shop faster. Each loads the modules that it needs anew, which takes as long as hundreds
 * of pages.
 */
export const isLargeShop = (): boolean =>
  readdirSync(join(contentRoot(), "content"), { recursive: true }).length > mostFilesOfASmallShop;
