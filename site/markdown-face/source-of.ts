import { globSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/**
 * The file that a built page was made of: `products/tavrel-pip.html` → `content/products/barcode-scanners/tavrel-pip.md`.
 * The page itself where no file of content/ is its own.
 */
export function sourceOf(page: string): string {
  const path = page.replace(/\.html$/, "").replace(/\/page\/\d+$/, "");
  const [folder, slug] = path.includes("/") ? path.split("/") : ["pages", path === "index" ? "home" : path];
  const [file] = globSync(`content/${folder}/{,*/}${slug}.{md,mdx}`, { cwd: root });
  return file ?? page;
}
