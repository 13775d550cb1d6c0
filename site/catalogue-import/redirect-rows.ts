import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { keyOf, parseRedirects, REDIRECTS_FILE, readAddress } from "../content-schema/redirects.ts";
import { disallowedPaths, productPath } from "../urls/paths.ts";
import { putFile } from "./put-file.ts";

/** What nginx and the API answer themselves (content-check/redirects.ts). */
const OWN = ["/api", "/buy", "/counter", ...disallowedPaths].map((path) => path.replace(/\/?$/, "/"));

/**
 * Adds rows for old addresses to content/redirects.csv, without those that are there already, and those of pages that are here.
 * Returns how many were added.
 *
 * @param slugs of all products
 */
export function addRedirects(
  root: string,
  products: readonly { slug: string; oldAddresses: readonly string[] }[],
  slugs: ReadonlySet<string>,
): number {
  const file = join(root, "content", REDIRECTS_FILE);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "from,to\n";
  const taken = new Set(parseRedirects(text).redirects.map(({ from }) => keyOf(from)));
  const pages = new Set([...slugs].map(productPath));
  const rows = products.flatMap(({ slug, oldAddresses }) =>
    oldAddresses.flatMap((written) => {
      const url = URL.parse(written, "https://old.invalid");
      const address = url === null ? written : decode(url.pathname).replace(/(?<=.)\/$/, "") + url.search;
      const from = readAddress(address);
      if (typeof from === "string" || taken.has(keyOf(from)) || pages.has(from.path)) return [];
      if (OWN.some((path) => `${from.path}/`.startsWith(path)) || /[\n\r]/.test(address)) return [];
      taken.add(keyOf(from));
      return `${cell(address)},${cell(productPath(slug))}\n`;
    }),
  );
  if (rows.length > 0) putFile(root, join("content", REDIRECTS_FILE), text.replace(/\n*$/, "\n") + rows.join(""));
  return rows.length;
}

const cell = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The letters themselves, except what has a meaning in an address. */
function decode(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
