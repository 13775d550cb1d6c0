import { createHash } from "node:crypto";
import type { Selectable } from "kysely";
import type { FeedProduct } from "../../contract/built-files/products.ts";
import { readJson, writeJson } from "../../platform/database/columns.ts";
import type { StoredVariant, Tables } from "../../platform/database/tables.ts";
import { showPrice } from "./prices.ts";

type Row = Selectable<Tables["products"]>;

/** The columns of `products` that the catalogue decides. */
type Columns = Pick<
  Row,
  | "slug"
  | "url"
  | "title"
  | "description"
  | "brand"
  | "category"
  | "images"
  | "specifications"
  | "variants"
  | "categories"
>;

/** A product of the catalogue as `products` has it. */
export const toColumns = ({ variants, ...product }: FeedProduct) =>
  writeColumns({
    ...product,
    variants: variants.map(({ options, weight_g, tax_class, condition, content, order_quantity, ...variant }) => ({
      ...variant,
      options: Object.entries(options),
      // What says nothing is left out, so that products of before are as they were.
      ...(weight_g != null && { weight_g }),
      ...(tax_class != null && { tax_class }),
      ...(condition !== undefined && condition !== "new" && { condition }),
      ...(content && { content }),
      ...(order_quantity && (order_quantity.least > 1 || order_quantity.step > 1) && { order_quantity }),
    })),
    categories: product.categories ?? [product.category],
  });

/** What is in force of a version in place of what content/ says; the price as DECIMAL(19,4) is read. */
export interface InForce {
  availability: StoredVariant["availability"];
  price: string;
}

/** The columns of a stored product with what is in force of some of its versions, by SKU. */
export const withOffers = (row: Columns, offers: ReadonlyMap<string, InForce>) =>
  writeColumns({
    ...row,
    images: readJson(row.images),
    specifications: readJson(row.specifications),
    categories: row.categories === null ? [row.category] : readJson(row.categories),
    variants: readJson(row.variants).map((variant) => {
      const offer = offers.get(variant.sku);
      return offer
        ? { ...variant, availability: offer.availability, price: showPrice(offer.price, variant.currency) }
        : variant;
    }),
  });

type Product = Omit<Columns, "images" | "specifications" | "variants" | "categories"> & {
  images: readonly { url: string; alt: string }[];
  specifications: readonly { name: string; value: string }[];
  variants: readonly StoredVariant[];
  categories: readonly string[];
};

/** Field by field, since MySQL sorts the keys of stored JSON, and since the catalogue says more than the API's product. */
function writeColumns(product: Product): Columns & Pick<Row, "content_hash"> {
  const { slug, url, title, description, brand, category, images, specifications, variants, categories } = product;
  const columns = {
    slug,
    url,
    title,
    description,
    brand,
    category,
    images: writeJson(images.map(({ url, alt }) => ({ url, alt }))),
    specifications: writeJson(specifications.map(toSpecification)),
    variants: writeJson(variants.map(toVariant)),
  };
  // Left out of the digest where it says nothing more, so that products from before the column stay as they are.
  const others = categories.length > 1 ? { categories: writeJson([...categories]) } : undefined;
  const digest = createHash("sha256").update(JSON.stringify({ ...columns, ...others }));
  return { ...columns, categories: null, ...others, content_hash: digest.digest("hex") };
}

const toSpecification = ({ name, value }: { name: string; value: string }) => ({ name, value });

const toVariant = ({ sku, gtin, barcode, title, specifications, ...variant }: StoredVariant): StoredVariant => ({
  sku,
  gtin,
  ...(barcode !== undefined && { barcode }),
  title,
  ...(specifications && { specifications: specifications.map(toSpecification) }),
  price: variant.price,
  currency: variant.currency,
  prices_include_tax: variant.prices_include_tax,
  tax_rate: variant.tax_rate,
  availability: variant.availability,
  options: variant.options,
  ...(variant.weight_g !== undefined && { weight_g: variant.weight_g }),
  ...(variant.tax_class !== undefined && { tax_class: variant.tax_class }),
  ...(variant.condition !== undefined && { condition: variant.condition }),
  ...(variant.content && { content: toContent(variant.content) }),
  ...(variant.order_quantity && { order_quantity: toOrderQuantity(variant.order_quantity) }),
});

/** What a piece holds, in this order. */
export const toContent = ({ amount, unit, pieces }: NonNullable<StoredVariant["content"]>) => ({
  amount,
  unit,
  pieces,
});

/** In which numbers it is sold, in this order. */
export const toOrderQuantity = ({ least, step }: NonNullable<StoredVariant["order_quantity"]>) => ({ least, step });
