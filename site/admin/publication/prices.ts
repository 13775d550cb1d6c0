import { parse } from "node:path";
import { readAmount } from "../../../api/contract/money.ts";
import { readDrafts, saveToDrafts } from "../content/drafts.ts";
import { type Person, readBlobs, readTree } from "../content/git.ts";
import { Refused } from "../content/refusals.ts";
import type { Money } from "../content/typed.ts";
import type { Form, FormGroup } from "../forms/form.ts";
import { formatNamed } from "../forms/formats.ts";
import { readFile, writeFile } from "../forms/writer.ts";

const FIELDS = ["price", "availability", "available_from"] as const;

/** One version of a product, or the only one. */
export interface Row {
  /** Its place in the form: the file, and the version's number. */
  key: string;
  path: string;
  title: string;
  /** SKU and options. */
  version: string;
  values: Record<(typeof FIELDS)[number], string>;
}

export interface PriceTable {
  rows: Row[];
  /** The blob of each file, by its path. */
  bases: Map<string, string>;
}

const FORMAT = formatNamed("products");

/** The prices and stock of a category's products in the drafts. A file that can't be read is left out: the check names it. */
export async function readPrices(repository: string, category: string): Promise<PriceTable> {
  const folder = `content/products/${category}`;
  const entries = (await readTree(repository, await readDrafts(repository), folder)).filter(
    ({ path, type }) => type === "blob" && path.endsWith(".md"),
  );
  const blobs = await readBlobs(
    repository,
    entries.map(({ id }) => id),
  );
  const bases = new Map(entries.map(({ path, id }) => [path, id]));
  const rows = entries.flatMap(({ path }, index) => readRows(path, blobs[index]?.toString() ?? ""));
  return { rows, bases };
}

function readRows(path: string, text: string): Row[] {
  try {
    const { values } = readFile(FORMAT, text);
    const title = asText(values["title"]) || parse(path).name;
    return versionsOf(values).map((version, index) => ({
      key: `${path}:${index}`,
      path,
      title,
      version: [asText(version["sku"]), ...namesOf(version["options"])].filter(Boolean).join(", "),
      values: {
        price: asText(version["price"]),
        availability: asText(version["availability"]),
        available_from: asText(version["available_from"]),
      },
    }));
  } catch {
    return [];
  }
}

/** The groups that hold a price: each version, or the product itself. */
function versionsOf(values: FormGroup): FormGroup[] {
  const { variants } = values;
  const isGroup = (form: Form): form is FormGroup => typeof form === "object" && !Array.isArray(form);
  return Array.isArray(variants) && variants.length > 0 ? variants.filter(isGroup) : [values];
}

const asText = (form: Form): string => (typeof form === "string" || typeof form === "number" ? String(form) : "");

const namesOf = (options: Form): string[] =>
  Array.isArray(options)
    ? options.flatMap((option) => (typeof option === "object" && !Array.isArray(option) ? asText(option["value"]) : []))
    : [];

/** What is meant by the prices of a table, by their fields' names. */
export interface ReadPrices {
  /** Those that are stored in another way than they were typed. */
  stored: Map<string, string>;
  /** Those that can't be read, and those with two readings, each with these. */
  unclear: Map<string, string[]>;
}

/** Reads the prices of a table that differ from those that the editor saw, by the same names as for `savePrices`. */
export async function readTypedPrices(
  repository: string,
  submitted: ReadonlyMap<string, string>,
  bases: ReadonlyMap<string, string>,
  { currency }: Money,
): Promise<ReadPrices> {
  const read: ReadPrices = { stored: new Map(), unclear: new Map() };
  for (const { path, text } of await readBases(repository, bases))
    for (const [index, version] of versionsOf(readFile(FORMAT, text).values).entries()) {
      const name = `price:${path}:${index}`;
      const typed = submitted.get(name)?.trim() ?? "";
      if (typed === "" || typed === asText(version["price"])) continue;
      const amounts = readAmount(typed, currency);
      const [amount] = amounts;
      if (amounts.length !== 1) read.unclear.set(name, amounts);
      else if (amount !== undefined && amount !== typed) read.stored.set(name, amount);
    }
  return read;
}

/** The products as the editor saw them. */
async function readBases(
  repository: string,
  bases: ReadonlyMap<string, string>,
): Promise<{ path: string; text: string }[]> {
  const paths = [...bases.keys()];
  if (paths.some((path) => !/^content\/products\/[^/]+\/[^/]+\.md$/.test(path)))
    throw new Refused("Only products have prices.");
  const blobs = await readBlobs(repository, [...bases.values()]);
  return paths.map((path, index) => {
    const text = blobs[index]?.toString();
    if (text === undefined) throw new Refused(`The version of ${path} that you opened is unknown.`);
    return { path, text };
  });
}

/**
 * Saves a table's values as one commit of the drafts. Throws an EditConflict where somebody has changed one of the files
 * since the table was read.
 *
 * @param submitted the values of a row's field, by `price:KEY` and so on
 * @param bases the blobs that the editor saw, by path
 */
export async function savePrices(
  repository: string,
  submitted: ReadonlyMap<string, string>,
  bases: ReadonlyMap<string, string>,
  author: Person,
): Promise<string[]> {
  const changes = (await readBases(repository, bases)).flatMap(({ path, text }) => {
    const written = writeRows(path, text, submitted);
    return written === text ? [] : { path, bytes: Buffer.from(written) };
  });
  if (changes.length === 0) return [];
  const changed = changes.map(({ path }) => path);
  const names = changed.map((path) => parse(path).name);
  const message =
    names.length === 1 ? `Price and stock of ${names[0]}` : `Prices and stock of ${names.length} products`;
  const seen = changed.map((path) => ({ path, id: bases.get(path) }));
  await saveToDrafts(repository, { changes, seen, author, message: `${message}\n\n${names.join("\n")}\n` });
  return changed;
}

/** A file with the values of its rows; an empty one removes the field. */
function writeRows(path: string, text: string, submitted: ReadonlyMap<string, string>): string {
  const form = readFile(FORMAT, text);
  for (const [index, version] of versionsOf(form.values).entries())
    for (const field of FIELDS) {
      const value = submitted.get(`${field}:${path}:${index}`)?.trim();
      if (value !== undefined && value !== asText(version[field])) version[field] = value === "" ? undefined : value;
    }
  return writeFile(FORMAT, text, form);
}
