import type { Product, SearchFile } from "../../../../api/contract/built-files/search.ts";
import { seededRandom } from "../../../../api/operation/demo/random.ts";
import { brands, colours, commonFacts, kinds, sentences } from "../../../catalogue-words.ts";
import { searchFile, searchProduct, searchVersion } from "./search-file.ts";

/** Sentences of a text, which then is as long as the demo shop's: 1,300 characters. */
const SENTENCES = 13;

/** A shop of so many products with three versions each, the same each time. */
export function largeShop(products: number): SearchFile {
  const random = seededRandom(35);
  const categories = kinds.map(({ slug, title, noun }) => ({
    ...{
      slug,
      path: `/categories/${slug}`,
      title,
      summary: `Every ${noun}.`,
      also_called: [],
      instead_of: [],
      told_apart_by: [],
      is_in_header: true,
    },
  }));
  const invent = (_: unknown, number: number): Product => {
    const kind = kinds[number % kinds.length];
    if (!kind) throw new RangeError("kinds is empty");
    const title = `${random.pick(brands)} K${number} ${kind.noun}`;
    const sentence = () => random.pick(sentences).replaceAll("{name}", title).replaceAll("{noun}", kind.noun);
    const facts = [...kind.facts, ...commonFacts].slice(0, random.between(6, 12));
    return searchProduct(`k${number}-${kind.slug}`, title, {
      category: kind.slug,
      brand: title.split(" K")[0] ?? "",
      summary: sentence(),
      also_called: [`model ${number}`],
      specifications: facts.map(([name, values, high, unit]) => ({
        name,
        value: typeof values === "number" ? `${random.between(values, high ?? values)} ${unit}` : random.pick(values),
      })),
      text: Array.from({ length: SENTENCES }, sentence).join("\n"),
      versions: colours.slice(0, 3).map((colour, place) =>
        searchVersion(`K-${number}-${place}`, {
          path: `/products/k${number}-${kind.slug}?sku=K-${number}-${place}`,
          gtin: `27${String(number * 10 + place).padStart(10, "0")}0`,
          title: colour,
          specifications: [{ name: "Colour", value: colour }],
        }),
      ),
    });
  };
  return searchFile({ categories, products: Array.from({ length: products }, invent) });
}
