import { isMap, isScalar, isSeq } from "yaml";
import { MAX_FILTER_VALUES, type Measure, readMeasure } from "../content-schema/category.ts";
import { didYouMean, nearest } from "../content-schema/suggest.ts";
import type { ReadPage } from "./content-files.ts";
import { locate } from "./front-matter.ts";
import type { Problem } from "./problem.ts";

type Criterion = { field: "filters" | "sort"; name: string; line: number };
type Specified = { product: ReadPage; values: Map<string, string[]> };

/**
 * Finds products without a specification that their category filters or sorts by, or with another spelling of it. Warnings,
 * because an incomplete filter is better than a product that can't be sold.
 */
export const findFilterProblems = (pages: readonly ReadPage[], locale: string): Problem[] =>
  compareSpecifications(pages, locale).map((problem) => ({ ...problem, isWarning: true as const }));

function compareSpecifications(pages: readonly ReadPage[], locale: string): Problem[] {
  const categories = pages.filter(({ page }) => page.kind === "category");
  return categories.flatMap((category) => {
    const products = pages.filter(({ page }) => page.category === category.page.slug).map(readSpecifications);
    return readCriteria(category).flatMap((criterion) => {
      const having = products.filter(({ values }) => values.has(criterion.name));
      // A typo in the category is one error, not one for each product.
      if (having.length === 0 && products.length > 0) return unknownCriterion(category, criterion, products);
      const lacking = products.filter(({ values }) => !values.has(criterion.name));
      const texts = new Set(having.flatMap(({ values }) => values.get(criterion.name) ?? []));
      if (criterion.field === "filters" && texts.size > MAX_FILTER_VALUES)
        return manyValues(category, criterion, texts.size);
      const wrong =
        criterion.field === "sort" ? findUnsortable(criterion, having, locale) : findSpellings(criterion, having);
      return [...lacking.map((each) => missingCriterion(criterion, each)), ...wrong];
    });
  });
}

const verbs = { filters: "filters", sort: "sorts" };

function unknownCriterion(
  { page }: ReadPage,
  { field, name, line }: Criterion,
  products: readonly Specified[],
): Problem {
  const names = products.flatMap(({ values }) => [...values.keys()]);
  const message = `${field}: none of the category's products has the specification \`${name}\`.${didYouMean(name, names)}`;
  return { file: page.file, line, message };
}

function manyValues({ page }: ReadPage, { name, line }: Criterion, count: number): Problem {
  const message = `filters: ${name} has ${count} different values, and the limit is ${MAX_FILTER_VALUES}. Choose a specification with few values.`;
  return { file: page.file, line, message };
}

function missingCriterion({ field, name }: Criterion, { product, values }: Specified): Problem {
  const similar = nearest(name, values.keys());
  const advice = similar === undefined ? "" : ` Rename \`${similar}\` if it means the same.`;
  return at(product, undefined, `specifications need \`${name}\`, which the category ${verbs[field]} by.${advice}`);
}

/** Values without a number in the unit that most products use. */
function findUnsortable({ name }: Criterion, products: readonly Specified[], locale: string): Problem[] {
  const measured = products.map(({ product, values }) => {
    const [text = "", more] = values.get(name) ?? [];
    return { product, text, measure: more === undefined ? readMeasure(text, locale) : undefined };
  });
  const unit = mostCommonUnit(measured.flatMap(({ measure }) => measure ?? []));
  return measured.flatMap(({ product, text, measure }) => {
    if (measure?.unit === unit) return [];
    const wanted =
      measure === undefined
        ? `must start with a number${unit && ` in “${unit}”`}`
        : `must have the unit “${unit}”, like other products`;
    return at(product, name, `specifications, ${name} "${text}" ${wanted}. The category sorts by it.`);
  });
}

function mostCommonUnit(measures: readonly Measure[]): string {
  const counts = new Map<string, number>();
  for (const { unit } of measures) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}

/** Values that differ in capitals, spaces and hyphens only, which visitors would see as two filters. */
function findSpellings({ name }: Criterion, products: readonly Specified[]): Problem[] {
  const first = new Map<string, string>();
  return products.flatMap(({ product, values }) =>
    (values.get(name) ?? []).flatMap((value) => {
      const plain = value.toLowerCase().replace(/[\s-]/g, "");
      const spelt = first.get(plain) ?? value;
      first.set(plain, spelt);
      return spelt === value
        ? []
        : at(product, name, `specifications, ${name}: write \`${spelt}\`, as other products do, not \`${value}\`.`);
    }),
  );
}

/** A problem at one specification of a product, or at the field `specifications`. */
function at({ page, yaml }: ReadPage, name: string | undefined, message: string): Problem {
  const path = ["specifications", ...(name === undefined ? [] : [name])];
  return { file: page.file, line: yaml === undefined ? 1 : locate(yaml, path).line, message };
}

function readSpecifications(product: ReadPage): Specified {
  const values = new Map<string, string[]>();
  const { node } = product.yaml === undefined ? {} : locate(product.yaml, ["specifications"]);
  for (const { key, value } of isMap(node) ? node.items : []) {
    const items = isSeq(value) ? value.items : [value];
    values.set(
      String(key),
      items.flatMap((item) => (isScalar(item) ? String(item.value) : [])),
    );
  }
  return { product, values };
}

function readCriteria({ yaml }: ReadPage): Criterion[] {
  if (yaml === undefined) return [];
  return (["filters", "sort"] as const).flatMap((field) => {
    const { node } = locate(yaml, [field]);
    if (!isSeq(node)) return [];
    return node.items.map((item, index) => ({ field, name: String(item), line: locate(yaml, [field, index]).line }));
  });
}
