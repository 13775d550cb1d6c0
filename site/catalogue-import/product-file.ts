import { isDeepStrictEqual } from "node:util";
import { stringify } from "yaml";
import { formatNamed } from "../admin/forms/formats.ts";
import { bodyOf, readFile, replaceBody, writeFile } from "../admin/forms/writer.ts";
import { readPage } from "../content-check/front-matter.ts";

export type Fields = Record<string, unknown>;

/** A version to be written. A field that is undefined is to be deleted, one that is missing stays. */
export interface WantedVersion {
  sku: string;
  fields: Fields;
  options: Record<string, string> | undefined;
  /** "" for none; undefined to leave it. */
  picture: string | undefined;
}

const FORMAT = formatNamed("products");

const VERSION_ORDER = [
  ...["sku", "gtin", "barcode", "price", "availability", "available_from", "when_sold_out", "options", "image"],
  ...["weight_g", "content", "specifications"],
];
const ORDER = [
  ...["title", "brand", "summary", "also_called", "images", ...VERSION_ORDER.slice(0, 7), "variants"],
  ...["weight_g", "content", "tax_class", "condition", "order_quantity", "maker", "warnings", "specifications"],
  ...["also_in", "formerly", "added", "updated", "draft"],
];
/** They can't stand above the versions. */
const OF_VERSIONS = ["sku", "gtin", "barcode", "price", "availability", "available_from"];
/** A version without them has the product's. */
const SHARED = ["weight_g", "content", "when_sold_out"];

/** A product's fields with what is wanted: `base` are those of its file, undefined for a new product. */
export function mergeFields(
  base: Fields | undefined,
  wanted: Fields,
  versions: readonly WantedVersion[],
  isWhole: boolean,
): Fields {
  const isSingle = base !== undefined && base["variants"] === undefined;
  const fields = Object.fromEntries(Object.entries(base ?? {}).filter(([name]) => !(isSingle && ofOne(name))));
  for (const [name, value] of Object.entries(wanted)) put(fields, name, value);
  const before = versionsOf(base);
  const after = isWhole ? [] : [...before];
  for (const wish of versions) {
    const found = before.find(({ sku }) => sku === wish.sku);
    const version: Fields = { ...(found ?? { sku: wish.sku }) };
    for (const [name, value] of Object.entries(wish.fields)) {
      const isInherited = SHARED.includes(name) && version[name] === undefined && base?.["variants"] !== undefined;
      if (!(isInherited && isDeepStrictEqual(base[name], value))) put(version, name, value);
    }
    if (wish.options !== undefined) version["options"] = wish.options;
    if (wish.picture !== undefined) put(version, "image", wish.picture || undefined);
    const place = after.findIndex(({ sku }) => sku === wish.sku);
    if (place >= 0) after[place] = version;
    else after.push(version);
  }
  return inOrder(withVersions(fields, after, base === undefined), ORDER);
}

function put(fields: Fields, name: string, value: unknown): void {
  if (value === undefined) delete fields[name];
  else fields[name] = value;
}

/** The versions of a product's fields; one without `variants` is its only one. */
export function versionsOf(base: Fields | undefined): Fields[] {
  if (base === undefined) return [];
  const { variants } = base;
  if (Array.isArray(variants)) return variants as Fields[];
  return [Object.fromEntries(Object.entries(base).filter(([name]) => ofOne(name)))];
}

/** Whether a field of a product without `variants` is one of its only version. */
const ofOne = (name: string): boolean => VERSION_ORDER.includes(name) && name !== "specifications";

function withVersions(fields: Fields, versions: readonly Fields[], isNew: boolean): Fields {
  const [only] = versions;
  if (versions.length === 1 && only !== undefined) {
    const { options, image: _, specifications, ...own } = only;
    // What a single version is chosen by is a fact of the product.
    const facts = { ...(fields["specifications"] as Fields), ...(specifications as Fields), ...(options as Fields) };
    delete fields["variants"];
    for (const name of OF_VERSIONS) delete fields[name];
    return { ...fields, ...own, ...(Object.keys(facts).length > 0 && { specifications: facts }) };
  }
  for (const name of OF_VERSIONS) delete fields[name];
  if (versions.length === 0) return fields;
  const shared = isNew
    ? SHARED.filter(
        (name) => only?.[name] !== undefined && versions.every((each) => isDeepStrictEqual(each[name], only[name])),
      )
    : [];
  for (const name of shared) fields[name] = only?.[name];
  const left = versions.map((version) =>
    Object.fromEntries(Object.entries(version).filter(([name]) => !shared.includes(name))),
  );
  return { ...fields, variants: left.map((version) => inOrder(version, VERSION_ORDER)) };
}

const inOrder = (fields: Fields, order: readonly string[]): Fields =>
  Object.fromEntries([
    ...order.flatMap((name) => (name in fields ? [[name, fields[name]] as const] : [])),
    ...Object.entries(fields).filter(([name]) => !order.includes(name)),
  ]);

/** What a product's file says. Throws ContentError where it can't be read. */
export const readProduct = (file: string, text: string): { data: Fields; body: string } => readPage(file, text);

/** A product's file. Of an existing one, all that says the same keeps its bytes; `body` undefined leaves its text. */
export function writeProduct(
  base: { text: string; data: Fields } | undefined,
  fields: Fields,
  body: string | undefined,
): string {
  const text = body === undefined || body === "" ? "" : `${body}\n`;
  const fresh = `---\n${stringify(fields, { lineWidth: 0 })}---\n${text}`;
  if (base === undefined) return fresh;
  const written = isDeepStrictEqual(fields, base.data)
    ? base.text
    : writeFile(FORMAT, base.text, { values: readFile(FORMAT, fresh).values, body: readFile(FORMAT, base.text).body });
  if (body === undefined || bodyOf(FORMAT, written).trim() === body) return written;
  const lead = /^\s*\n/.exec(bodyOf(FORMAT, written))?.[0] ?? "";
  return replaceBody(FORMAT, written, lead + text);
}
