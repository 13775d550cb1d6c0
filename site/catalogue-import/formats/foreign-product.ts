/** A version as an export has it. */
export interface ForeignVersion {
  /** As it is written; "" if there is none. */
  sku: string;
  /** Fields of content/'s versions without `sku`, `options` and `image`. One that is undefined is to be deleted. */
  fields: Record<string, unknown>;
  /** By name; undefined if the export doesn't say. */
  options: Record<string, string> | undefined;
  /** One of the product's pictures, by its source; "" for none; undefined if the export doesn't say. */
  picture: string | undefined;
  /** How many are on the shelf, where they are counted. */
  pieces: number | undefined;
}

/** A picture by its address or its file's name. */
export interface ForeignPicture {
  source: string;
  /** "" if the export has no description. */
  alt: string;
}

/** A product as an export has it, in the words of content/. */
export interface ForeignProduct {
  /** How the export knows it, the same in the next one: `shopify:blue-tee`. */
  key: string;
  /** Where it starts in the file. */
  line: number;
  /** What a person calls it. */
  name: string;
  /** A wish: another product may have it already. */
  slug: string;
  /** Fields of content/'s products. One that is undefined is to be deleted; one that is missing stays as it is. */
  fields: Record<string, unknown>;
  /** Undefined if the export doesn't say. */
  description: { html: string } | { markdown: string } | undefined;
  /** Each from the top to its own: `["Clothing", "Shirts"]`. The first becomes its folder. */
  categories: string[][];
  /** Undefined if the export doesn't say. */
  pictures: ForeignPicture[] | undefined;
  versions: ForeignVersion[];
  /** Whether the export names all versions, so that others are gone. */
  isWhole: boolean;
  /** Paths in the old shop. */
  oldAddresses: string[];
  /** Why it can't be taken over: the rest of a sentence. */
  obstacle: string | undefined;
  /** What was changed or lost on the way, in whole sentences that are the same for all products. */
  notes: string[];
}

/** What is read from a file. */
export interface ForeignCatalogue {
  /** Such as “Shopify's CSV”. */
  format: string;
  products: ForeignProduct[];
  /** Columns with values that nothing was made of. */
  unused: string[];
  /** Hosts of the old shop. */
  hosts: string[];
}

/** What readers need to know of the shop. */
export interface Target {
  currency: string;
  locale: string;
  taxClasses: readonly string[];
  /** The slug of the product that has a SKU already. */
  productOf: (sku: string) => string | undefined;
  /** A product's rows in an export (flat-table.ts); none if there is no such product. */
  rowsOf: (slug: string) => string[][];
}

/** A product without anything. */
export const emptyProduct = (key: string, line: number): ForeignProduct => ({
  ...{ key, line, name: "", slug: "", fields: {}, description: undefined, categories: [], pictures: undefined },
  ...{ versions: [], isWhole: true, oldAddresses: [], obstacle: undefined, notes: [] },
});
