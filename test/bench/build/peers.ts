import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkFaces, makeFolder, type Shop } from "./shop.ts";
import { measureUsage, type Usage } from "./usage.ts";

const ELEVENTY = fileURLToPath(new URL("../cmd.cjs", import.meta.resolve("@11ty/eleventy")));

/** Copies a shop's products and categories to a Hugo project. Returns a function that builds both faces from nothing. */
export function prepareHugo(shop: Shop): () => Promise<Usage> {
  const folder = makeProject("hugo", shop, "static/pictures");
  // Hugo reads a section's own text from _index.md among its pages.
  for (const file of globSync("categories/*.md", { cwd: join(shop.folder, "content") }))
    copyFile(join(shop.folder, "content", file), join(folder, "content/products", basename(file, ".md"), "_index.md"));
  return () => build(folder, "public", shop, "hugo", ["--quiet", "--cacheDir", join(folder, "cache")]);
}

/** Copies a shop's products and categories to an Eleventy project. Returns a function that builds both faces from nothing. */
export function prepareEleventy(shop: Shop): () => Promise<Usage> {
  const folder = makeProject("eleventy", shop, "pictures");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  for (const file of globSync("categories/*.md", { cwd: join(shop.folder, "content") }))
    copyFile(join(shop.folder, "content", file), join(folder, "content", file));
  return () => build(folder, "_site", shop, process.execPath, [ELEVENTY, "--quiet"]);
}

/** Copies a peer's templates and the products to a new folder. Returns its path. */
function makeProject(peer: string, shop: Shop, pictures: string): string {
  const folder = makeFolder();
  cpSync(join(import.meta.dirname, peer), folder, { recursive: true });
  const products = join(shop.folder, "content", "products");
  for (const file of globSync("*/*.{md,svg}", { cwd: products }))
    copyFile(join(products, file), join(folder, extname(file) === ".md" ? "content/products" : pictures, file));
  return folder;
}

function copyFile(from: string, to: string): void {
  mkdirSync(join(to, ".."), { recursive: true });
  cpSync(from, to);
}

async function build(cwd: string, dist: string, shop: Shop, program: string, args: string[]): Promise<Usage> {
  rmSync(join(cwd, dist), { recursive: true, force: true });
  const usage = await measureUsage(program, program, args, { cwd });
  checkFaces(join(cwd, dist), shop, "both");
  return usage;
}
