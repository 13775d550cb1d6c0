import type { Usage } from "./usage.ts";

/** Who builds what: HTML alone, both faces, all of `npm run build`, that again after one change, and the peers. */
export type Builder = "html" | "faces" | "all" | "changed" | "hugo" | "eleventy";

export interface Measured {
  /** Numbers of products, in rising order. */
  sizes: readonly number[];
  /** By `sideName`, in the order of the rounds. */
  usages: Readonly<Record<string, Usage[]>>;
  /** `npm start`'s build of the largest shop, with nothing changed. */
  starts: readonly Usage[];
}

export type Quantity = "seconds" | "cpuSeconds" | "peakMb";

export const sideName = (builder: Builder, products: number) => `${builder} ${products}`;

/** What a builder needed for so many products, in the order of the rounds. */
export const usagesOf = ({ usages }: Measured, builder: Builder, products: number): Usage[] =>
  usages[sideName(builder, products)] ?? [];

export const countProducts = (products: number) => `${products.toLocaleString("en-GB")} products`;
