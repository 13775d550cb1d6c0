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
  /** The versions that go with one, by product and in the counter's order, each with the first reason. */
  findPartners: (sku: string) => Partner[];
}

interface Partner {
  skus: string[];
  category: string;
  /** Whether the product has no other versions. */
  isWhole: boolean;
  reason: string;
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
  const categories = [...steps, ...extras];
  const choices = categories.flatMap(({ slug: category, products }) =>
    products.flatMap(({ skus }) => skus.map((sku) => [sku, { sku, category }] as const)),
  );
  const related = indexRelations(relations);
  const findPartners = (sku: string): Partner[] => {
    const reasons = new Map(
      related.get(sku)?.flatMap(({ others, reason }) => [...others].map((other) => [other, reason] as const)),
    );
    return categories.flatMap(({ slug: category, products }) =>
      products.flatMap(({ skus: all }) => {
        const skus = all.filter((other) => reasons.has(other));
        const reason = reasons.get(skus[0] ?? "");
        return reason === undefined ? [] : { skus, category, isWhole: skus.length === all.length, reason };
      }),
    );
  };
  return {
    ...{ steps, extras, choices: new Map(choices), findPartners },
    ...{ findReason: findIn(related), findCaution: findIn(indexRelations(cautions)) },
  };
}

type Related = ReadonlyMap<string, readonly { others: ReadonlySet<string>; reason: string }[]>;

/** Finds a relation of two versions in either order. */
const findIn =
  (related: Related): FindReason =>
  (one, other) =>
    related.get(one)?.find(({ others }) => others.has(other))?.reason;

/** The relations of each version. Their memory grows with the lists' lengths, not with their product. */
function indexRelations(relations: BuiltCounter["relations"]): Related {
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
  return bySku;
}
