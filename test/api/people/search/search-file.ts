import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Category, Product, SearchFile, Version } from "../../../../api/contract/built-files/search.ts";
import { writeSearchIndex } from "../../../../api/contract/search/write-index.ts";
import { type Entry, openSearchIndex, type SearchIndex } from "../../../../api/people/search/search-index.ts";

export const searchVersion = (sku: string, given: Partial<Version> = {}): Version => ({
  sku,
  path: `/products/kestrel-c2?sku=${encodeURIComponent(sku)}`,
  gtin: null,
  barcode: null,
  title: null,
  picture: null,
  specifications: [],
  price: { net: "156.20", gross: "189.00" },
  availability: "in_stock",
  available_from: null,
  ...given,
});

/** A product with these facts, by default a scanner with one version. */
export function searchProduct(slug: string, title: string, given: Partial<Product> = {}): Product {
  return {
    slug,
    path: `/products/${slug}`,
    title,
    brand: "Kestrel",
    category: "barcode-scanners",
    listed_in: [],
    summary: `${title}, for tests.`,
    also_called: [],
    specifications: [],
    works_with: 0,
    text: "",
    versions: [searchVersion(slug.toUpperCase(), { path: `/products/${slug}` })],
    facts: { works_with: [], does_not_work_with: [], documents: [] },
    ...given,
  };
}

const category = (slug: string, title: string, given: Partial<Category> = {}): Category => ({
  ...{
    slug,
    title,
    path: `/categories/${slug}`,
    summary: `${title}.`,
    also_called: [],
    instead_of: [],
    told_apart_by: [],
    is_in_header: true,
  },
  ...given,
});

/** What the build of a small shop writes for the search. */
export function searchFile(given: Partial<SearchFile> = {}): SearchFile {
  return {
    base_url: "https://shop.example",
    sells_online: true,
    sales_email: "sales@shop.example",
    tax_name: "VAT",
    currency: ["EUR", "€", "euros"],
    language: {
      endings: "(?:e?s|e|ed|ing)$",
      prepositions: ["for", "with"],
      ignored: ["the", "a", "and"],
      none: "^none\\b",
      wider: [{ words: ["cordless", "wireless"], narrower: ["bluetooth"] }],
      questions: {
        ignored: ["who", "when", "have"],
        synonyms: [["return", "send back"]],
        own_order: "where is my (?:order|parcel)",
      },
      wishes: { most: "under|up to", least: "over|from", between: "between|from", and: "and|to", in_stock: "in stock" },
    },
    synonyms: [["2D", "QR code", "QR"]],
    categories: [
      category("barcode-scanners", "Barcode scanners", { also_called: ["gun", "code reader"] }),
      category("receipt-printers", "Receipt printers", { also_called: ["till printer"], instead_of: ["Epson"] }),
      category("accessories", "Accessories"),
    ],
    products: [
      searchProduct("kestrel-c2", "Kestrel C2 cordless scanner", {
        specifications: [
          { name: "Reads", value: "1D, 2D" },
          { name: "Cutter", value: "None" },
        ],
        text: "It scans from the cradle all day.\nDoes it read a lanyard tag?\nYes, a lanyard is in the box with it.",
        versions: [
          searchVersion("KES-C2-BK", {
            gtin: "0200000000017",
            title: "Black",
            specifications: [{ name: "Colour", value: "Black" }],
          }),
          searchVersion("KES-C2-WH", {
            title: "White",
            picture: "/white.webp",
            specifications: [{ name: "Colour", value: "White" }],
            price: { net: "147.93", gross: "179.00" },
            availability: "backorder",
            available_from: "2099-02-01",
          }),
        ],
        facts: {
          works_with: [{ slug: "finch-80", skus: ["FINCH-80"], reason: "both on one USB hub", together_with: "cable" }],
          does_not_work_with: [{ slug: "wren-58", reason: "the Wren has no USB port" }],
          documents: [
            {
              kind: "manual",
              title: "Quick start",
              language: "en",
              url: "https://shop.example/documents/c2/start.pdf",
            },
          ],
        },
      }),
      searchProduct("merlin", "Merlin corded scanner", {
        specifications: [{ name: "Reads", value: "1D" }],
        text: "It reads no QR codes.",
      }),
      searchProduct("finch-80", "Finch 80 receipt printer", {
        category: "receipt-printers",
        specifications: [{ name: "Paper width", value: "80 mm" }],
        facts: {
          works_with: [
            { slug: "kestrel-c2", skus: ["KES-C2-BK"], reason: "both on one USB hub", together_with: "cable" },
          ],
          does_not_work_with: [],
          documents: [],
        },
      }),
      searchProduct("wren-58", "Wren 58 receipt printer", {
        category: "receipt-printers",
        specifications: [{ name: "Paper width", value: "58 mm" }],
        works_with: 3,
      }),
      searchProduct("roll-80", "Finch rolls 80 mm", {
        category: "accessories",
        also_called: ["till roll"],
        specifications: [{ name: "For", value: "Receipt printers" }],
        text: "For the Finch 80.",
      }),
      searchProduct("cable", "Finch drawer cable for receipt printers", {
        category: "accessories",
        versions: [searchVersion("CABLE", { availability: "out_of_stock", path: "/products/cable" })],
      }),
    ],
    pages: [
      {
        ...{
          kind: "guide",
          path: "/guides/choosing",
          title: "Choosing a scanner",
          summary: "Four questions decide it.",
        },
        text: "Choose by what you read.",
      },
      {
        ...{ kind: "page", path: "/returns", title: "Returns", summary: "Send it back within 30 days." },
        text: "Write to us first.",
      },
    ],
    ...given,
  };
}

/** What the build writes of it. */
export const searchIndexOf = async (file: SearchFile): Promise<Buffer> => Buffer.concat(await writeSearchIndex(file));

/** The index of a built site. */
export function openBuiltSearch(dist: string): SearchIndex {
  const index = openSearchIndex(readFileSync(join(dist, ".session/search.index")));
  if (!index) throw new Error("The search index is of another release.");
  return index;
}

export const entriesOf = (index: SearchIndex): Entry[] =>
  Array.from({ length: index.size }, (_, number) => index.entryAt(number));

export const productsOf = (index: SearchIndex): Product[] =>
  entriesOf(index).flatMap((entry) => (entry.kind === "product" ? [entry.product] : []));
