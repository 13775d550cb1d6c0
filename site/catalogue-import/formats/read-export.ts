import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { ContentError } from "../../content-schema/content-error.ts";
import { decode, readTable } from "./csv-table.ts";
import { isFlat, readFlat } from "./flat-table.ts";
import type { ForeignCatalogue, Target } from "./foreign-product.ts";
import { isGoogleFeed, readGoogleTable, readGoogleXml } from "./google-feed.ts";
import { isShopify, readShopify } from "./shopify.ts";
import { isWooCommerce, readWooCommerce } from "./woocommerce.ts";

/** Ten times as many products as a shop here can have. */
const LARGEST_MB = 256;

/**
 * Reads a catalogue of another shop, in whichever format it is.
 *
 * @throws ContentError if the file is none of them
 */
export function readExport(path: string, target: Target): ForeignCatalogue {
  const name = basename(path);
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file?.isFile()) throw new ContentError(`${path} isn't a file.`);
  if (file.size > LARGEST_MB * 1024 * 1024)
    throw new ContentError(`${name} is larger than ${LARGEST_MB} MB. Export the catalogue in parts.`);
  try {
    const text = decode(readFileSync(path));
    if (/^\s*</.test(text)) return readGoogleXml(text, target);
    const table = readTable(text);
    if (isShopify(table)) return readShopify(table);
    if (isWooCommerce(table)) return readWooCommerce(table, target);
    if (isFlat(table)) return readFlat(table, target);
    if (isGoogleFeed(table)) return readGoogleTable(table, target);
    const columns = table.columns.slice(0, 8).join(", ");
    throw new ContentError(
      `These columns are of no format that is known: ${columns}${table.columns.length > 8 ? " …" : ""}. content/README.md says which columns a table may have. WooCommerce must be in English when it exports.`,
    );
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    throw new ContentError(`${name}: ${error.message}`);
  }
}
