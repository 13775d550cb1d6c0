import { readJson } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { Options } from "../../platform/database/tables.ts";
import { findVariants, type Variant } from "../../selling/catalogue/variants.ts";
import { isOrderable } from "../../selling/quote/quote.ts";

/** What was chosen of a product: the values of `o1` to `o3`, its options in their order; undefined where there is none. */
export type Chosen = readonly [string | undefined, string | undefined, string | undefined];

/** Reads them from a form or a query. An empty text is none. */
export const readChosen = ({ o1, o2, o3 }: Record<"o1" | "o2" | "o3", string | undefined>): Chosen => [
  o1 || undefined,
  o2 || undefined,
  o3 || undefined,
];

/** An option of a product. */
interface ChosenOption {
  name: string;
  /** What can be chosen, in the order of the product's versions. */
  values: string[];
  /** What was chosen; undefined for nothing, and for what the product never had. */
  value: string | undefined;
}

/** What a choice leads to. */
export interface Choice {
  /** The product's title. */
  name: string;
  /** None where there is only one version. */
  options: ChosenOption[];
  /** The version that was chosen, even if it's sold out or gone; undefined if a value is missing or nothing has them all. */
  variant: Variant | undefined;
  /**
   * Where no value is missing and `variant` can't be ordered: the one that can be and has the most of them, in stock before
   * others; undefined if none can be.
   */
  nearest: Variant | undefined;
}

/** Finds the version of a product that has all that was chosen. Undefined if there is no such product. */
export async function chooseVersion(db: Db, slug: string, chosen: Chosen): Promise<Choice | undefined> {
  const all = await readVersions(db, slug);
  const [first] = all;
  if (first === undefined) return undefined;
  const offered = all.filter(({ variant }) => variant.availability !== "archived");
  const shown = offered.length > 0 ? offered : all;
  const options = (shown[0]?.options ?? []).map(([name], place): ChosenOption => {
    const valuesOf = (versions: readonly Version[]) => versions.flatMap((version) => version.options[place]?.[1] ?? []);
    const value = valuesOf(all).find((each) => each === chosen[place]);
    return { name, values: [...new Set(valuesOf(shown))], value };
  });
  const agreements = (version: Version) =>
    options.filter(({ value }, place) => version.options[place]?.[1] === value).length;
  const isComplete = options.every(({ value }) => value !== undefined);
  // An option that the product doesn't have any more can't be met.
  const isMet = (version: Version) =>
    agreements(version) === options.length &&
    chosen.every((value, place) => value === undefined || place < options.length);
  const [found, other] = isComplete ? all.filter(isMet) : [];
  const variant = other && other.variant.availability !== "archived" ? undefined : found?.variant;
  const [nearest] =
    isComplete && !(variant && isOrderable(variant))
      ? offered
          .filter((version) => isOrderable(version.variant))
          .sort((a, b) => agreements(b) - agreements(a) || Number(isInStock(b)) - Number(isInStock(a)))
      : [];
  return { name: first.variant.product_title, options, variant, nearest: nearest?.variant };
}

interface Version {
  variant: Variant;
  options: Options;
}

const isInStock = ({ variant }: Version) => variant.availability === "in_stock";

/** A product's versions in its order, then those that it had. */
async function readVersions(db: Db, slug: string): Promise<Version[]> {
  const product = await db
    .selectFrom("products")
    .select(["id", "variants"])
    .where("slug", "=", slug)
    .executeTakeFirst();
  if (product === undefined) return [];
  const rows = await db.selectFrom("product_variants").select("sku").where("product_id", "=", product.id).execute();
  const listed = readJson(product.variants).map(({ sku }) => sku);
  const variants = await findVariants(
    db,
    rows.map(({ sku }) => sku),
  );
  return [...new Set([...listed, ...variants.keys()])].flatMap((sku) => {
    const variant = variants.get(sku);
    return variant ? [{ variant, options: variant.options ? readJson(variant.options) : [] }] : [];
  });
}
