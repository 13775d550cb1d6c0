import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const PACKAGE = createRequire(import.meta.url).resolve("astro/package.json");

/** Imports a module of Astro's that isn't public, by its path in `dist`. */
// biome-ignore lint/suspicious/noExplicitAny: Astro has no types for these modules.
export const importAstro = (path: string): Promise<any> => importFile(join(PACKAGE, "..", "dist", path));

/** Imports a package that Astro depends on. */
// biome-ignore lint/suspicious/noExplicitAny: nor for these.
export const importDependency = (name: string): Promise<any> => importFile(createRequire(PACKAGE).resolve(name));

// The dev server's content needs it, too, and Vite warns of what it can't follow.
const importFile = (file: string) => import(/* @vite-ignore */ pathToFileURL(file).href);
