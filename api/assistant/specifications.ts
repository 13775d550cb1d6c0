import type { Product } from "../search/search-file.ts";
import type { Sold } from "./catalogue.ts";

type Specification = Product["specifications"][number];

/** A version's specifications: its product's in their order, with its own values, then what it has besides. */
export function specificationsOf({ product, version }: Sold): Specification[] {
  const values = new Map(
    [...product.specifications, ...version.specifications].map(({ name, value }) => [name, value]),
  );
  return [...values].map(([name, value]) => ({ name, value }));
}

/** What holds for all of a product's versions. */
export function sharedSpecifications({ specifications, versions }: Product): Specification[] {
  const own = new Set(versions.flatMap((version) => version.specifications.map(({ name }) => name)));
  return specifications.filter(({ name }) => !own.has(name));
}
