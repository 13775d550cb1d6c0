import Type, { type Static } from "typebox";
import { CONDITIONS } from "../conditions.ts";
import { Amount, Availability, Currency, Rate, Slug, strict, Text, TextOrNull } from "../schemas.ts";

const Url = Type.String({ pattern: "^https?://[^\\s]+$" });

const Day = Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" });

const Specification = Type.Object({ name: Text, value: Text }, strict);

/** `pieces` packages of `amount` `unit`: six of 0.5 l. */
export const Content = Type.Object({ amount: Amount, unit: Text, pieces: Type.Integer({ minimum: 1 }) }, strict);
export type Content = Static<typeof Content>;

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
    available_from: Type.Union([Day, Type.Null()]),
    /** The place of its picture among the product's, from 0. */
    image: Type.Integer({ minimum: 0 }),
    price_net: Amount,
    /** Null if it can't be ordered on the site. */
    order_url: Type.Union([Url, Type.Null()]),
    /** What it becomes where its last piece is sold. */
    when_sold_out: Type.Enum(["out_of_stock", "backorder"]),
    /** Of the product's page with this version chosen. An earlier release's build lacks it. */
    url: Type.Optional(Url),
    // An earlier release's build lacks these too.
    /** Of one piece with its packaging, in grams. */
    weight_g: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
    /** The class of its tax in store.yaml; null for the usual rate. */
    tax_class: Type.Optional(TextOrNull),
    condition: Type.Optional(Type.Enum([...CONDITIONS])),
    /** What one piece holds, for the price of a unit. */
    content: Type.Optional(Type.Union([Content, Type.Null()])),
    /** In which numbers it is sold. */
    order_quantity: Type.Optional(
      Type.Object({ least: Type.Integer({ minimum: 1 }), step: Type.Integer({ minimum: 1 }) }, strict),
    ),
  },
  strict,
);

/** SKUs of some of a product's versions; null for all of them. */
const SkusOrNull = Type.Union([Type.Array(Text, { minItems: 1 }), Type.Null()]);

const Compatible = Type.Object(
  {
    /** Of the other product's page. */
    url: Url,
    /** The other product's versions that it is true of, and this one's. */
    skus: SkusOrNull,
    own_skus: SkusOrNull,
    /** The page of a third product, with which alone they are compatible. */
    together_with: Type.Union([Url, Type.Null()]),
    reason: Text,
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
    works_with: Type.Array(Compatible),
    does_not_work_with: Type.Array(Type.Object({ url: Url, reason: Text }, strict)),
    similar: Type.Array(Url),
    /** The day of the last change. */
    updated: Type.Union([Day, Type.Null()]),
    /** All categories that list it, its own first. An earlier release's build lacks them. */
    categories: Type.Optional(Type.Array(Slug, { minItems: 1 })),
  },
  strict,
);
export type FeedProduct = Static<typeof FeedProduct>;

/** products.json: anyone can read it, and the API imports it. Every field is always present; null where it doesn't apply. */
export const ProductFeed = Type.Object({ products: Type.Array(FeedProduct) }, strict);
