import Type from "typebox";
import { Compile } from "typebox/schema";
import { BuiltCounter } from "../../contract/built-files/counter.ts";
import {
  type BuildLog,
  type Builds,
  followBuilds,
  type OfBuild,
  parseFile,
  SAME_CODE,
} from "../../platform/private-pages/builds.ts";

/** A version that can be chosen, with its category by slug. */
export interface Choice {
  sku: string;
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
  /** Why two versions, by their SKUs, go together; undefined if nobody says that they do. */
  findReason: FindReason;
  /** Why they don't; undefined if nobody says so. */
  findCaution: FindReason;
}

type FindReason = (one: string, other: string) => string | undefined;

const counters = Compile(Type.Union([BuiltCounter, Type.Null()]));

/** Follows the counter of the site's builds; undefined where the shop has none. */
export const openCounter = (builds: Builds, log: BuildLog): OfBuild<Counter | undefined> =>
  followBuilds({
    builds,
    name: "relations of the counter",
    log,
    async make(read) {
      const built: unknown = parseFile("counter.json", await read("counter.json"));
      if (!counters.Check(built)) throw new Error(`The counter is of another release of the site. ${SAME_CODE}`);
      return built === null ? undefined : makeCounter(built);
    },
  });

function makeCounter({ steps, extras, relations, cautions }: BuiltCounter): Counter {
  const choices = [...steps, ...extras].flatMap(({ slug: category, products }) =>
    products.flatMap(({ skus }) => skus.map((sku) => [sku, { sku, category }] as const)),
  );
  return {
    ...{ steps, extras, choices: new Map(choices) },
    ...{ findReason: indexRelations(relations), findCaution: indexRelations(cautions) },
  };
}

/** Finds a relation of two versions in either order. Its memory grows with the lists' lengths, not with their product. */
function indexRelations(relations: BuiltCounter["relations"]): FindReason {
  const bySku = new Map<string, { others: ReadonlySet<string>; reason: string }[]>();
  for (const {
    between: [one, other],
    reason,
  } of relations)
    for (const [skus, others] of [
      [one, other],
      [other, one],
    ] as const) {
      const found = { others: new Set(others), reason };
      for (const sku of skus) bySku.set(sku, [...(bySku.get(sku) ?? []), found]);
    }
  return (one, other) => bySku.get(one)?.find(({ others }) => others.has(other))?.reason;
}
