import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FeedProduct } from "../../../api/contract/built-files/products.ts";
import { checkDigit } from "../../../api/contract/gtin.ts";
import { type Random, seededRandom } from "../../../api/operation/demo/random.ts";
import { runToEnd } from "../../../nginx/local/child-process.ts";
import { apiProgram } from "../../../nginx/local/services.ts";
import { shopFacts } from "../../api/selling/quote/shop.ts";
import { brands, colours, commonFacts, type Fact, kinds, sentences } from "../../catalogue-words.ts";
import { interleave } from "../rounds.ts";
import { type Findings, median } from "../table.ts";
import type { BenchDatabase } from "./database.ts";

const SIZES = [1_000, 3_000, 10_000] as const;

/** Times `npm run import` into an empty table, and again with nothing changed. Leaves the largest catalogue imported. */
export async function measureImports(database: BenchDatabase): Promise<Required<Findings>> {
  const sides: Record<number, () => Promise<Record<"fresh" | "again", number>>> = {};
  mkdirSync(join(database.folder, ".session"));
  writeFileSync(join(database.folder, ".session", "store.json"), JSON.stringify(shopFacts()));
  for (const products of SIZES) {
    const file = join(database.folder, `products-${products}.json`);
    writeFileSync(file, writeProducts(products));
    sides[products] = async () => {
      for (const table of ["product_variants", "products"]) await database.connection.query(`delete from ${table}`);
      return { fresh: await timeImport(database, file), again: await timeImport(database, file) };
    };
  }
  const times = await interleave(sides);
  const values = (products: number, which: "fresh" | "again") => times[products]?.map((time) => time[which]) ?? [];
  const row = (products: number, which: "fresh" | "again") => ({
    what: `Import of ${products.toLocaleString("en-GB")} products${which === "again" ? " again" : ""}`,
    unit: "s",
    ours: { name: "npm run import", values: values(products, which) },
  });
  const line = (name: string, which: "fresh" | "again") => ({
    name,
    points: SIZES.map((products) => ({ x: products, y: median(values(products, which)) })),
  });
  return {
    rows: SIZES.flatMap((products) => [row(products, "fresh"), row(products, "again")]),
    plots: [
      {
        name: "api-import",
        title: "Import of the catalogue",
        xLabel: "products",
        yLabel: "seconds",
        lines: [line("new", "fresh"), line("unchanged", "again")],
      },
    ],
  };
}

/** In seconds. */
async function timeImport({ url }: BenchDatabase, file: string): Promise<number> {
  const begin = performance.now();
  await runToEnd("The import", process.execPath, apiProgram("commands/import.ts", file), {
    env: { DATABASE_URL: url },
  });
  return (performance.now() - begin) / 1000;
}

const SEED = 20_261_122;

const writeProducts = (count: number): string => JSON.stringify({ products: inventProducts(count) });

/** Invents `count` products with 1 to 4 variants, in the format of the site's products.json. */
export function inventProducts(count: number): FeedProduct[] {
  const random = seededRandom(SEED);
  return Array.from({ length: count }, (_, index) => inventProduct(random, index + 1));
}

function inventProduct(random: Random, number: number): FeedProduct {
  const kind = kinds[number % kinds.length];
  if (!kind) throw new RangeError("kinds is empty");
  const brand = random.pick(brands);
  const title = `${brand} K${number} ${kind.noun}`;
  const slug = `k${number}-${kind.slug}`;
  const picture = `https://shop.example/assets/${slug}.svg`;
  return {
    slug,
    formerly: [],
    url: `https://shop.example/products/${slug}`,
    title,
    description: random.pick(sentences).replaceAll("{name}", title).replaceAll("{noun}", kind.noun),
    brand,
    category: kind.slug,
    images: [{ url: picture, alt: `The ${title} on a counter`, thumbnail: picture }],
    specifications: [...kind.facts, ...commonFacts]
      .slice(0, random.between(6, 16))
      .map((fact) => ({ name: fact[0], value: inventValue(random, fact) })),
    variants: inventVariants(random, number),
    works_with: [],
    does_not_work_with: [],
    similar: [],
    updated: null,
  };
}

const inventValue = (random: Random, [, values, high, unit]: Fact): string =>
  typeof values === "number" ? `${random.between(values, high ?? values)} ${unit}` : random.pick(values);

/** A single variant has no options. GTINs are from the restricted range 270 to 279. */
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
      specifications: [],
      price: `${price + index * 5}.90`,
      price_net: `${price + index * 5}.90`,
      order_url: null,
      when_sold_out: "out_of_stock" as const,
      currency: "EUR",
      prices_include_tax: true,
      tax_rate: "0.21",
      availability: "in_stock" as const,
      available_from: null,
      image: 0,
    };
  });
  return variants.length > 1 ? variants : variants.map((variant) => ({ ...variant, options: {} }));
}
