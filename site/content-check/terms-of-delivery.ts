import { isScalar, isSeq } from "yaml";
import type { DeliveryMethod } from "../../api/contract/delivery-methods.ts";
import { compareAmounts } from "../content-schema/money.ts";
import { methodsOf, type ShopMethod } from "../content-schema/shipping.ts";
import type { Shop } from "../content-schema/shop.ts";
import { didYouMean } from "../content-schema/suggest.ts";
import { factOf, type KnownPage } from "./content-files.ts";
import { fieldName } from "./field-problems.ts";
import { locate, type Yaml } from "./front-matter.ts";
import type { Problem } from "./problem.ts";
import { readLeast } from "./products.ts";

/**
 * Finds what may be wrong with delivery and classes of tax in store.yaml: prices that fall as goods get heavier, a zone that large
 * orders can't be sent to, kilograms instead of grams, one code for two names, a class that changes nothing. Warnings, because
 * each may be meant.
 */
export function findOddTerms(file: string, yaml: Yaml, shop: Shop): Problem[] {
  const doubt = (path: (string | number)[], message: string): Problem => ({
    ...{ file, line: locate(yaml, path).line, isWarning: true },
    message: `${fieldName(path)} ${message}`,
  });
  const nameOf = new Map<string, { name: string; zone: number }>();
  const zones = (shop.shipping?.zones ?? []).flatMap(({ methods = [] }, zone) => {
    const at = ["shipping", "zones", zone, "methods"];
    const limits = methods.map(({ tiers }) => tiers.at(-1)?.up_to);
    const isLimited = methods.length > 0 && !limits.includes(undefined);
    return [
      ...(isLimited
        ? [
            doubt(
              at,
              "all have a limit, so larger orders can't be delivered there. Leave `up_to` out of a method's last tier, unless that's meant.",
            ),
          ]
        : []),
      ...methods.flatMap(({ code, name, by, tiers }, index) => {
        const limit = by === "weight" ? Number(limits[index]) : Number.NaN;
        const known = nameOf.get(code);
        nameOf.set(code, known ?? { name, zone });
        const isOther = known !== undefined && known.name !== name;
        const falls = tiers.findIndex(({ price }, tier) => {
          const before = tiers[tier - 1];
          return before !== undefined && compareAmounts(price, before.price) < 0;
        });
        return [
          ...(limit < LEAST_GRAMS
            ? [
                doubt(
                  [...at, index, "tiers", tiers.length - 1, "up_to"],
                  `${limit} is grams, and few parcels are that light. If kilograms are meant, write \`up_to: ${limit * 1000}\`.`,
                ),
              ]
            : []),
          ...(isOther
            ? [
                doubt(
                  [...at, index, "name"],
                  `is “${name}”, and \`code: ${code}\` is “${known.name}” in zone ${known.zone + 1}. Write one name, or another code.`,
                ),
              ]
            : []),
          ...(falls > 0
            ? [
                doubt(
                  [...at, index, "tiers", falls, "price"],
                  `"${tiers[falls]?.price}" is lower than that of the tier before, "${tiers[falls - 1]?.price}". Check it for a typo.`,
                ),
              ]
            : []),
        ];
      }),
    ];
  });
  const { rates, classes } = shop.tax;
  const usual = Object.entries(classes).flatMap(([name, own]) =>
    Object.entries(own).every(([code, rate]) => Number(rates[code]) === Number(rate))
      ? [doubt(["tax", "classes", name], "has the usual rate everywhere. Check it, or delete the class.")]
      : [],
  );
  return [...zones, ...usual];
}

/** A method by weight that ends below may be in kilograms. */
const LEAST_GRAMS = 100;

/** A weight in a product's file: its own, or that of a version, by its place in the list. */
interface Weighed {
  version: number | undefined;
  weight_g: number | undefined;
  line: number;
  /** Whether it is written, whatever it is: its schema says what is wrong with it. */
  isWritten: boolean;
}

/** The weights of a product, its own once and those of versions that have another or none. */
const readWeights = factOf("weights", ({ yaml }): Weighed[] => {
  if (yaml === undefined) return [];
  const read = (version: number | undefined): Weighed => {
    const { node, line } = locate(yaml, [...(version === undefined ? [] : ["variants", version]), "weight_g"]);
    const weight_g = isScalar(node) && typeof node.value === "number" ? node.value : undefined;
    return { version, weight_g, line, isWritten: node !== undefined };
  };
  const own = read(undefined);
  const { node } = locate(yaml, ["variants"]);
  if (!isSeq(node)) return [own];
  const versions = node.items.map((_, version) => read(version));
  if (!own.isWritten) return versions;
  return [own, ...versions.filter(({ isWritten }) => isWritten)];
});

/**
 * Finds products without the weight that a method's price depends on, and such as no method of a zone carries, which is a doubt: they
 * may only be collected.
 */
export function findWeightProblems(pages: readonly KnownPage[], shop: Shop | undefined): Problem[] {
  const zones = (shop?.shipping?.zones ?? []).map((zone, index) => ({
    called: `zone ${index + 1} (${zone.countries.slice(0, 3).join(", ")}${zone.countries.length > 3 ? ", …" : ""})`,
    methods: methodsOf(zone),
  }));
  const needing = zones.find(({ methods }) => methods.some(byWeight));
  if (needing === undefined) return [];
  return pages.flatMap((known) => {
    if (known.page.kind !== "product") return [];
    const { file } = known.page;
    const of = (version: number | undefined) => (version === undefined ? "" : `variant ${version + 1}, `);
    const weights = readWeights(known);
    const unknown = weights.find(({ isWritten }) => !isWritten);
    if (unknown !== undefined) {
      const code = needing.methods.find(byWeight)?.code;
      const message = `${of(unknown.version)}weight_g is missing. In store.yaml, the price of \`${code}\` in ${needing.called} depends on it. Write the grams of one piece with its packaging: \`weight_g: 850\`.`;
      return { file, line: unknown.line, message };
    }
    const least = readLeast(known)[0]?.least ?? 1;
    return weights.flatMap(({ version, weight_g = 0, line }): Problem[] => {
      const zone = zones.find(({ methods }) =>
        methods.every((method) => byWeight(method) && isAbove(weight_g * least, method)),
      );
      if (zone === undefined) return [];
      const sum = least > 1 ? `, ${weight_g * least} for the ${least} pieces that an order has at least,` : "";
      const message = `${of(version)}weight_g ${weight_g}${sum} is more than every tier in ${zone.called} of store.yaml takes, so it can't be delivered there. Check it for a typo.`;
      return [{ file, line, message, isWarning: true }];
    });
  });
}

const byWeight = ({ by }: ShopMethod) => by === "weight";

function isAbove(weight: number, { tiers }: DeliveryMethod): boolean {
  const limit = tiers.at(-1)?.up_to ?? null;
  return limit !== null && weight > Number(limit);
}

/** The class that a product names; at most one. */
const readTaxClass = factOf("taxClass", ({ yaml }) => {
  const { node, line } = yaml === undefined ? {} : locate(yaml, ["tax_class"]);
  return isScalar(node) && typeof node.value === "string" && line !== undefined ? [{ name: node.value, line }] : [];
});

/** Finds classes of tax that a product names and store.yaml doesn't have, and those that no product names, which is a doubt. */
export function findTaxClassProblems(
  pages: readonly KnownPage[],
  classes: readonly { file: string; line: number; name: string }[],
  shop: Shop | undefined,
): Problem[] {
  if (shop === undefined) return [];
  const names = classes.map(({ name }) => name);
  const used = new Set<string>();
  const products = pages.filter(({ page }) => page.kind === "product");
  const unknown = products.flatMap((known) =>
    readTaxClass(known).flatMap(({ name, line }): Problem[] => {
      used.add(name);
      if (names.includes(name)) return [];
      const advice =
        didYouMean(name, names) ||
        (names.length > 0
          ? ` The classes are: ${names.join(", ")}.`
          : " Write it there, or delete the line: the usual rate then holds.");
      const message = `tax_class "${name}" isn't a class of \`tax\` in content/store.yaml.${advice}`;
      return [{ file: known.page.file, line, message }];
    }),
  );
  const unused = classes.flatMap(({ file, line, name }): Problem[] =>
    used.has(name)
      ? []
      : [
          {
            ...{ file, line, isWarning: true },
            message: `tax, classes, ${name} isn't the class of any product. Write \`tax_class: ${name}\` in the files of those that it holds for.`,
          },
        ],
  );
  return [...unknown, ...unused];
}
