import type { OfferFacts, PageFacts } from "./page-facts.ts";

/**
 * Writes the YAML front matter of a page, `---` lines included, one fact a line.
 *
 * Every string stands in double quotes: YAML 1.1 readers, of which there are many, take a bare `no` for false, `0123` for
 * 83 and `2026-10-02` for a date, and a bare `: ` or ` #` ends a value. A JSON string is a valid YAML one (YAML 1.2, §1.3).
 */
export function writeFrontMatter({ title, description, url, updated, product }: PageFacts): string {
  const fields = { title, description, url, updated };
  const lines = ["---", ...lineEach(fields)];
  if (product) {
    const [first] = product.offers;
    const currencies = new Set(product.offers.map((offer) => offer.currency));
    const currency = currencies.size === 1 ? first?.currency : undefined;
    lines.push(...lineEach({ brand: product.brand }));
    if (first && product.offers.length === 1) {
      const { sku, gtin, price, availability, available_from } = first;
      lines.push(...lineEach({ sku, gtin, price, currency, availability, available_from }));
    } else {
      lines.push(
        ...lineEach({ currency }),
        "variants:",
        ...product.offers.map((offer) => variantLine(offer, currency)),
      );
    }
  }
  return `${[...lines, "---"].join("\n")}\n`;
}

type Fields = { [name: string]: string | undefined };

const lineEach = (fields: Fields) => pairs(fields).map(([name, value]) => `${name}: ${quote(value)}`);

function variantLine(
  { name, sku, gtin, price, currency, availability, available_from }: OfferFacts,
  shared: string | undefined,
): string {
  const own = currency === shared ? undefined : currency;
  const fields = { sku, gtin, name, price, currency: own, availability, available_from };
  return `  - {${lineEach(fields).join(", ")}}`;
}

const pairs = (fields: Fields) =>
  Object.entries(fields).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []));

// YAML counts these as not printable (YAML 1.2.2, §5.1), or as line breaks (YAML 1.1, §4.2: NEL, LS, PS); JSON doesn't.
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

const quote = (value: string) =>
  JSON.stringify(value).replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
