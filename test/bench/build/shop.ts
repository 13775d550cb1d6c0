import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCatalogue } from "../../catalogue-generator.ts";
import { addCleanup } from "../../cleanup.ts";
import { copyWorkspace } from "../../workspace.ts";

/** A copy of the project with a generated catalogue. */
export interface Shop {
  folder: string;
  products: number;
}

/** Creates a shop with `products` products, including the demo shop's. The bench removes it at its end. */
export function makeShop(products: number): Shop {
  const folder = copyWorkspace();
  removeAtEnd(folder);
  const content = join(folder, "content");
  writeCatalogue(content, { products: products - globSync("products/*/*.md", { cwd: content }).length });
  return { folder, products };
}

/** Creates a shop with the content of another. The bench removes it at its end. */
export function copyShop({ folder, products }: Shop): Shop {
  const copy = copyWorkspace(join(folder, "content"));
  removeAtEnd(copy);
  return { folder: copy, products };
}

/** Creates an empty folder. The bench removes it at its end. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-bench-"));
  removeAtEnd(folder);
  return folder;
}

/** With retries, because an interrupted build may still be writing. */
const removeAtEnd = (folder: string) =>
  addCleanup(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/**
 * Throws unless a build wrote a page for each product: in HTML, and for both faces in Markdown too.
 *
 * @param dist the build's output folder, with the products in `products/`
 */
export function checkFaces(dist: string, { products }: Shop, faces: "HTML" | "both"): void {
  const pages = (extension: string) => globSync(`products/*.${extension}`, { cwd: dist }).length;
  const [html, markdown] = [pages("html"), pages("md")];
  const hasMarkdown = faces === "both" ? markdown >= products : markdown === 0;
  if (html >= products && hasMarkdown) return;
  throw new Error(`${dist} has ${html} products in HTML and ${markdown} in Markdown; expected ${products} of ${faces}`);
}
