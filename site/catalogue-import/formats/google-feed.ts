import { SaxesParser } from "saxes";
import { ContentError } from "../../content-schema/content-error.ts";
import type { Table } from "./csv-table.ts";
import {
  emptyProduct,
  type ForeignCatalogue,
  type ForeignProduct,
  type ForeignVersion,
  type Target,
} from "./foreign-product.ts";
import { addressWords, contentOf, gramsOf, pathOf, plainLine, readBarcode } from "./values.ts";

// https://support.google.com/merchants/answer/7052112

/** An item's values by their attributes' names, without `g:` and with `_` for spaces. */
interface Item {
  line: number;
  values: Map<string, string[]>;
}

const nameOf = (written: string): string =>
  written
    .trim()
    .toLowerCase()
    .replace(/^g:/, "")
    .replaceAll(/[\s-]+/g, "_");

/** Whether a table is a feed for Google. */
export const isGoogleFeed = (table: Table): boolean => {
  const names = new Set(table.columns.map(nameOf));
  return ["id", "title", "price"].every((name) => names.has(name)) && (names.has("link") || names.has("image_link"));
};

/** Reads a feed for Google as a table. */
export function readGoogleTable(table: Table, target: Target): ForeignCatalogue {
  const items = table.rows.map((row): Item => {
    const values = new Map<string, string[]>();
    for (const [place, column] of table.columns.entries()) {
      const value = row.at(place);
      if (value !== "" && !values.has(nameOf(column))) values.set(nameOf(column), [value]);
    }
    return { line: row.line, values };
  });
  return readItems(items, target);
}

/** An item has no more; what comes deeper or longer isn't a feed. */
const LONGEST_VALUE = 2_000_000;

/**
 * Reads a feed for Google as RSS 2.0 or Atom.
 *
 * @throws ContentError if it isn't well-formed XML or has no items
 */
export function readGoogleXml(text: string, target: Target): ForeignCatalogue {
  const items: Item[] = [];
  const parser = new SaxesParser();
  let item: Item | undefined;
  let depth = 0;
  let value = "";
  parser.on("error", ({ message }) => {
    throw new ContentError(
      `Line ${parser.line}: this isn't well-formed XML (${message.replace(/^[\d:]+ |\.$/g, "")}).`,
    );
  });
  parser.on("doctype", (doctype) => {
    if (doctype.includes("[")) throw new ContentError("The file defines entities in its DOCTYPE, which isn't read.");
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (item === undefined) {
      if (/^(?:item|entry)$/i.test(name)) item = { line: parser.line, values: new Map() };
      depth = 0;
      return;
    }
    depth += 1;
    if (depth > 1) return;
    value = "";
    // Atom's link has its address in an attribute.
    if (name.toLowerCase() === "link" && attributes["href"] !== undefined) value = attributes["href"];
  });
  const read = (text: string) => {
    if (item === undefined || depth === 0) return;
    value += text;
    if (value.length > LONGEST_VALUE)
      throw new ContentError(
        `The item that starts in line ${item.line} has a value of more than ${LONGEST_VALUE.toLocaleString("en")} characters.`,
      );
  };
  parser.on("text", read);
  parser.on("cdata", read);
  parser.on("closetag", ({ name }) => {
    if (item === undefined) return;
    if (depth === 0) {
      items.push(item);
      item = undefined;
      return;
    }
    if (depth === 1 && value.trim() !== "") {
      const key = nameOf(name);
      item.values.set(key, [...(item.values.get(key) ?? []), value.trim()]);
    }
    depth -= 1;
  });
  parser.write(text).close();
  if (items.length === 0) throw new ContentError("The XML has no <item> or <entry>: it isn't a feed of products.");
  return readItems(items, target);
}

const used = new Set(
  `id title description link image_link additional_image_link availability availability_date price sale_price
  sale_price_effective_date brand gtin mpn condition google_product_category product_type item_group_id color size
  material pattern age_group gender shipping_weight unit_pricing_measure`.split(/\s+/),
);

function readItems(items: readonly Item[], target: Target): ForeignCatalogue {
  const groups = Map.groupBy(items, (item) => valueIn(item, "item_group_id") || valueIn(item, "id"));
  const hosts = new Set(items.flatMap((item) => URL.parse(valueIn(item, "link"))?.host ?? []));
  const unused = new Set(items.flatMap(({ values }) => [...values.keys()].filter((name) => !used.has(name))));
  return {
    format: "Google's feed",
    products: [...groups].map(([id, members]) => readGroup(id, members, target)),
    unused: [...unused],
    hosts: [...hosts],
  };
}

const valueIn = ({ values }: Item, name: string): string => values.get(name)?.[0] ?? "";

/** What versions may be chosen by, with its name in English and German. */
const CHOICES = [
  ["size", "Size", "Größe"],
  ["color", "Colour", "Farbe"],
  ["material", "Material", "Material"],
  ["pattern", "Pattern", "Muster"],
  ["gender", "Gender", "Geschlecht"],
  ["age_group", "Age group", "Altersgruppe"],
] as const;

function readGroup(id: string, items: readonly Item[], target: Target): ForeignProduct {
  const [first] = items as [Item];
  const product = emptyProduct(`google:${id}`, first.line);
  const titles = items.map((item) => plainLine(valueIn(item, "title")));
  const title = commonStart(titles);
  const isGerman = target.locale.startsWith("de");
  const differing = CHOICES.filter(([name]) => new Set(items.map((item) => valueIn(item, name))).size > 1);
  const options = differing.map(([name, english, german]) => [name, isGerman ? german : english] as const);
  const facts = CHOICES.filter(([name]) => !differing.some(([other]) => other === name)).flatMap(
    ([name, english, german]) => {
      const value = plainLine(valueIn(first, name));
      return value === "" ? [] : [[isGerman ? german : english, value] as const];
    },
  );
  const condition = valueIn(first, "condition").toLowerCase();
  const types = first.values.get("product_type") ?? first.values.get("google_product_category") ?? [];
  if (id === "") product.obstacle = "has no id";
  const versions = items.map((item) => readVersion(item, items.length > 1 ? options : [], product, target));
  return {
    ...product,
    name: title || id,
    slug: slugOf(valueIn(first, "link"), title, items.length),
    fields: {
      title,
      brand: plainLine(valueIn(first, "brand")),
      ...(facts.length > 0 && { specifications: Object.fromEntries(facts) }),
      ...((condition === "used" || condition === "refurbished") && { condition }),
    },
    description: { html: valueIn(first, "description") },
    // Google's own categories may be numbers alone.
    categories: types.map(pathOf).filter(([name = ""]) => /\D/.test(name)),
    pictures: items.flatMap((item) => [
      { source: valueIn(item, "image_link"), alt: "" },
      ...(item.values.get("additional_image_link") ?? [])
        .flatMap((list) => list.split(/,(?=\s*https?:)/))
        .map((source) => ({ source: source.trim(), alt: "" })),
    ]),
    versions,
    oldAddresses: items.flatMap((item) => {
      const url = URL.parse(valueIn(item, "link"));
      // A version's own query leads to the product with its path.
      return url === null ? [] : items.length > 1 && url.pathname !== "/" ? url.pathname : url.pathname + url.search;
    }),
  };
}

/** The words that all titles start with; the first title, if that is too little. */
function commonStart(titles: readonly string[]): string {
  const [first = ""] = titles;
  const words = first.split(" ");
  let count = words.length;
  for (const title of titles) {
    const others = title.split(" ");
    while (count > 0 && words.slice(0, count).join(" ") !== others.slice(0, count).join(" ")) count -= 1;
  }
  const common = words
    .slice(0, count)
    .join(" ")
    .replace(/[\s,;:|/([–-]+$/, "");
  return common.length >= 4 ? common : first;
}

/** The last part of the address, if it says what it is. */
function slugOf(link: string, title: string, versions: number): string {
  const last = URL.parse(link)?.pathname.split("/").filter(Boolean).at(-1) ?? "";
  const name = decode(last).replace(/\.\w{2,5}$/, "");
  const says = versions === 1 && /\p{L}{3}/u.test(name) && !/^(index|product|products|item|shop)$/i.test(name);
  return says ? name : addressWords(title);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readVersion(
  item: Item,
  options: readonly (readonly [string, string])[],
  product: ForeignProduct,
  target: Target,
): ForeignVersion {
  const { notes } = product;
  const { note, ...codes } = readBarcode(valueIn(item, "gtin"));
  if (note !== undefined) notes.push(note);
  const [amount = "", unit = ""] = measure(valueIn(item, "shipping_weight"));
  const availability = nameOf(valueIn(item, "availability")) || "in_stock";
  const day = valueIn(item, "availability_date").slice(0, 10);
  const isLater = availability === "preorder" || availability === "backorder";
  return {
    sku: valueIn(item, "id"),
    fields: {
      ...codes,
      price: priceOf(item, product, target),
      availability,
      available_from: isLater && /^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined,
      weight_g: gramsOf(amount, unit),
      content: contentOf(...measure(valueIn(item, "unit_pricing_measure"))),
    },
    options: Object.fromEntries(options.map(([name, label]) => [label, plainLine(valueIn(item, name)) || "–"])),
    picture: valueIn(item, "image_link"),
    pieces: undefined,
  };
}

function measure(written: string): [string, string] {
  const [, amount = "", unit = ""] = /^([\d.,]+)\s*([\p{L}\d²³]+)$/u.exec(written) ?? [];
  return [amount, unit];
}

/** What customers pay today; another currency is an obstacle. */
function priceOf(item: Item, product: ForeignProduct, { currency }: Target): string {
  const now = new Date().toISOString();
  const [from = "", to = ""] = valueIn(item, "sale_price_effective_date").split("/");
  const isNow = (from === "" || from <= now) && (to === "" || to >= now);
  const isReduced = valueIn(item, "sale_price") !== "" && isNow;
  if (isReduced) product.notes.push("A sale price is the price now, and the regular price was left out.");
  const written = valueIn(item, isReduced ? "sale_price" : "price");
  const [, before, amount = "", after] = /^([A-Z]{3})?\s*([\d.,\s]+?)\s*([A-Z]{3})?$/i.exec(written) ?? [];
  const code = (before ?? after ?? "").toUpperCase();
  if (code !== "" && code !== currency)
    product.obstacle ??= `has a price in ${code}, and the shop's currency in store.yaml is ${currency}`;
  return amount || written;
}
