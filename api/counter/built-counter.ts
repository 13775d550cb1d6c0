import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";
import { type BuildLog, followBuilds, type OfBuild } from "../private-pages/builds.ts";

const strict = { additionalProperties: false };
const Slug = Type.String();

const category = {
  slug: Slug,
  title: Type.String(),
  products: Type.Array(Type.Object({ slug: Slug, summary: Type.String(), skus: Type.Array(Type.String()) }, strict)),
};

/** counter.json: the site's build writes it (site/src/resources/counter.ts), null for a shop without a counter. */
const BuiltCounter = Type.Object(
  {
    steps: Type.Array(Type.Object({ ...category, fits: Type.Array(Slug) }, strict), { minItems: 1 }),
    extras: Type.Array(Type.Object(category, strict)),
    relations: Type.Array(Type.Object({ between: Type.Tuple([Slug, Slug]), reason: Type.String() }, strict)),
  },
  strict,
);
type BuiltCounter = Static<typeof BuiltCounter>;

/** A version that can be chosen, with its product and category by slug. */
export interface Choice {
  sku: string;
  product: string;
  category: string;
}

/** What the shop's content says of “Build your counter”. */
export interface Counter {
  /** One version is chosen in each, the first before the others. `fits` has the earlier steps that its products go with. */
  steps: BuiltCounter["steps"];
  /** Cables, paper and the like: any number of versions. */
  extras: BuiltCounter["extras"];
  /** Every version of these categories by SKU, in their order. */
  choices: ReadonlyMap<string, Choice>;
  /** Why two products, by their slugs, go together; undefined if nobody says that they do. */
  findReason(one: string, other: string): string | undefined;
}

const counters = Compile(Type.Union([BuiltCounter, Type.Null()]));

/** Follows the counter of the site's builds in `location`; undefined where the shop has none. */
export const openCounter = (location: string, log: BuildLog): OfBuild<Counter | undefined> =>
  followBuilds({
    location,
    name: "relations of the counter",
    log,
    async make(read) {
      const built: unknown = JSON.parse(await read("counter.json"));
      if (!counters.Check(built)) throw new Error("The counter is of another release of the site.");
      return built === null ? undefined : makeCounter(built);
    },
  });

function makeCounter({ steps, extras, relations }: BuiltCounter): Counter {
  const reasons = new Map(
    relations.flatMap(({ between: [one, other], reason }) => [
      [`${one} ${other}`, reason],
      [`${other} ${one}`, reason],
    ]),
  );
  const choices = [...steps, ...extras].flatMap(({ slug: category, products }) =>
    products.flatMap(({ slug: product, skus }) => skus.map((sku) => [sku, { sku, product, category }] as const)),
  );
  return { steps, extras, choices: new Map(choices), findReason: (one, other) => reasons.get(`${one} ${other}`) };
}
