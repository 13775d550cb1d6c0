import { isMap, isScalar, isSeq } from "yaml";
import { MAX_FILTER_VALUES, type Measure, readMeasure } from "../content-schema/category.ts";
import { didYouMean, nearest } from "../content-schema/suggest.ts";
import { listProducts } from "./category-tree.ts";
import { factOf, type KnownPage } from "./content-files.ts";
import { locate, type Yaml } from "./front-matter.ts";
import type { Problem } from "./problem.ts";

type Criterion = { field: "filters" | "sort"; name: string; line: number };
/** The value of a specification or option, as it is written. */
type Value = { name: string; texts: string | string[]; line: number };

/** A version of a product with the values that apply to it, and where in its file each is written. */
interface Specified {
  product: KnownPage;
  values: Map<string, { texts: string[]; line: number; place: string }>;
  /** The names of its own values: specifications and options. */
  own: Set<string>;
  /** Its options: `USB and LAN`. */
  options: string;
}

/**
 * Finds products without a specification that their category filters or sorts by, or with another spelling of it. Warnings,
 * because an incomplete filter is better than a product that can't be sold.
 */
export const findFilterProblems = (pages: readonly KnownPage[], locale: string): Problem[] =>
  compareSpecifications(pages, locale).map((problem) => ({ ...problem, isWarning: true as const }));

function compareSpecifications(pages: readonly KnownPage[], locale: string): Problem[] {
  const categories = pages.filter(({ page }) => page.kind === "category");
  const listed = listProducts(pages);
  return categories.flatMap((category) => {
    const products = (listed.get(category.page.slug) ?? []).flatMap(readVersions);
    const problems = readCriteria(category).flatMap((criterion) => {
      const having = products.filter(({ values }) => values.has(criterion.name));
      // A typo in the category is one error, not one for each product.
      if (having.length === 0 && products.length > 0) return unknownCriterion(category, criterion, products);
      const lacking = products.filter(({ values }) => !values.has(criterion.name));
      const texts = new Set(having.flatMap(({ values }) => values.get(criterion.name)?.texts ?? []));
      if (criterion.field === "filters" && texts.size > MAX_FILTER_VALUES)
        return manyValues(category, criterion, texts.size);
      const wrong =
        criterion.field === "sort"
          ? findUnsortable(criterion, having, locale)
          : [...findSpellings(criterion, having), ...findUntold(criterion, having)];
      return [...lacking.map((each) => missingCriterion(category, criterion, each)), ...wrong];
    });
    // The versions of a product share most of their lines.
    return [
      ...new Map(problems.map((problem) => [`${problem.file}:${problem.line} ${problem.message}`, problem])).values(),
    ];
  });
}

const verbs = { filters: "filters", sort: "sorts" };

function unknownCriterion(
  { page }: KnownPage,
  { field, name, line }: Criterion,
  products: readonly Specified[],
): Problem {
  const names = products.flatMap(({ values }) => [...values.keys()]);
  const message = `${field}: none of the category's products has the specification \`${name}\`.${didYouMean(name, names)}`;
  return { file: page.file, line, message };
}

function manyValues({ page }: KnownPage, { name, line }: Criterion, count: number): Problem {
  const message = `filters: ${name} has ${count} different values, and the limit is ${MAX_FILTER_VALUES}. Choose a specification with few values.`;
  return { file: page.file, line, message };
}

function missingCriterion({ page }: KnownPage, { field, name }: Criterion, { product, values }: Specified): Problem {
  // Others that list it are named.
  const isOwn = product.page.category === page.slug;
  const similar = nearest(name, values.keys());
  const advice = similar === undefined ? "" : ` Rename \`${similar}\` if it means the same.`;
  return at(
    product,
    readValues(product).line,
    `specifications need \`${name}\`, which the category ${isOwn ? "" : `${page.slug} `}${verbs[field]} by.${advice}`,
  );
}

/** Values without a number in the unit that most products use. */
function findUnsortable({ name }: Criterion, products: readonly Specified[], locale: string): Problem[] {
  const measured = products.map(({ product, values }) => {
    const { texts: [text = "", more] = [], line = 1, place = "" } = values.get(name) ?? {};
    return { product, text, line, place, measure: more === undefined ? readMeasure(text, locale) : undefined };
  });
  // Once for all versions that share it.
  const written = new Map(measured.map((each) => [`${each.product.page.file} ${each.place}`, each]));
  const unit = mostCommonUnit([...written.values()].flatMap(({ measure }) => measure ?? []));
  return measured.flatMap(({ product, text, line, measure }) => {
    if (measure?.unit === unit) return [];
    const inLocale = swapSigns(text);
    const wanted = measure
      ? `must have the unit “${unit}”, like other products`
      : readMeasure(inLocale, locale)
        ? `must start with a number as ${locale} writes it: write "${inLocale}"`
        : `must start with a number${unit && ` in “${unit}”`}`;
    return at(product, line, `specifications, ${name} "${text}" ${wanted}. The category sorts by it.`);
  });
}

/** `7,2 kg` for `7.2 kg`, and the reverse. */
const swapSigns = (text: string) =>
  text.replace(/^[\d.,]+/, (number) => number.replace(/[.,]/g, (sign) => (sign === "." ? "," : ".")));

function mostCommonUnit(measures: readonly Measure[]): string {
  const counts = new Map<string, number>();
  for (const { unit } of measures) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}

/** Values that differ in capitals, spaces and hyphens only, which visitors would see as two filters. */
function findSpellings({ name }: Criterion, products: readonly Specified[]): Problem[] {
  const first = new Map<string, string>();
  return products.flatMap(({ product, values }) => {
    const { texts = [], line = 1 } = values.get(name) ?? {};
    return texts.flatMap((value) => {
      const plain = value.toLowerCase().replace(/[\s-]/g, "");
      const spelt = first.get(plain) ?? value;
      first.set(plain, spelt);
      return spelt === value
        ? []
        : at(product, line, `specifications, ${name}: write \`${spelt}\`, as other products do, not \`${value}\`.`);
    });
  });
}

/**
 * Products whose versions are named after some of the values of a filter, while all of them have every value: a visitor who
 * filters would see the price and the stock of another version.
 */
function findUntold({ name }: Criterion, versions: readonly Specified[]): Problem[] {
  return [...Map.groupBy(versions, ({ product }) => product)].flatMap(([product, all]) => {
    if (all.some(({ own }) => own.has(name))) return [];
    return all
      .flatMap(({ options, values }) => {
        const { texts = [], line = 1 } = values.get(name) ?? {};
        const named = texts.filter((text) => hasWords(options, text));
        if (named.length === 0 || named.length === texts.length) return [];
        const list = named.length === 1 ? named.join() : `[${named.join(", ")}]`;
        const message = `specifications, ${name} has ${texts.length} values, and no version says which of them it has. For “${options}”, write \`specifications: { ${name}: ${list} }\` in \`variants\` if it doesn't have the others.`;
        return at(product, line, message);
      })
      .slice(0, 1);
  });
}

/** Whether a text has another in it as words of its own: `LAN` in `USB and LAN`, but not in `WLAN`. */
const hasWords = (text: string, part: string) => ` ${text.replaceAll(/[,/]/g, " ")} `.includes(` ${part} `);

const at = ({ page }: KnownPage, line: number, message: string): Problem => ({ file: page.file, line, message });

/** The versions of a product, or the product itself, each with its own values before its options and the product's values. */
function readVersions(product: KnownPage): Specified[] {
  const { shared, variants } = readValues(product);
  const ofProduct = byName(shared, "");
  if (variants === "none") return [{ product, values: ofProduct, own: new Set(), options: "" }];
  return variants.map(({ options, specifications }, index) => {
    const chosen = byName(options, `${index} options`);
    const own = new Map([...chosen, ...byName(specifications, `${index} specifications`)]);
    const written = [...chosen.values()].map(({ texts }) => texts.join()).join(", ");
    return { product, values: new Map([...ofProduct, ...own]), own: new Set(own.keys()), options: written };
  });
}

const byName = (values: readonly Value[], place: string): Specified["values"] =>
  new Map(values.map(({ name, texts, line }) => [name, { texts: [texts].flat(), line, place }]));

/** The values of a product and of its variants, and the line of its specifications. */
export const readValues = factOf("values", ({ yaml }) => {
  if (yaml === undefined) return { line: 1, shared: [], variants: "none" as const };
  const { node } = locate(yaml, ["variants"]);
  return {
    line: locate(yaml, ["specifications"]).line,
    shared: valuesAt(yaml, ["specifications"]),
    variants: isSeq(node)
      ? node.items.map((_, index) => ({
          options: valuesAt(yaml, ["variants", index, "options"]),
          specifications: valuesAt(yaml, ["variants", index, "specifications"]),
        }))
      : ("none" as const),
  };
});

function valuesAt(yaml: Yaml, path: (string | number)[]): Value[] {
  const { node } = locate(yaml, path);
  return (isMap(node) ? node.items : []).map(({ key, value }) => {
    const name = String(key);
    const textOf = (item: unknown) => (isScalar(item) ? String(item.value) : []);
    return {
      name,
      texts: isSeq(value) ? value.items.flatMap(textOf) : textOf(value),
      line: locate(yaml, [...path, name]).line,
    };
  });
}

/** What a category filters and sorts its products by. */
export const readCriteria = factOf("criteria", ({ yaml }): Criterion[] => {
  if (yaml === undefined) return [];
  return (["filters", "sort"] as const).flatMap((field) => {
    const { node } = locate(yaml, [field]);
    if (!isSeq(node)) return [];
    return node.items.map((item, index) => ({ field, name: String(item), line: locate(yaml, [field, index]).line }));
  });
});
