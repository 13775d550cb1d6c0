import type { Row, Table } from "./csv-table.ts";
import { emptyProduct, type ForeignCatalogue, type ForeignProduct, type ForeignVersion } from "./foreign-product.ts";
import { contentOf, gramsOf, pathOf, plainLine, readBarcode } from "./values.ts";

// https://help.shopify.com/en/manual/products/import-export/using-csv: the columns' names changed in 2025, and exports of
// both kinds are about.

/** Whether a table is Shopify's export of products. */
export const isShopify = (table: Table): boolean =>
  table.has("Handle", "URL handle") && table.has("Title") && table.has("Option1 Name");

/** Reads Shopify's export of products. */
export function readShopify(table: Table): ForeignCatalogue {
  const products: ForeignProduct[] = [];
  const latest = new Map<string, { product: ForeignProduct; rows: Row[]; title: string }>();
  const groups: { product: ForeignProduct; rows: Row[]; title: string }[] = [];
  let previous = "";
  for (const row of table.rows) {
    const handle = row.get("URL handle", "Handle");
    const title = row.get("Title");
    const known = latest.get(handle);
    const isNext = known !== undefined && (title === "" || (title === known.title && previous === handle));
    previous = handle;
    if (isNext) known.rows.push(row);
    else {
      const group = { product: emptyProduct(`shopify:${handle}`, row.line), rows: [row], title };
      if (handle === "") group.product.obstacle = "has no handle";
      else if (known !== undefined)
        group.product.obstacle = "has a handle that another product of the file has (both are named in the report)";
      latest.set(handle, group);
      groups.push(group);
    }
  }
  for (const { product, rows } of groups) products.push(readProduct(product, rows));
  return { format: "Shopify's CSV", products, unused: table.unused(), hosts: hostsOf(products) };
}

/** Shopify's own names of the shop; the export doesn't say what its domain is. */
function hostsOf(products: readonly ForeignProduct[]): string[] {
  const texts = products.map(({ description }) => (description && "html" in description ? description.html : ""));
  const hosts = texts.flatMap((text) => text.match(/(?<=https?:\/\/)[\w-]+\.myshopify\.com/gi) ?? []);
  return [...new Set(hosts.map((host) => host.toLowerCase()))];
}

function readProduct(product: ForeignProduct, rows: readonly Row[]): ForeignProduct {
  const [first] = rows as [Row];
  const handle = first.get("URL handle", "Handle");
  const title = plainLine(first.get("Title"));
  const type = pathOf(first.get("Type", "Custom Product Type"));
  const standard = pathOf(first.get("Product category", "Standardized Product Type"));
  const status = first.get("Status").toLowerCase();
  const isHidden = /^false$/i.test(first.get("Published on online store", "Published"));
  const isDraft = status === "draft" || status === "archived" || isHidden;
  const condition = first.get("Google Shopping / Condition").toLowerCase();
  if (/^true$/i.test(first.get("Gift card"))) product.obstacle ??= "is a gift card, which this shop can't sell";
  const names = [1, 2, 3].map((number) => plainLine(first.get(`Option${number} name`)));
  const hasOptions = names.some((name, index) => isOption(name, first.get(`Option${index + 1} value`)));
  return {
    ...product,
    name: title || handle,
    slug: handle,
    fields: {
      title,
      brand: plainLine(first.get("Vendor")),
      summary: plainLine(first.get("SEO description")),
      ...((condition === "used" || condition === "refurbished") && { condition }),
      draft: isDraft ? true : undefined,
    },
    description: { html: first.get("Description", "Body (HTML)") },
    categories: [type, standard].filter((path) => path.length > 0).slice(0, 1),
    pictures: readPictures(rows),
    versions: rows.filter(isVersion).map((row) => readVersion(row, hasOptions ? names : [], product.notes)),
    oldAddresses: handle === "" ? [] : [`/products/${handle}`],
  };
}

const isOption = (name: string, value: string): boolean =>
  name !== "" && !(name.toLowerCase() === "title" && value.toLowerCase() === "default title");

/** The others have a picture alone. */
const isVersion = (row: Row): boolean =>
  row.get("Price", "Variant Price") !== "" || row.get("Option1 value") !== "" || row.get("SKU", "Variant SKU") !== "";

function readPictures(rows: readonly Row[]): { source: string; alt: string }[] {
  const listed = rows.flatMap((row, index) => {
    const source = row.get("Product image URL", "Image Src");
    const place = Number(row.get("Image position")) || index + 1;
    return source === "" ? [] : { source, alt: plainLine(row.get("Image alt text")), place };
  });
  const ofVersions = rows.flatMap((row) => row.get("Variant image URL", "Variant Image") || []);
  return [
    ...listed.sort((a, b) => a.place - b.place).map(({ source, alt }) => ({ source, alt })),
    ...ofVersions.map((source) => ({ source, alt: "" })),
  ];
}

function readVersion(row: Row, names: readonly string[], notes: string[]): ForeignVersion {
  const { note, ...codes } = readBarcode(row.get("Barcode", "Variant Barcode", "Barcodes", "Variant Barcodes"));
  if (note !== undefined) notes.push(note);
  const before = row.get("Compare-at price", "Variant Compare At Price");
  if (before !== "" && Number(before) > Number(row.get("Price", "Variant Price")))
    notes.push("A compare-at price was left out: this shop doesn't cross out prices.");
  const options = names.flatMap((name, index) => {
    const value = plainLine(row.get(`Option${index + 1} value`));
    return name === "" || value === "" ? [] : [[name, value] as const];
  });
  return {
    sku: row.get("SKU", "Variant SKU").replace(/^'/, ""),
    fields: {
      ...codes,
      price: row.get("Price", "Variant Price"),
      ...readStock(row, notes),
      weight_g: gramsOf(row.get("Weight value (grams)", "Variant Grams"), "g"),
      content: contentOf(row.get("Unit price total measure"), row.get("Unit price total measure unit")),
    },
    options: Object.fromEntries(options),
    picture: row.get("Variant image URL", "Variant Image"),
    pieces: countOf(row),
  };
}

function countOf(row: Row): number | undefined {
  const written = row.get("Inventory quantity", "Variant Inventory Qty");
  const isCounted = row.get("Inventory tracker", "Variant Inventory Tracker") !== "" && /^-?\d+$/.test(written);
  return isCounted ? Math.max(0, Number(written)) : undefined;
}

function readStock(row: Row, notes: string[]): Record<string, unknown> {
  const tracker = row.get("Inventory tracker", "Variant Inventory Tracker");
  const pieces = countOf(row);
  const goesOn = /^(continue|true)$/i.test(row.get("Continue selling when out of stock", "Variant Inventory Policy"));
  if (tracker === "") return { availability: "in_stock" };
  const more = goesOn ? { when_sold_out: "backorder" } : {};
  if (pieces === undefined) {
    notes.push("The export doesn't say how many there are, so it is in stock.");
    return { availability: "in_stock", ...more };
  }
  if (pieces > 0) return { availability: "in_stock", ...more };
  return { availability: goesOn ? "backorder" : "out_of_stock", ...more };
}
