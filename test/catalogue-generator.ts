// Writes a catalogue of any size, the same each time. By hand: `node test/catalogue-generator.ts 10000 ../elsewhere/content`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkDigit } from "../api/contract/gtin.ts";
import { type Random, seededRandom } from "../api/operation/demo/random.ts";
import { brands, colours, commonFacts, type Fact, type Kind, kinds, sentences } from "./catalogue-words.ts";

export interface CatalogueSize {
  products: number;
  /** How many categories share the products; by default, one for each kind of product. */
  categories?: number;
  seed?: number;
}

/**
 * Adds categories, products and their pictures to a content folder. Slugs, SKUs and GTINs (restricted range 270 to 279)
 * differ from the demo shop's, so that both fit in one folder.
 */
export function writeCatalogue(
  content: string,
  { products, categories = kinds.length, seed = 1 }: CatalogueSize,
): void {
  const random = seededRandom(seed);
  const used = kinds.slice(0, categories);
  for (const [index, kind] of used.entries()) writeCategory(content, kind, index);
  for (let number = 1; number <= products; number += 1) {
    const kind = used[number % used.length];
    if (kind === undefined) throw new RangeError("writeCatalogue() needs at least one category");
    const { slug, text } = makeProduct(kind, number, random);
    writeFileSync(join(content, "products", kind.slug, `${slug}.md`), text);
  }
}

const pictures = 4;

function writeCategory(content: string, { slug, title, noun }: Kind, index: number): void {
  const folder = join(content, "products", slug);
  mkdirSync(folder, { recursive: true });
  const facts = [
    `title: ${title}`,
    `summary: Every ${noun} that we have tried on a counter of our own.`,
    `order: ${100 + index}`,
  ];
  writeFileSync(
    join(content, "categories", `${slug}.md`),
    page(facts, `How to choose a ${noun}: measure first, then compare.`),
  );
  for (let picture = 1; picture <= pictures; picture += 1) {
    const hue = index * 60 + picture * 10;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300"><rect x="${picture * 20}" y="90" width="240" height="150" rx="12" fill="hsl(${hue} 30% 60%)"/></svg>\n`;
    writeFileSync(join(folder, `${slug}-${picture}.svg`), svg);
  }
}

function makeProduct(kind: Kind, number: number, random: Random): { slug: string; text: string } {
  const name = `${random.pick(brands)} ${random.pick(["K", "M", "R", "T"])}${number}`;
  const [brand = ""] = name.split(/ (?=[KMRT]\d+$)/);
  const slug = `${name} ${kind.noun}`.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const facts = [
    `title: ${name} ${kind.noun}`,
    `brand: ${brand}`,
    `summary: A ${kind.noun} for ${random.pick(["cafés", "market halls", "small shops", "service desks"])}, number ${number} of its family, quiet and quick to set up.`,
    `images:\n  - src: ./${kind.slug}-${random.between(1, pictures)}.svg\n    alt: The ${name} on a plain counter, seen from the front`,
    ...makeOffers(number, random),
    `specifications:\n${makeSpecifications(kind, random).join("\n")}`,
    `updated: 2026-${String(random.between(1, 9)).padStart(2, "0")}-${random.between(10, 28)}`,
  ];
  return { slug, text: page(facts, makeText(name, kind.noun, random)) };
}

/** One price with its SKU and GTIN, or two to four variants by colour. */
function makeOffers(number: number, random: Random): string[] {
  const count = random.between(1, 4);
  const base = random.between(19, 1400);
  const offers = colours.slice(0, count).map((colour, index) => {
    const digits = `27${String(number * 10 + index).padStart(10, "0")}`;
    const price = `${base + index * 5}.${random.pick(["00", "50", "90"])}`;
    const availability = random.pick(["in_stock", "in_stock", "in_stock", "backorder", "out_of_stock"]);
    return {
      colour,
      facts: [
        `sku: "GEN-${number}-${index + 1}"`,
        `gtin: "${digits}${checkDigit(digits)}"`,
        `price: "${price}"`,
        `availability: ${availability}`,
        ...(availability === "backorder" ? ["available_from: 2099-01-11"] : []),
      ],
    };
  });
  const [single] = offers;
  if (offers.length === 1 && single) return single.facts;
  const variants = offers.map(({ colour, facts }) => [...facts, `options: { Colour: ${colour} }`].join("\n    "));
  return ["variants:", ...variants.map((variant) => `  - ${variant}`)];
}

/** Picks 6 to 16 specifications. */
const makeSpecifications = ({ facts }: Kind, random: Random): string[] =>
  [...facts, ...commonFacts]
    .slice(0, random.between(6, 16))
    .map((fact) => `  ${fact[0]}: ${JSON.stringify(makeValue(fact, random))}`);

function makeValue([, values, high, unit]: Fact, random: Random): string {
  return typeof values === "number" ? `${random.between(values, high ?? values)} ${unit}` : random.pick(values);
}

/** Writes 3 to 5 paragraphs of two or three sentences, without repeating one. */
function makeText(name: string, noun: string, random: Random): string {
  const left: string[] = [...sentences];
  const take = () => left.splice(random.between(0, left.length - 1), 1);
  const paragraphs = Array.from({ length: random.between(3, 5) }, () =>
    Array.from({ length: random.between(2, 3) }, take).join(" "),
  );
  const [first = "", ...others] = paragraphs;
  const text = ["## What it is for", first, "## Good to know", ...others].join("\n\n");
  return text.replaceAll("{name}", name).replaceAll("{noun}", noun);
}

const page = (facts: readonly string[], text: string) => `---\n${facts.join("\n")}\n---\n${text}\n`;

if (import.meta.main) {
  const [, , products, content] = process.argv;
  if (content === undefined || !(Number(products) > 0))
    throw new Error(
      "Give the number of products and the content folder: node test/catalogue-generator.ts 10000 ../elsewhere/content",
    );
  writeCatalogue(content, { products: Number(products) });
}
