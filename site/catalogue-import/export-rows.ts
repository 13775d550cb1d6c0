import { type ContentFiles, type PageFile, readContentFiles } from "../content-check/content-files.ts";
import { formatProblem } from "../content-check/problem.ts";
import { checkStoreFile } from "../content-check/store-file.ts";
import { ContentError } from "../content-schema/content-error.ts";
import type { Shop } from "../content-schema/shop.ts";
import { FLAT_COLUMNS, writeFlatRows } from "./formats/flat-table.ts";
import type { Target } from "./formats/foreign-product.ts";
import { indexProducts } from "./plan.ts";
import { readProduct } from "./product-file.ts";

/**
 * The shop that products are brought into.
 *
 * @throws ContentError while its store.yaml is wrong
 */
export function readTarget(root: string): { content: ContentFiles; shop: Shop; target: Target } {
  const content = readContentFiles(root);
  const { shop, problems } = checkStoreFile(root);
  const [problem] = problems.filter(({ isWarning }) => !isWarning);
  if (problem !== undefined || shop === undefined)
    throw new ContentError(problem ? formatProblem(problem) : "content/store.yaml can't be read.");
  const { bySlug, skus } = indexProducts(content.pages);
  const target = {
    ...{ currency: shop.currency, locale: shop.locale, taxClasses: Object.keys(shop.tax.classes ?? {}) },
    productOf: (sku: string) => skus.get(sku),
    rowsOf: (slug: string) => {
      const page = bySlug.get(slug);
      return page === undefined ? [] : rowsOf(page);
    },
  };
  return { content, shop, target };
}

function rowsOf({ file, slug, category = "", text }: PageFile): string[][] {
  const { data, body } = readProduct(file, text);
  return writeFlatRows(slug, category, data, body);
}

/** With a mark by which spreadsheets know UTF-8. Throws ContentError for a product whose file can't be read. */
export function exportCatalogue(root: string): { csv: string; products: number } {
  const products = readContentFiles(root).pages.filter(({ kind }) => kind === "product");
  const rows = products.flatMap(rowsOf);
  return { csv: `\uFEFF${[[...FLAT_COLUMNS], ...rows].map(writeRow).join("")}`, products: products.length };
}

/** RFC 4180. */
const writeRow = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`;
