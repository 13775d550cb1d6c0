import type { FeedProduct } from "../../../api/catalogue/catalogue-file.ts";
import { type Random, seededRandom } from "../../../api/demo/random.ts";
import { checkDigit } from "../../../site/content-schema/gtin.ts";
import { brands, colours, commonFacts, type Fact, kinds, sentences } from "../../catalogue-words.ts";

const SEED = 20_261_122;

/** products.json of a shop with so many products of 1 to 4 variants, as the site's build writes it. */
export function writeProducts(count: number): string {
  const random = seededRandom(SEED);
  return JSON.stringify({ products: Array.from({ length: count }, (_, index) => inventProduct(random, index + 1)) });
}

function inventProduct(random: Random, number: number): FeedProduct {
  const kind = kinds[number % kinds.length];
  if (!kind) throw new RangeError("There are no kinds of products.");
  const brand = random.pick(brands);
  const title = `${brand} K${number} ${kind.noun}`;
  const slug = `k${number}-${kind.slug}`;
  return {
    slug,
    formerly: [],
    url: `https://shop.example/products/${slug}`,
    title,
    description: random.pick(sentences).replaceAll("{name}", title).replaceAll("{noun}", kind.noun),
    brand,
    category: kind.slug,
    images: [{ url: `https://shop.example/assets/${slug}.svg`, alt: `The ${title} on a counter` }],
    specifications: [...kind.facts, ...commonFacts]
      .slice(0, random.between(6, 16))
      .map((fact) => ({ name: fact[0], value: inventValue(random, fact) })),
    variants: inventVariants(random, number),
  };
}

const inventValue = (random: Random, [, values, high, unit]: Fact): string =>
  typeof values === "number" ? `${random.between(values, high ?? values)} ${unit}` : random.pick(values);

/** A single one has no options. GTINs are of the restricted range 270 to 279. */
function inventVariants(random: Random, number: number): FeedProduct["variants"] {
  const price = random.between(19, 1400);
  const variants = colours.slice(0, random.between(1, 4)).map((colour, index) => {
    const digits = `27${String(number * 10 + index).padStart(10, "0")}`;
    return {
      sku: `K-${number}-${index + 1}`,
      gtin: `${digits}${checkDigit(digits)}`,
      barcode: null,
      title: colour,
      options: { Colour: colour },
      price: `${price + index * 5}.90`,
      currency: "EUR",
      prices_include_tax: true,
      tax_rate: "0.21",
      availability: "in_stock" as const,
    };
  });
  return variants.length > 1 ? variants : variants.map((variant) => ({ ...variant, options: {} }));
}
