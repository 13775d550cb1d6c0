import { describeValues, type Specification, type Variant } from "../../content-schema/product.ts";
import { words } from "../words/words.ts";
import type { Category, Product } from "./catalogue.ts";
import { describeEach } from "./display-text.ts";
import { MAX_LISTED_VERSIONS } from "./offer.ts";
import { type Choice, factsByChoice } from "./version-choice.ts";

/** A version's values of a specification: its own, else its option of that name, else the product's. */
export const valuesOf = ({ entry }: Product, { specifications, options }: Variant, name: string): string[] =>
  [specifications[name] ?? options[name] ?? entry.data.specifications[name] ?? []].flat();

/** The values that some versions of a product have, as one text. */
export const describeUnion = (product: Product, variants: readonly Variant[], name: string): string =>
  [...new Set(variants.flatMap((variant) => valuesOf(product, variant, name)))].join(", ");

/** In what a version differs from its product: its specifications, and its options that the product has as specifications. */
export function ownSpecifications({ entry }: Product, { specifications, options }: Variant): Specification[] {
  const named = Object.entries(options).filter(([name]) => name in entry.data.specifications);
  return describeValues({ ...Object.fromEntries(named), ...specifications });
}

/** The names of all specifications of a product and its versions. */
const specificationNames = ({ specifications, variants }: Product): string[] => [
  ...new Set([
    ...specifications.map(({ name }) => name),
    ...variants.flatMap((variant) => Object.keys(variant.specifications)),
  ]),
];

const namesInCategories = new WeakMap<Category, string[]>();

/** The names of all specifications in a category, which every page of its comparison has. */
export function specificationNamesIn(category: Category): string[] {
  const known = namesInCategories.get(category) ?? [...new Set(category.products.flatMap(specificationNames))];
  namesInCategories.set(category, known);
  return known;
}

/** A specification of the versions that have these options; of all if there are none. */
export interface ChosenSpecification extends Specification {
  options: Variant["options"];
}

/** The specifications of a product's page by the choice of a version. */
export const specificationsByChoice = (product: Product, choices: readonly Choice[]): ChosenSpecification[] =>
  specificationNames(product).flatMap((name) => {
    const textOf = (variant: Variant) => valuesOf(product, variant, name).join(", ") || words.comparison.notStated;
    const facts = factsByChoice(product.variants, choices, textOf);
    // Hundreds of rows would tell less than all values.
    const isLong = facts.length > MAX_LISTED_VERSIONS;
    return isLong
      ? { name, value: describeUnion(product, product.variants, name), options: {} }
      : facts.map(({ fact, options }) => ({ name, value: fact, options }));
  });

const groupOf = new Map(
  Object.values(words.product.specificationGroups.named).flatMap(({ title, names }) =>
    names.split(" | ").map((name) => [name.toLowerCase(), title] as const),
  ),
);

/** Specifications below the headings that words/ knows for their names; all others are below one. */
export const groupSpecifications = (
  specifications: readonly ChosenSpecification[],
): { title: string; rows: ChosenSpecification[] }[] =>
  [
    ...Map.groupBy(
      specifications,
      ({ name }) => groupOf.get(name.toLowerCase()) ?? words.product.specificationGroups.others,
    ),
  ].map(([title, rows]) => ({ title, rows }));

/** The datasheet: a value that isn't the same in all versions is given for each, `USB: 1.5 m; RS-232: 2 m`. */
export function describeSpecifications(product: Product): Specification[] {
  const own = new Set(product.variants.flatMap((variant) => Object.keys(variant.specifications)));
  const shared = new Map(product.specifications.map(({ name, value }) => [name, value]));
  return specificationNames(product).map((name) => ({
    name,
    value: own.has(name) ? describeByVersion(product, name) : (shared.get(name) ?? ""),
  }));
}

function describeByVersion(product: Product, name: string): string {
  const textOf = (variant: Variant) => valuesOf(product, variant, name).join(", ") || words.comparison.notStated;
  return describeEach(product.variants, textOf);
}
