import { isMap, isScalar, isSeq } from "yaml";
import { parseMoney } from "../../api/contract/money.ts";
import { isSlug } from "../../api/contract/patterns.ts";
import { daysLeft } from "../content-schema/fields.ts";
import { price as priceSchema } from "../content-schema/money.ts";
import { didYouMean } from "../content-schema/suggest.ts";
import { readPath } from "../urls/paths.ts";
import { readCriteria, readValues } from "./category-filters.ts";
import { listProducts } from "./category-tree.ts";
import { factOf, formerSlugs, type KnownPage, type ReadPage } from "./content-files.ts";
import { locate } from "./front-matter.ts";
import type { Problem } from "./problem.ts";

/**
 * Finds products in `works_with`, `does_not_work_with` and `alternatives` that don't exist, are the product itself, or are
 * named twice: in both files of a pair, unless each says it for its own page alone, or in two fields. The third product of
 * a pair must exist too.
 */
export function findRelationProblems(pages: readonly KnownPage[]): Problem[] {
  const products = pages.filter(({ page }) => page.kind === "product");
  const bySlug = new Map(products.map((product) => [product.page.slug, product]));
  const namingProblem = namedProducts(products);
  const pairs = new Map<string, Relation & { file: string }>();
  const nameProblem = ({ page }: KnownPage, other: string, draftAdvice: (file: string) => string) =>
    other === page.slug ? "is this product. Remove the line." : namingProblem(other, page.isDraft, draftAdvice);
  const versionProblem = (product: KnownPage, { slug, versions }: Relation): string | undefined => {
    const skus = [product, bySlug.get(slug)].flatMap((each) => (each ? readSkus(each) : []));
    const stray = versions.find((sku) => !skus.includes(sku));
    return stray && `names the version ${stray}, which neither product has.${didYouMean(stray, skus)}`;
  };
  const pairProblem = ({ page: { file, slug } }: KnownPage, relation: Relation): string | undefined => {
    const pair = [slug, relation.slug].sort().join(" ");
    const earlier = pairs.get(pair);
    pairs.set(pair, earlier ?? { ...relation, file });
    if (earlier === undefined) return undefined;
    const place = `is already in ${earlier.file}:${earlier.line}`;
    if (earlier.field !== relation.field || earlier.file === file || !earlier.isOneWay)
      return `${place}, which covers both. Delete one of the lines.`;
    return relation.isOneWay ? undefined : `${place}. Delete one of the lines, or write \`one_way: true\` here too.`;
  };
  return products.flatMap((product) =>
    relations(product).flatMap((relation) => {
      const { field, slug, third, line } = relation;
      const { file } = product.page;
      const problem =
        nameProblem(product, slug, (draft) =>
          relation.isOneWay ? "Publish it first." : `Put the line in ${draft} instead.`,
        ) ??
        versionProblem(product, relation) ??
        pairProblem(product, relation);
      if (problem !== undefined) return { file, line, message: `${field}, ${slug} ${problem}` };
      if (third === undefined) return [];
      const thirdProblem =
        third === slug ? "is one of the two. Name a third." : nameProblem(product, third, () => "Publish it first.");
      return thirdProblem === undefined
        ? []
        : { file, line, message: `${field}, ${slug}, with ${third} ${thirdProblem}` };
    }),
  );
}

/** Returns what is wrong with a product's slug on another page, which may be a draft itself; undefined if nothing is. */
function namedProducts(products: readonly KnownPage[]) {
  const files = new Map(products.map(({ page }) => [page.slug, page]));
  const moved = new Map(
    products.flatMap((each) => formerSlugs(each).map(({ name }) => [name, each.page.slug] as const)),
  );
  return (slug: string, isFromDraft: boolean, draftAdvice: (file: string) => string): string | undefined => {
    // Its schema says that it can't be a product's.
    if (!isSlug(slug)) return undefined;
    const found = files.get(slug);
    const now = moved.get(slug);
    if (found === undefined)
      return now === undefined ? `isn't a product.${didYouMean(slug, files.keys())}` : `has moved. Write \`${now}\`.`;
    return found.isDraft && !isFromDraft ? `is still a draft. ${draftAdvice(found.file)}` : undefined;
  };
}

interface Relation {
  field: string;
  slug: string;
  /** Whether only the page of this file shows it. */
  isOneWay: boolean;
  /** The slug of a third product. */
  third: string | undefined;
  /** The SKUs of the versions that it is about. */
  versions: string[];
  line: number;
}

const relations = factOf("relations", ({ yaml }): Relation[] => {
  if (yaml === undefined) return [];
  const inGroups = ["works_with", "does_not_work_with"].flatMap((field) => {
    const { node } = locate(yaml, [field]);
    if (!isMap(node)) return [];
    return node.items.flatMap(({ key, value }) => {
      if (!isScalar(key)) return [];
      const slug = String(key.value);
      const [third, versions, oneWay] = isMap(value)
        ? ["with", "versions", "one_way"].map((name) => value.get(name))
        : [];
      return {
        field,
        slug,
        isOneWay: oneWay === true,
        third: typeof third === "string" ? third : undefined,
        versions: isSeq(versions) ? versions.items.map(String) : [],
        line: locate(yaml, [field, slug]).line,
      };
    });
  });
  const { node } = locate(yaml, ["alternatives"]);
  const alternatives = (isSeq(node) ? node.items : []).map((item, index) => ({
    ...{ field: "alternatives", slug: String(item), isOneWay: true, third: undefined, versions: [] },
    line: locate(yaml, ["alternatives", index]).line,
  }));
  return [...inGroups, ...alternatives];
});

/**
 * Finds products that a text or an answer links to and the page doesn't list. Products of the same category are
 * alternatives anyway. Warnings, because a sentence may name one for another reason.
 */
export function findUnlistedProducts(pages: readonly KnownPage[]): Problem[] {
  const products = pages.filter(({ page }) => page.kind === "product");
  const categories = new Map(products.map(({ page }) => [page.slug, page.category]));
  const listed = new Set(
    products.flatMap((product) =>
      relations(product).flatMap(({ slug, isOneWay }) => {
        const own = product.page.slug;
        return isOneWay ? `${own} ${slug}` : [`${own} ${slug}`, `${slug} ${own}`];
      }),
    ),
  );
  return products.flatMap(({ page }) =>
    Array.from(page.text.matchAll(/\]\(\/products\/([^\s/?#()<>]+)/g)).flatMap(({ index, 1: written = "" }) => {
      const slug = readPath(written);
      const category = categories.get(slug);
      const [pair, back] = [`${page.slug} ${slug}`, `${slug} ${page.slug}`];
      if (category === undefined || category === page.category || listed.has(pair)) return [];
      listed.add(pair).add(back);
      const line = page.text.slice(0, index).split("\n").length;
      const message = `The text names ${slug}, and the lists don't. Add it to \`works_with\` with the reason, to \`does_not_work_with\`, or to \`alternatives\`.`;
      return { file: page.file, line, message, isWarning: true as const };
    }),
  );
}

/** The SKUs of a product's versions, or its own. */
const readSkus = factOf("skus", ({ yaml }): string[] => {
  const variants = yaml?.document.getIn(["variants"]);
  const count = isSeq(variants) ? variants.items.length : 0;
  const paths = [["sku"], ...Array.from({ length: count }, (_, index) => ["variants", index, "sku"])];
  return paths.flatMap((path) => yaml?.document.getIn(path) ?? []).map(String);
});

/** Finds products in a category's `recommended` that the category doesn't list. */
export function findRecommendationProblems(pages: readonly KnownPage[]): Problem[] {
  const listed = listProducts(pages);
  return pages.flatMap((known) => {
    const { page } = known;
    if (page.kind !== "category") return [];
    const slugs = listed.get(page.slug)?.map((each) => each.page.slug) ?? [];
    return readRecommended(known).flatMap(({ slug, line }) => {
      if (slugs.includes(slug)) return [];
      const message = `recommended, ${slug} isn't a product of this category.${didYouMean(slug, slugs)}`;
      return { file: page.file, line, message };
    });
  });
}

const readRecommended = factOf("recommended", (page) => readSlugs(page, "recommended"));

/** Finds products in the home page's `featured` that don't exist, are drafts, or are named twice. */
export function findFeaturedProblems(pages: readonly KnownPage[]): Problem[] {
  const problemOf = namedProducts(pages.filter(({ page }) => page.kind === "product"));
  return pages.flatMap((known) => {
    const { file, isDraft } = known.page;
    const featured = readFeatured(known);
    return featured.flatMap(({ slug, line }, index) => {
      const isAgain = featured.findIndex((each) => each.slug === slug) < index;
      const problem = isAgain ? "is named twice. Delete one." : problemOf(slug, isDraft, () => "Publish it first.");
      return problem === undefined ? [] : { file, line, message: `featured, ${slug} ${problem}` };
    });
  });
}

const readFeatured = factOf("featured", (page) => (page.page.kind === "page" ? readSlugs(page, "featured") : []));

/** A list of slugs in a page's front matter, each with its line. */
function readSlugs({ yaml }: Pick<ReadPage, "yaml">, field: string): { slug: string; line: number }[] {
  const { node } = yaml === undefined ? {} : locate(yaml, [field]);
  if (yaml === undefined || !isSeq(node)) return [];
  return node.items.map((item, index) => ({ slug: String(item), line: locate(yaml, [field, index]).line }));
}

/**
 * Finds expected dates that have passed, and pre-orders and back-orders without a date. Warnings, because a shop must still build on the day
 * after; a build leaves the date out.
 */
export const findAvailabilityProblems = factOf("availability", ({ page, yaml }): Problem[] => {
  if (page.kind !== "product" || yaml === undefined) return [];
  const { node } = locate(yaml, ["variants"]);
  const variants = isSeq(node) ? node.items.map((_, index) => ["variants", index]) : [[]];
  return variants.flatMap((path) => {
    const message = dayProblem(
      yaml.document.getIn([...path, "availability"]),
      yaml.document.getIn([...path, "available_from"]),
    );
    if (message === undefined) return [];
    const { line } = locate(yaml, [...path, message.startsWith("available_from") ? "available_from" : "availability"]);
    return { file: page.file, line, message, isWarning: true };
  });
});

function dayProblem(availability: unknown, day: unknown): string | undefined {
  if (availability !== "preorder" && availability !== "backorder") return undefined;
  if (typeof day === "string" && daysLeft(day, new Date()) < 0)
    return `available_from ${day} has passed, so the shop no longer shows it, and Google's feed leaves this out. Write the new date. If the product has arrived, write \`availability: in_stock\` and delete this line.`;
  return day === undefined
    ? `availability is ${availability}, which Google lists only with a date, so its feed leaves this out. If you know the expected date, add \`available_from:\` with it.`
    : undefined;
}

/**
 * Finds values of an option that differ in capitals, blanks, hyphens or how an accent is typed only, for which visitors would
 * see two buttons, and versions that have one name: `Red / matt` in Round, and Red in `matt / Round`. Warnings, because an
 * M may be another thing than an m.
 */
export function findAlikeVersions(known: KnownPage): Problem[] {
  const { variants } = readValues(known);
  if (known.page.kind !== "product" || variants === "none") return [];
  const { file } = known.page;
  const first = new Map<string, string>();
  const seen = new Set<string>();
  const values = variants.flatMap(({ options }) =>
    options.flatMap(({ name, texts, line }): Problem[] => {
      const value = [texts].flat().join();
      const key = `${name} ${plainly(value)}`;
      const earlier = first.get(key) ?? value;
      first.set(key, earlier);
      if (earlier === value || seen.has(`${name} ${value}`)) return [];
      seen.add(`${name} ${value}`);
      const message = `options, ${name}: “${value}” looks like “${earlier}” of another version, so visitors see two buttons for it. Write it in one way.`;
      return [{ file, line, message, isWarning: true }];
    }),
  );
  const names = new Map<string, string>();
  const twins = variants.flatMap(({ options }): Problem[] => {
    const name = options.flatMap(({ texts }) => texts).join(" / ");
    const key = JSON.stringify(options.flatMap(({ texts }) => texts));
    const earlier = names.get(name) ?? key;
    names.set(name, earlier);
    const message = `options: another version is called “${name}”, too. Write a value without a slash.`;
    return earlier === key ? [] : [{ file, line: options[0]?.line ?? 1, message, isWarning: true }];
  });
  return [...values, ...twins];
}

/** As it is compared. A minus and what parts numbers, as in `3-4` and `34`, makes another value. */
const plainly = (value: string) =>
  value
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?<!\d)\s+|\s+(?!\d)|(?<=\p{L})-(?=\p{L})/gu, "");

interface Price {
  file: string;
  line: number;
  text: string;
  /** In the currency's smallest unit. */
  units: bigint;
  /** The product's value for the first specification that its category filters by. */
  type: unknown;
}

/** How many times above or below the median a price is odd. A decimal point two digits off makes it 100 times as high. */
const ODD_AMONG = { versions: 20n, similar: 20n, category: 50n };

/**
 * Finds prices that may have their decimal point in the wrong place, compared with the product's variants, products of its
 * type, and its category. Warnings, because a cable and a cabinet may share a category.
 */
export function findOddPrices(pages: readonly KnownPage[], currency: string | undefined): Problem[] {
  if (currency === undefined) return [];
  const schema = priceSchema(currency);
  const categories = pages.filter(({ page }) => page.kind === "category");
  const filters = new Map(categories.map((known) => [known.page.slug, readCriteria(known)]));
  const prices = pages.flatMap((known) => {
    const { file, category } = known.page;
    if (category === undefined) return [];
    const [filter] = filters.get(category)?.filter(({ field }) => field === "filters") ?? [];
    const type = readValues(known).shared.find(({ name }) => name === filter?.name)?.texts;
    return readPrices(known).flatMap(({ line, value }) => {
      const { success, data: text = "" } = schema.safeParse(value);
      return success ? { line, text, units: parseMoney(text), file, category, type } : [];
    });
  });
  return [...Map.groupBy(prices, ({ category }) => category).values()].flatMap(findOddAmong);
}

function findOddAmong(category: readonly Price[]): Problem[] {
  const byFile = Map.groupBy(category, ({ file }) => file);
  const types = [...Map.groupBy(category, ({ type }) => type)].filter(([type]) => typeof type === "string");
  const medianOfType = new Map(types.map(([type, prices]) => [type, medianOf(prices)]));
  const median = medianOf(category);
  return category.flatMap((price) => {
    const versions = byFile.get(price.file) ?? [];
    const ratio =
      compare(price, medianOf(versions), ODD_AMONG.versions, "the usual price of its versions") ??
      compare(price, medianOfType.get(price.type), ODD_AMONG.similar, "the usual price of similar products") ??
      compare(price, median, ODD_AMONG.category, "the usual price in its category");
    if (ratio === undefined) return [];
    const message = `price "${price.text}" is ${ratio}. Is the decimal point in the right place?`;
    return { file: price.file, line: price.line, message, isWarning: true as const };
  });
}

/** The lower of two, so that of two prices the higher one is odd. */
function medianOf(prices: readonly Price[]): Price | undefined {
  const sorted = prices.toSorted((a, b) => (a.units < b.units ? -1 : a.units > b.units ? 1 : 0));
  return sorted[Math.ceil(sorted.length / 2) - 1];
}

/** `100 times the usual price in its category, 189.00`; undefined for a price near the median. */
function compare({ units }: Price, median: Price | undefined, odd: bigint, what: string): string | undefined {
  if (median === undefined) return undefined;
  if (units >= odd * median.units) return `${units / median.units} times ${what}, ${median.text}`;
  return units * odd <= median.units ? `1/${median.units / units} of ${what}, ${median.text}` : undefined;
}

/** Finds products that are sold by more pieces than an order may have: nobody could order them. */
export function findOrderQuantityProblems(pages: readonly KnownPage[], most: number | undefined): Problem[] {
  return pages.flatMap((known) =>
    readLeast(known).flatMap(({ least, line }) =>
      most === undefined || least <= most
        ? []
        : {
            ...{ file: known.page.file, line },
            message: `order_quantity, least is ${least}, and an order has at most ${most} pieces of one version (\`most_per_order\` in content/store.yaml), so nobody could order it. Change one of the two.`,
          },
    ),
  );
}

/** The least pieces in an order, where a product says so: one at most. */
export const readLeast = factOf("least", ({ page, yaml }): { least: number; line: number }[] => {
  const path = ["order_quantity", "least"];
  const least = page.kind === "product" ? yaml?.document.getIn(path) : undefined;
  return yaml && typeof least === "number" ? [{ least, line: locate(yaml, path).line }] : [];
});

/** The prices of a product or its variants, as they are written. */
const readPrices = factOf("prices", ({ yaml }) => {
  if (yaml === undefined) return [];
  const { node } = locate(yaml, ["variants"]);
  const paths = isSeq(node) ? node.items.map((_, index) => ["variants", index, "price"]) : [["price"]];
  return paths.flatMap((path) => {
    const value: unknown = yaml.document.getIn(path);
    return typeof value === "string" ? { line: locate(yaml, path).line, value } : [];
  });
});
