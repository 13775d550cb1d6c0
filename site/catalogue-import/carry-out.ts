import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { forEachAtMost } from "../build/files.ts";
import { writeCategory } from "./categories.ts";
import { Refused } from "./fetch-picture.ts";
import { hashOf } from "./memory.ts";
import { placePicture } from "./pictures.ts";
import { finishProduct, type Importing, imagesOf, PLACEHOLDER_SOURCE, type Plan, type PlannedProduct } from "./plan.ts";
import { putFile } from "./put-file.ts";
import { addRedirects } from "./redirect-rows.ts";
import { REPORT_FILE, writeReport } from "./report.ts";

/** As many connections as a browser has to one host, less two. */
const AT_ONCE = 4;

/** Beside content/: for `npm run stock -- read`. */
export const PIECES_FILE = "import-pieces.csv";

const placeholder = readFileSync(new URL("../commands/new-content/placeholder.svg", import.meta.url));

/** What an import has done. */
export interface Done {
  products: number;
  pictures: number;
  lost: string[];
  redirects: number;
  pieces: number;
}

/**
 * Does what a plan says: each product's pictures, then its file, so that a stopped import leaves whole products only, and
 * the next one goes on. `stop` ends it after the products at hand.
 */
export async function carryOut(
  root: string,
  plan: Plan,
  { content, shop, memory, pictures }: Importing,
  { stop, report }: { stop: AbortSignal; report: (done: Done) => void },
): Promise<Done> {
  const done: Done = { products: 0, pictures: 0, lost: [], redirects: 0, pieces: 0 };
  const written: PlannedProduct[] = [];
  for (const category of plan.categories)
    putFile(root, `content/categories/${category.slug}.md`, writeCategory(category, shop.name));
  const place = async (product: PlannedProduct): Promise<void> => {
    const paths = new Map(product.known);
    let isWhole = true;
    for (const source of product.wanted) {
      if (stop.aborted) return;
      try {
        const { bytes, type, isChanged } = await pictures.take(source);
        paths.set(source, placePicture(root, product.folder, product.slug, type, bytes));
        done.pictures += 1;
        if (isChanged) done.lost.push(`${product.name}: ${source} was scaled down or saved in another type`);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (stop.aborted) return;
        isWhole = false;
        done.lost.push(`${product.name}: ${source} ${error.message}`);
      }
    }
    const whole = withPicture(root, product, paths);
    const text = finishProduct(whole, paths);
    const found = product.wanted.flatMap((source) => (paths.has(source) ? [[source, paths.get(source) ?? ""]] : []));
    const before = Object.entries(Object.fromEntries(product.known)).filter(([source, path]) => source !== path);
    const { key, slug, skus } = product.entry;
    // Without what the export said, the next run asks again for the pictures that are missing.
    const source = isWhole ? product.entry.source : "";
    // In the order in which it is read again, so that Git shows what changed alone.
    const entry = {
      key,
      slug,
      source,
      written: hashOf(text),
      skus,
      pictures: Object.fromEntries([...before, ...found]),
    };
    memory.begin(entry);
    putFile(root, product.file, text);
    memory.keep(entry);
    dropPlaceholder(root, product, text);
    written.push(product);
    done.products += 1;
    report(done);
  };
  await forEachAtMost(plan.products, AT_ONCE, async (product) => {
    if (!stop.aborted) await place(product);
  });
  const slugs = content.pages.flatMap(({ kind, slug }) => (kind === "product" ? slug : []));
  done.redirects = addRedirects(root, written, new Set([...slugs, ...written.map(({ slug }) => slug)]));
  done.pieces = writePieces(root, written);
  memory.tidy();
  putFile(root, REPORT_FILE, writeReport(plan, { done: written.map(({ file }) => file).sort(), lost: done.lost }));
  return done;
}

/** A product needs a picture: without any of its own, it keeps those that it has, or has a placeholder. */
function withPicture(root: string, product: PlannedProduct, paths: Map<string, string>): PlannedProduct {
  const images = imagesOf(product.fields);
  const isWithout = images.every(({ src }) => !paths.has(src) || src === PLACEHOLDER_SOURCE);
  if (!isWithout) return product;
  const before = imagesOf(product.base?.data ?? {});
  if (before.length > 0) return { ...product, fields: { ...product.fields, images: before } };
  const path = placePicture(root, product.folder, product.slug, "svg", placeholder);
  paths.set(PLACEHOLDER_SOURCE, path);
  const { alt = "" } = images[0] ?? {};
  return { ...product, fields: { ...product.fields, images: [{ src: PLACEHOLDER_SOURCE, alt }] } };
}

/** Deletes the placeholder of a product that has pictures now. */
function dropPlaceholder(root: string, { base, folder }: PlannedProduct, text: string): void {
  for (const { src } of imagesOf(base?.data ?? {})) {
    const file = join(root, folder, src);
    if (src.endsWith(".svg") && !text.includes(src) && existsSync(file) && readFileSync(file).equals(placeholder))
      rmSync(file);
  }
}

/** The pieces on the shelf that the export names. */
function writePieces(root: string, products: readonly PlannedProduct[]): number {
  const rows = products.flatMap(({ pieces, isDraft }) => (isDraft ? [] : [...pieces]));
  if (rows.length === 0) return 0;
  putFile(root, PIECES_FILE, `sku,pieces\n${rows.map(([sku, pieces]) => `${cell(sku)},${pieces}\n`).join("")}`);
  return rows.length;
}

const cell = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
