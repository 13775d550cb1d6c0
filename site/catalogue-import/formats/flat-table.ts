import { parse, stringify } from "yaml";
import { slugOf } from "../../content-schema/fields.ts";
import type { Row, Table } from "./csv-table.ts";
import {
  emptyProduct,
  type ForeignCatalogue,
  type ForeignProduct,
  type ForeignVersion,
  type Target,
} from "./foreign-product.ts";
import { cleanText, pathOf, plainLine } from "./values.ts";

// Our own table: a row for each version. What is of the product stands in the first of its rows.

type Value = string | undefined;

/** How a field is written in a cell and read from one. An empty cell deletes the field. */
interface Cell {
  column: string;
  write: (fields: Fields) => Value;
  read: (cell: string) => unknown;
}

type Fields = Record<string, unknown>;

const asText = (value: unknown): Value => (value === undefined ? undefined : String(value));
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** One in a line of the cell. */
const lines = (cell: string): string[] =>
  cell
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

const line = (column: string): Cell => ({
  column,
  write: (fields) => asText(fields[column]),
  read: (cell) => plainLine(cell) || undefined,
});

const listed = (column: string): Cell => ({
  column,
  write: ({ [column]: value }) => (texts(value).length === 0 ? undefined : texts(value).join("\n")),
  read: (cell) => (lines(cell).length === 0 ? undefined : lines(cell).map(plainLine)),
});

const number = (column: string): Cell => ({
  column,
  write: (fields) => asText(fields[column]),
  read: (cell) => (/^\d+$/.test(cell) ? Number(cell) : cell || undefined),
});

/** As in the file, a name and its value in a line. */
const named = (column: string): Cell => ({
  column,
  write: ({ [column]: value }) =>
    typeof value === "object" && value !== null ? stringify(value, { lineWidth: 0 }).trimEnd() : undefined,
  read: (cell) => {
    if (cell === "") return undefined;
    try {
      return parse(cleanText(cell), { schema: "failsafe" });
    } catch {
      // The schema says what is wrong with a text.
      return cell;
    }
  },
});

const PRODUCT_CELLS: readonly Cell[] = [
  ...[line("title"), line("brand"), line("summary"), listed("also_called"), listed("also_in"), named("specifications")],
  ...[line("tax_class"), line("condition"), line("maker"), listed("warnings")],
  {
    column: "draft",
    write: ({ draft }) => asText(draft),
    read: (cell) => (/^(true|1|yes)$/i.test(cell) ? true : /^(false|0|no)?$/i.test(cell) ? undefined : cell),
  },
  ...[line("added"), line("updated")],
];

const VERSION_CELLS: readonly Cell[] = [
  ...[line("gtin"), line("barcode"), line("price"), line("availability"), line("available_from")],
  ...[line("when_sold_out"), number("weight_g")],
];

/** Fields that are groups, with a column for each of their own. */
const GROUPS = {
  order_quantity: { least: "order_least", step: "order_step" },
  content: { amount: "content_amount", unit: "content_unit", pieces: "content_pieces" },
} as const;

const OPTIONS = [1, 2, 3].map((place) => ({ name: `option${place}_name`, value: `option${place}_value` }));

const PICTURES = ["images", "image_texts"] as const;

/** The columns of an export, in order. */
export const FLAT_COLUMNS: readonly string[] = [
  ...["product", "category", "sku"],
  ...VERSION_CELLS.map(({ column }) => column),
  ...OPTIONS.flatMap(({ name, value }) => [name, value]),
  ...["image", ...PICTURES],
  ...PRODUCT_CELLS.map(({ column }) => column),
  ...Object.values(GROUPS).flatMap((group) => Object.values(group)),
  "description",
];

/** An empty cell of these doesn't delete the field, since there must be one. */
const NEEDED = new Set(["title", "brand", "summary", "price", "availability"]);

/** Columns that an import knows besides. */
const MORE_COLUMNS = ["description_html", "old_address"];

/** Whether a table is ours: it has a SKU, and no column that isn't ours. */
export const isFlat = (table: Table): boolean =>
  table.has("sku") && !table.has("id") && table.columns.some((name) => name !== "sku" && isKnown(name));

const isKnown = (name: string) => [...FLAT_COLUMNS, ...MORE_COLUMNS].includes(name.toLowerCase());

/** A product of content/ as the rows of the table: its fields as in its file, and its text. */
export function writeFlatRows(slug: string, category: string, fields: Fields, body: string): string[][] {
  const { variants } = fields;
  const versions = Array.isArray(variants) ? (variants as Fields[]) : [fields];
  const images = Array.isArray(fields["images"]) ? (fields["images"] as Fields[]) : [];
  return versions.map((version, index) => {
    const row = new Map<string, Value>([
      ["product", slug],
      ["sku", asText(version["sku"])],
    ]);
    const effective = { weight_g: fields["weight_g"], ...version };
    for (const { column, write } of VERSION_CELLS) row.set(column, write(effective));
    const chosen = Array.isArray(variants) ? Object.entries((version["options"] ?? {}) as Fields) : [];
    for (const [place, { name, value }] of OPTIONS.entries()) {
      row.set(name, asText(chosen[place]?.[0]));
      row.set(value, asText(chosen[place]?.[1]));
    }
    writeGroup(row, "content", version["content"] ?? fields["content"]);
    if (Array.isArray(variants)) row.set("image", asText(version["image"]));
    if (index === 0) {
      row.set("category", category);
      for (const { column, write } of PRODUCT_CELLS) row.set(column, write(fields));
      writeGroup(row, "order_quantity", fields["order_quantity"]);
      row.set("images", images.map(({ src }) => String(src)).join("\n"));
      row.set("image_texts", images.map(({ alt }) => String(alt)).join("\n"));
      row.set("description", body);
    }
    return FLAT_COLUMNS.map((column) => row.get(column) ?? "");
  });
}

function writeGroup(row: Map<string, Value>, field: keyof typeof GROUPS, value: unknown): void {
  for (const [name, column] of Object.entries(GROUPS[field]))
    row.set(column, asText((value as Fields | undefined)?.[name]));
}

/** Reads our own table. Only the columns that are there are set, and of those only cells that differ from an export. */
export function readFlat(table: Table, target: Target): ForeignCatalogue {
  const groups = new Map<string, Row[]>();
  const strays: ForeignProduct[] = [];
  for (const row of table.rows) {
    const sku = row.get("sku");
    const slug = slugOf(row.get("product")) ?? target.productOf(sku) ?? slugOf(row.get("title"));
    const group = slug === undefined ? undefined : groups.get(slug);
    if (group !== undefined) group.push(row);
    else if (slug !== undefined) groups.set(slug, [row]);
    else
      strays.push({
        ...emptyProduct(`table:line ${row.line}`, row.line),
        name: sku || `line ${row.line}`,
        obstacle: "has no address: no product has this SKU, and the column `product` is empty or missing",
      });
  }
  const products = [...groups].map(([slug, rows]) => readProduct(slug, rows, table, keptCells(target.rowsOf(slug))));
  return {
    format: "a table of this shop's own",
    products: [...products, ...strays],
    unused: table.unused(),
    hosts: [],
  };
}

/** What an export has in a column now, of the product or, with a SKU, of a version; undefined if there is none. */
type Kept = (column: string, sku?: string) => string | undefined;

const withLineFeeds = (cell: string): string => cell.replaceAll(/\r\n?/g, "\n").trim();

function keptCells(rows: string[][]): Kept {
  const bySku = new Map(rows.map((row) => [row[FLAT_COLUMNS.indexOf("sku")] ?? "", row]));
  return (column, sku) => {
    const row = sku === undefined ? rows[0] : bySku.get(sku);
    return row && withLineFeeds(row[FLAT_COLUMNS.indexOf(column)] ?? "");
  };
}

function readProduct(slug: string, rows: readonly Row[], table: Table, kept: Kept): ForeignProduct {
  const [first] = rows as [Row];
  const product = emptyProduct(`table:${slug}`, first.line);
  const ofProduct = (column: string): string => {
    const values = new Set(rows.map((row) => withLineFeeds(row.get(column))).filter(Boolean));
    if (values.size > 1) product.obstacle ??= `has several values of \`${column}\` in its rows: one is needed`;
    return [...values][0] ?? "";
  };
  // A row of a version alone says nothing of its product.
  const isSaid = !table.has("title") || ofProduct("title") !== "";
  const differs = (column: string) => isSaid && table.has(column) && ofProduct(column) !== (kept(column) ?? "");
  const fields: Fields = {};
  for (const { column, read } of PRODUCT_CELLS)
    if (differs(column) && !(NEEDED.has(column) && ofProduct(column) === "")) fields[column] = read(ofProduct(column));
  readGroup("order_quantity", differs, ofProduct, fields);
  const description = differs("description_html")
    ? { html: ofProduct("description_html") }
    : differs("description")
      ? { markdown: cleanText(ofProduct("description")).trim() }
      : undefined;
  const read = {
    ...{ name: String(fields["title"] ?? slug), slug, fields, isWhole: false, description },
    categories: differs("category") ? lines(ofProduct("category")).map(pathOf) : [],
    pictures:
      differs("images") || (table.has("images") && differs("image_texts")) ? readPictures(ofProduct) : undefined,
    versions: rows.map((row) => readVersion(row, table, kept)),
    oldAddresses: lines(ofProduct("old_address")),
  };
  return { ...product, ...read };
}

function readPictures(ofProduct: (column: string) => string): ForeignProduct["pictures"] {
  const alts = ofProduct("image_texts").split("\n").map(plainLine);
  return lines(ofProduct("images")).map((source, index) => ({ source, alt: alts[index] ?? "" }));
}

function readGroup(
  field: keyof typeof GROUPS,
  differs: (column: string) => boolean,
  get: (column: string) => string,
  fields: Fields,
): void {
  const columns = Object.entries(GROUPS[field]);
  if (!columns.some(([, column]) => differs(column))) return;
  const values = columns.flatMap(([name, column]) => {
    const cell = get(column);
    if (cell === "") return [];
    return [[name, name === "amount" || name === "unit" || !/^\d+$/.test(cell) ? cell : Number(cell)] as const];
  });
  fields[field] = values.length === 0 ? undefined : Object.fromEntries(values);
}

function readVersion(row: Row, table: Table, kept: Kept): ForeignVersion {
  const sku = row.get("sku");
  const cellOf = (column: string) => withLineFeeds(row.get(column));
  const differs = (column: string) => table.has(column) && cellOf(column) !== (kept(column, sku) ?? "");
  const fields: Fields = {};
  for (const { column, read } of VERSION_CELLS)
    if (differs(column) && !(NEEDED.has(column) && cellOf(column) === "")) fields[column] = read(cellOf(column));
  readGroup("content", differs, cellOf, fields);
  const options = OPTIONS.flatMap(({ name, value }) => {
    const pair = [plainLine(cellOf(name)), plainLine(cellOf(value))] as const;
    return pair[0] === "" ? [] : [pair];
  });
  const hasNew = OPTIONS.some(({ name, value }) => differs(name) || differs(value));
  const picture = cellOf("image");
  return {
    ...{ sku, fields, options: hasNew ? Object.fromEntries(options) : undefined, pieces: undefined },
    picture: differs("image") ? picture : undefined,
  };
}
