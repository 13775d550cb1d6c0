import Type, { type Static } from "typebox";
import { Amount, Availability, Currency, Rate, Slug, strict, Text, TextOrNull } from "../schemas.ts";

const Url = Type.String({ pattern: "^https?://[^\\s]+$" });

const Specification = Type.Object({ name: Text, value: Text }, strict);

const FeedVariant = Type.Object(
  {
    sku: Text,
    gtin: Type.Union([Type.String({ pattern: "^[0-9]{13}$" }), Type.Null()]),
    barcode: TextOrNull,
    title: Text,
    options: Type.Record(Type.String(), Text),
    specifications: Type.Array(Specification),
    price: Amount,
    currency: Currency,
    prices_include_tax: Type.Boolean(),
    tax_rate: Rate,
    availability: Availability,
    /** YYYY-MM-DD. */
    available_from: Type.Union([Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }), Type.Null()]),
    /** The place of its picture among the product's, from 0. */
    image: Type.Integer({ minimum: 0 }),
  },
  strict,
);

/** A product of the public catalogue. */
export const FeedProduct = Type.Object(
  {
    slug: Slug,
    formerly: Type.Array(Slug),
    url: Url,
    title: Text,
    description: Type.String(),
    brand: TextOrNull,
    category: Slug,
    images: Type.Array(Type.Object({ url: Url, alt: Type.String(), thumbnail: Url }, strict)),
    specifications: Type.Array(Specification),
    variants: Type.Array(FeedVariant, { minItems: 1 }),
  },
  strict,
);
export type FeedProduct = Static<typeof FeedProduct>;

/** products.json: anyone can read it, and the API imports it. Every field is always present; null where it doesn't apply. */
export const ProductFeed = Type.Object({ products: Type.Array(FeedProduct) }, strict);
