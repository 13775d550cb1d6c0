import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCatalogue } from "../../catalogue-generator.ts";
import { addCleanup } from "../../cleanup.ts";
import { copyWorkspace } from "../../workspace.ts";

/** A copy of the project whose catalogue has been filled up. */
export interface Shop {
  folder: string;
  products: number;
}

/** Makes a shop with so many products, those of the demo shop among them; it goes when the bench ends. */
export function makeShop(products: number): Shop {
  const folder = copyWorkspace();
  removeAtEnd(folder);
  const content = join(folder, "content");
  writeCatalogue(content, { products: products - globSync("products/*/*.md", { cwd: content }).length });
  return { folder, products };
}

/** An empty folder, which goes when the bench ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-bench-"));
  removeAtEnd(folder);
  return folder;
}

/** A build that was stopped may still be writing as its folder goes. */
const removeAtEnd = (folder: string) =>
  addCleanup(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/**
 * Throws unless a build wrote a page of each product, in HTML and, where it is to have both faces, in Markdown.
 *
 * @param dist the folder that the build wrote; products are directly below its `products/`
 */
export function checkFaces(dist: string, { products }: Shop, faces: "HTML" | "both"): void {
  const pages = (extension: string) => globSync(`products/*.${extension}`, { cwd: dist }).length;
  const [html, markdown] = [pages("html"), pages("md")];
  const hasMarkdown = faces === "both" ? markdown >= products : markdown === 0;
  if (html >= products && hasMarkdown) return;
  throw new Error(
    `${dist} has ${html} products in HTML and ${markdown} in Markdown: it is to have ${products} of ${faces}`,
  );
}
