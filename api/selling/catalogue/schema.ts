import Type, { type Static } from "typebox";
import { AVAILABILITIES } from "../../contract/availability.ts";
import { CONDITIONS } from "../../contract/conditions.ts";
import { CURRENCY } from "../../contract/patterns.ts";
import { money, nullable, oneOf, text, textOrNull, time, wholeNumber } from "../../platform/http/schema-types.ts";

const Image = Type.Object({
  url: Type.String({
    format: "uri",
    description: "The picture's URL.",
    example: "https://shop.example/_astro/kestrel-c2.svg",
  }),
  alt: text("What the picture shows.", "The Kestrel C2 in its charging cradle, seen from the left"),
});

const Specification = Type.Object({
  name: text("The property.", "Drop resistance"),
  value: text("The value with its unit.", "1.8 m"),
});

const Variant = Type.Object({
  sku: text("The shop's article number, case-sensitive.", "KES-C2-BK"),
  gtin: textOrNull("GTIN-13, digits only, with a valid check digit.", "2000000000015"),
  barcode: textOrNull("Another code printed on the box.", "KC2BK-01"),
  title: text("The variant's options in words, or the product's title if it has one variant only.", "Black / USB"),
  options: Type.Record(Type.String(), Type.String(), {
    description: "The variant's value for each option.",
    example: { Colour: "Black", Interface: "USB" },
  }),
  specifications: Type.Array(Specification, {
    description: "In what it differs from the product's `specifications`; for all other properties, those apply.",
  }),
  price: money("The price of one piece; includes tax if `prices_include_tax`.", "189.00"),
  currency: Type.String({ pattern: CURRENCY, description: "ISO 4217.", example: "EUR" }),
  prices_include_tax: Type.Boolean({ description: "Whether the price includes tax.", example: true }),
  tax_rate: Type.String({ description: "The rate as a decimal fraction: 0.21 is 21%.", example: "0.21" }),
  availability: oneOf(AVAILABILITIES, { description: "Availability.", example: "in_stock" }),
  condition: oneOf([...CONDITIONS], { description: "What state it is in.", example: "new" }),
  content: nullable(
    Type.Object(
      {
        amount: text("How much one package holds, as a decimal.", "80"),
        unit: text("Its unit.", "m"),
        pieces: wholeNumber("How many packages one piece has.", 20, 1),
      },
      { description: "What one piece holds, from which pages say the price of a unit." },
    ),
  ),
  order_quantity: Type.Object(
    {
      least: wholeNumber("The least pieces in an order.", 12, 1),
      step: wholeNumber("By how many more it is sold.", 6, 1),
    },
    { description: "In which numbers of pieces it is sold." },
  ),
  weight_g: nullable(wholeNumber("What one piece weighs with its packaging, in grams.", 850, 1)),
  tax_class: textOrNull("The class of its tax in the shop; null for the usual rate.", "reduced"),
});

export const Product = Type.Object(
  {
    id: wholeNumber("Stays the same when the product is renamed.", 5, 1),
    slug: text("The last part of the page's URL; unique in the shop.", "kestrel-c2"),
    url: Type.String({
      format: "uri",
      description: "The product's page.",
      example: "https://shop.example/products/kestrel-c2",
    }),
    title: text("The product's name.", "Kestrel C2 cordless 2D scanner"),
    status: oneOf(["active", "archived"], {
      description: "`archived` once it's removed from the catalogue; it stays in this list.",
      example: "active",
    }),
    description: text(
      "One sentence in plain text.",
      "A cordless scanner that reads a cracked phone screen at arm's length.",
    ),
    brand: nullable(text("The maker.", "Kestrel")),
    category: text("The slug of its category.", "barcode-scanners"),
    created_at: time("When it was added to the catalogue.", "2026-08-03T06:00:00.000Z"),
    updated_at: time("When its entry last changed.", "2026-10-02T06:00:00.000Z"),
    sequence: wholeNumber("Ascending over all products with every product added, changed or archived.", 17, 1),
    images: Type.Array(Image, { description: "Pictures, the main one first." }),
    specifications: Type.Array(Specification, { description: "The datasheet, in order." }),
    variants: Type.Array(Variant, { description: "The variants for sale; at least one." }),
    categories: Type.Array(text("A category's slug.", "barcode-scanners"), {
      description: "All categories that list it: its own first, then those above it and others.",
    }),
  },
  { $id: "Product", description: "A product. Every field is always present; null where it doesn't apply." },
);
export type Product = Static<typeof Product>;
