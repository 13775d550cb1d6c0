import { resolve } from "node:path";

/**
 * The folder that contains content/: the project's, or the one that a build has checked out (checkout.ts). Builds and the dev
 * server run in site/, and pages are rendered from a bundle, which doesn't know where it was.
 */
export const contentRoot = (): string => process.env["CONTENT_ROOT"] ?? resolve("..");
