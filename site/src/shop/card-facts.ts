import type { Specification, Variant } from "../../content-schema/product.ts";
import { words } from "../words/words.ts";
import type { Category, Product } from "./catalogue.ts";
import { describeUnion, specificationNamesIn } from "./version-specifications.ts";

/** How many facts a card has. */
const SHOWN = 2;

const known = new WeakMap<Category, string[]>();

/** The two facts on a product's card, as some of its versions have them: those by which the category's products differ. */
export const cardFacts = (product: Product, variants: readonly Variant[] = product.variants): Specification[] =>
  tellingApart(product.category)
    .map((name) => ({ name, value: describeUnion(product, variants, name) }))
    .filter(({ value }) => value !== "" && value !== words.category.none)
    .slice(0, SHOWN);

/** The names of the facts in which a category's products differ, those by which they are filtered first. */
export function tellingApart(category: Category): string[] {
  const names = known.get(category) ?? readNames(category);
  known.set(category, names);
  return names;
}

function readNames(category: Category): string[] {
  const { products, entry } = category;
  const names = [...new Set([...entry.data.filters, ...specificationNamesIn(category)])];
  const isTelling = (name: string) =>
    new Set(products.map((product) => describeUnion(product, product.variants, name))).size > 1;
  // A single product has nothing to differ from.
  return products.length > 1 ? names.filter(isTelling) : names;
}
