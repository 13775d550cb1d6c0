import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const PACKAGE = createRequire(import.meta.url).resolve("astro/package.json");

/** Imports a module of Astro's that isn't public, and so has no types, by its path in `dist`. */
export const importAstro = (path: string) => importFile(join(PACKAGE, "..", "dist", path));

/** Imports a package that Astro depends on. */
export const importDependency = (name: string) => importFile(createRequire(PACKAGE).resolve(name));

// The dev server's content needs this, too, and Vite warns of what it can't follow.
const importFile = (file: string) => import(/* @vite-ignore */ pathToFileURL(file).href);
