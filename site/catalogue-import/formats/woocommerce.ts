import type { Row, Table } from "./csv-table.ts";
import {
  emptyProduct,
  type ForeignCatalogue,
  type ForeignProduct,
  type ForeignVersion,
  type Target,
} from "./foreign-product.ts";
import { addressWords, gramsOf, pathOf, plainLine, readBarcode } from "./values.ts";

// https://github.com/woocommerce/woocommerce/wiki/Product-CSV-Import-Schema

/** Whether a table is WooCommerce's export of products. */
export const isWooCommerce = (table: Table): boolean =>
  table.has("Regular price") && table.has("Type") && table.has("Name") && table.has("Published");

/** Reads WooCommerce's export of products. */
export function readWooCommerce(table: Table, target: Target): ForeignCatalogue {
  const unit = /\((\w+)\)/.exec(table.columns.find((name) => /^weight \(/i.test(name)) ?? "")?.[1] ?? "kg";
  const columns = { weight: `Weight (${unit})`, unit, attributes: numbersOf(table) };
  const products: ForeignProduct[] = [];
  const parents = new Map<string, Parent>();
  for (const row of table.rows) {
    const types = row
      .get("Type")
      .toLowerCase()
      .split(/\s*,\s*/);
    if (types.includes("variation")) {
      const parent = parents.get(row.get("Parent"));
      if (parent !== undefined) parent.product.versions.push(...readVariations(row, parent, columns, target));
      else products.push({ ...emptyProduct(`woocommerce:${row.get("ID")}`, row.line), ...orphan(row) });
      continue;
    }
    const attributes = readAttributes(row, columns);
    const product = readProduct(row, types, attributes, columns, target);
    products.push(product);
    const parent = { product, row, attributes };
    for (const name of [`id:${row.get("ID")}`, row.get("SKU")]) if (name !== "") parents.set(name, parent);
  }
  for (const { product, attributes } of new Set(parents.values()))
    Object.assign(product.fields, specificationsOf(attributes, product.versions));
  return { format: "WooCommerce's CSV", products, unused: table.unused(), hosts: hostsOf(products) };
}

/** The hosts that WordPress keeps pictures on, which are its own. */
function hostsOf(products: readonly ForeignProduct[]): string[] {
  const urls = products.flatMap(({ pictures = [] }) => pictures.map(({ source }) => URL.parse(source)));
  return [...new Set(urls.flatMap((url) => (url?.pathname.includes("/wp-content/") ? url.host : [])))];
}

interface Parent {
  product: ForeignProduct;
  row: Row;
  attributes: Attribute[];
}

interface Columns {
  weight: string;
  unit: string;
  /** The numbers of the columns “Attribute 1 name” and so on. */
  attributes: number[];
}

const numbersOf = (table: Table): number[] =>
  table.columns.flatMap((name) => Number(/^attribute (\d+) name$/i.exec(name)?.[1] ?? 0) || []);

const orphan = (row: Row) => ({
  name: text(row.get("Name")),
  obstacle: "is a variation whose parent isn't in the file above it",
});

// The export puts an apostrophe before what spreadsheets would take for a formula.
const raw = (value: string): string => value.replace(/^'(?=[=+\-@])/, "");
const text = (value: string): string => plainLine(raw(value));

/** The export writes line breaks as `\n`. */
const html = (value: string): string =>
  raw(value)
    .split("\\\\n")
    .map((part) => part.replaceAll("\\n", "\n"))
    .join("\\n")
    .replaceAll(/\[\/?(?:vc_|caption|gallery|embed|video|audio|playlist|contact-form|et_pb_)[^\]]*\]/g, "");

/** Values with commas between them; a comma in a value has a backslash. */
const list = (value: string): string[] =>
  raw(value)
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll("\\,", ",").trim())
    .filter(Boolean);

function readProduct(
  row: Row,
  types: readonly string[],
  attributes: readonly Attribute[],
  columns: Columns,
  target: Target,
): ForeignProduct {
  const id = row.get("ID");
  const name = text(row.get("Name"));
  const product = emptyProduct(`woocommerce:${id || row.get("SKU")}`, row.line);
  const isVariable = types.includes("variable");
  if (types.includes("grouped")) product.obstacle = "is a grouped product: its members are taken over by themselves";
  if (types.includes("external")) product.obstacle = "is sold by another shop (external product)";
  if (types.includes("downloadable")) product.obstacle = "is a download, which this shop can't deliver";
  if (id === "" && row.get("SKU") === "") product.obstacle = "has neither ID nor SKU";
  const brand =
    text(row.get("Brands")) || attributes.find(({ name }) => /^(brand|marke|brands)$/i.test(name))?.values[0];
  const slug = addressWords(name);
  return {
    ...product,
    name: name || id,
    slug,
    fields: {
      title: name,
      brand: brand ?? "",
      summary: text(html(row.get("Short description"))),
      ...taxClassOf(row, target, product.notes),
      draft: row.get("Published") === "1" ? undefined : true,
    },
    description: { html: paragraphs(html(row.get("Description")) || html(row.get("Short description"))) },
    categories: list(row.get("Categories")).map(pathOf),
    pictures: list(row.get("Images")).map((source) => ({ source, alt: "" })),
    versions: isVariable ? [] : [{ ...readVersion(row, columns, product.notes), options: {}, picture: "" }],
    // The export doesn't have addresses: these are WordPress's own for the name and the ID.
    oldAddresses: [`/product/${dashed(slug)}`, ...(/^\d+$/.test(id) ? [`/?p=${id}`] : [])],
  };
}

const dashed = (slug: string) => (slug.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join("-");

const startsBlock =
  /^\s*<\/?(?:p|div|[ou]l|li|d[ltd]|table|t(?:head|body|foot|r|h|d)|h[1-6]|section|article|blockquote|figure|hr)[\s/>]/i;

/** WordPress makes paragraphs of what blank lines divide, also between blocks, and lines of line breaks (wpautop). */
const paragraphs = (text: string): string =>
  /<pre[\s>]/i.test(text)
    ? text
    : text
        .split(/\n\s*\n/)
        .map((part) => (startsBlock.test(part) ? part : `<p>${part.trim().replaceAll("\n", "<br>")}</p>`))
        .join("\n");

interface Attribute {
  name: string;
  /** None in a variation that stands for any. */
  values: string[];
}

function readAttributes(row: Row, { attributes }: Columns): Attribute[] {
  return attributes.flatMap((number) => {
    const name = text(row.get(`Attribute ${number} name`));
    const values = list(row.get(`Attribute ${number} value(s)`))
      .map(plainLine)
      .filter(Boolean);
    for (const fact of ["visible", "global", "default"]) row.get(`Attribute ${number} ${fact}`);
    return name === "" ? [] : { name, values };
  });
}

/** The attributes that are facts: what a variation is chosen by isn't. */
function specificationsOf(attributes: readonly Attribute[], versions: readonly ForeignVersion[]) {
  const chosen = new Set(versions.flatMap(({ options }) => Object.keys(options ?? {})));
  const facts = attributes.filter(({ name, values }) => !chosen.has(name) && values.length > 0);
  if (facts.length === 0) return {};
  return {
    specifications: Object.fromEntries(
      facts.map(({ name, values }) => [name, values.length === 1 ? values[0] : values] as const),
    ),
  };
}

/** A variation for any value of several attributes may stand for more than a page can have. */
const MOST_EXPANDED = 500;

/** A variation; one that stands for any value of an attribute is several. */
function readVariations(row: Row, parent: Parent, columns: Columns, target: Target): ForeignVersion[] {
  const { product } = parent;
  if (row.get("Published") !== "1") {
    product.notes.push("A variation that is switched off was left out.");
    return [];
  }
  let combinations: [string, string][][] = [[]];
  for (const { name, values } of readAttributes(row, columns)) {
    const any = parent.attributes.find((each) => each.name === name)?.values ?? [];
    const each = values.length > 0 ? values : any;
    combinations = combinations.flatMap((before) =>
      each.map((value): [string, string][] => [...before, [name, value]]),
    );
    if (combinations.length > MOST_EXPANDED) {
      product.obstacle ??= `has more than ${MOST_EXPANDED} versions`;
      combinations.length = 1;
    }
  }
  const { notes } = product;
  Object.assign(product.fields, taxClassOf(row, target, notes));
  const [picture = ""] = list(row.get("Images"));
  if (picture !== "") product.pictures?.push({ source: picture, alt: "" });
  const version = readVersion(row, columns, notes);
  // Variations have their parent's SKU if they have none of their own.
  const sku = version.sku === parent.row.get("SKU") || combinations.length > 1 ? "" : version.sku;
  if (combinations.length > 1) notes.push("A variation for any value of an attribute became a version for each.");
  const weight_g = version.fields["weight_g"] ?? gramsOf(parent.row.get(columns.weight), columns.unit);
  return combinations.map((pairs) => ({
    ...version,
    ...{ sku, picture, options: Object.fromEntries(pairs), fields: { ...version.fields, weight_g } },
  }));
}

function taxClassOf(row: Row, { taxClasses }: Target, notes: string[]): { tax_class?: string } {
  const written = row.get("Tax class").toLowerCase();
  if (written === "" || written === "parent" || written === "standard") return {};
  const found = taxClasses.find((name) => name.toLowerCase() === written.replace(/-rate$/, ""));
  if (found !== undefined) return { tax_class: found };
  notes.push("A tax class that `tax.classes` in store.yaml doesn't have was left out: the usual rate holds.");
  return {};
}

function readVersion(row: Row, columns: Columns, notes: string[]): ForeignVersion {
  const { note, ...codes } = readBarcode(raw(row.get("GTIN, UPC, EAN, or ISBN")));
  if (note !== undefined) notes.push(note);
  const stock = row.get("In stock?").toLowerCase();
  const isCounted = /^-?\d+$/.test(row.get("Stock"));
  const isBackorder = stock === "backorder" || /^(1|notify)$/.test(row.get("Backorders allowed?").toLowerCase());
  const availability = stock === "backorder" ? "backorder" : stock === "0" ? "out_of_stock" : "in_stock";
  return {
    sku: raw(row.get("SKU")),
    fields: {
      ...codes,
      price: priceOf(row, notes),
      availability,
      ...(isCounted && isBackorder && { when_sold_out: "backorder" }),
      weight_g: gramsOf(row.get(columns.weight), columns.unit),
    },
    options: undefined,
    picture: undefined,
    pieces: isCounted ? Math.max(0, Number(row.get("Stock"))) : undefined,
  };
}

/** What customers pay today. */
function priceOf(row: Row, notes: string[]): string {
  const today = new Date().toISOString().slice(0, 10);
  const [regular, reduced] = [raw(row.get("Regular price")), raw(row.get("Sale price"))];
  const [from, to] = [row.get("Date sale price starts").slice(0, 10), row.get("Date sale price ends").slice(0, 10)];
  if (reduced === "" || (from !== "" && from > today) || (to !== "" && to < today)) return regular;
  notes.push("A sale price is the price now, and the regular price was left out.");
  return reduced;
}
