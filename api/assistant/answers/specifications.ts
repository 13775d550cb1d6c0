import type { Product } from "../../contract/built-files/search.ts";
import type { Sold } from "./catalogue.ts";

type Specification = Product["specifications"][number];

/** A version's specifications: its product's in their order, with its own values, then what it has besides. */
export function specificationsOf({ product, variant }: Sold): Specification[] {
  const values = new Map(
    [...product.specifications, ...variant.specifications].map(({ name, value }) => [name, value]),
  );
  return [...values].map(([name, value]) => ({ name, value }));
}

/** The specifications in which versions differ, by name. */
export function differingNames(variants: readonly Sold[]): ReadonlySet<string> {
  const values = variants.map((sold) => new Map(specificationsOf(sold).map(({ name, value }) => [name, value])));
  const names = values.flatMap((each) => [...each.keys()]);
  return new Set(names.filter((name) => new Set(values.map((each) => each.get(name))).size > 1));
}
