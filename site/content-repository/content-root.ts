import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * The folder that contains content/: the project's, or the one that a build has checked out (checkout.ts). Builds and the dev
 * server run in site/, and pages are rendered from a bundle, which doesn't know where it was.
 */
export const contentRoot = (): string => process.env["CONTENT_ROOT"] ?? resolve("..");

// As many as 300 products with a picture each.
const mostFilesOfASmallShop = 600;

/**
 * Whether threads make the build of a shop faster. Each loads the modules that it needs anew, which takes as long as hundreds
 * of pages.
 */
export const isLargeShop = (): boolean =>
  readdirSync(join(contentRoot(), "content"), { recursive: true }).length > mostFilesOfASmallShop;
