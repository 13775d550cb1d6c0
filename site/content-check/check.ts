import type { z } from "astro/zod";
import { isMap } from "yaml";
import { categorySchema } from "../content-schema/category.ts";
import { guideSchema, pageSchema, requiredSlugs } from "../content-schema/page.ts";
import { productSchema } from "../content-schema/product.ts";
import { shopSchema } from "../content-schema/shop.ts";
import { didYouMean } from "../content-schema/suggest.ts";
import {
  findAnswerProblems,
  findBodyProblems,
  findHeadingClashes,
  findLooseTables,
  isSurelyCorrect,
  readLinks,
} from "./body-problems.ts";
import { findFilterProblems } from "./category-filters.ts";
import { findTreeProblems } from "./category-tree.ts";
import {
  type Body,
  factOf,
  type Kind,
  type KnownPage,
  mdxProblem,
  type PageFile,
  parseBody,
  pathOf,
  type ReadPage,
  readContentFiles,
} from "./content-files.ts";
import { findContradictions } from "./contradictions.ts";
import { findAddedHeadings, readDevelopersPages } from "./developers-pages.ts";
import { findDocumentProblems } from "./documents.ts";
import {
  findFutureDay,
  findHtmlInFields,
  findPlaceholders,
  findSchemaProblems,
  findUnseen,
  lastToday,
} from "./field-problems.ts";
import { locate, parsePage } from "./front-matter.ts";
import { findHomeProblems } from "./home-page.ts";
import { findDuplicateIdentifiers, findRenamedPages, findSkus } from "./identifiers.ts";
import { openFacts } from "./kept-facts.ts";
import { findAnchored, findTargets, hasKnownAnchors } from "./links.ts";
import { findMailProblems } from "./mails.ts";
import { findMakerProblems } from "./makers.ts";
import { findPassingTime } from "./passing-time.ts";
import { findPictureProblems, findPictureReferenceProblems, inspectPictures } from "./pictures.ts";
import { compareProblems, type Findings, formatProblem, type Problem } from "./problem.ts";
import {
  findAlikeVersions,
  findAvailabilityProblems,
  findFeaturedProblems,
  findOddPrices,
  findOrderQuantityProblems,
  findRecommendationProblems,
  findRelationProblems,
  findUnlistedProducts,
} from "./products.ts";
import { findRedirectProblems } from "./redirects.ts";
import { findStaticProblems, staticPaths } from "./static-files.ts";
import { checkStoreFile } from "./store-file.ts";
import { findTaxClassProblems, findWeightProblems } from "./terms-of-delivery.ts";
import { findThemeProblems } from "./theme.ts";

/**
 * Checks everything in `root`/content/ and returns all problems, sorted by file and line. Those of drafts are warnings.
 *
 * @param cacheFolder keeps what has been read of the pages, so that the next check parses only those that have changed
 */
export async function checkContent(root: string, cacheFolder?: string): Promise<Problem[]> {
  const files = readContentFiles(root);
  const store = checkStoreFile(root);
  // It has somewhere to be paid.
  const takesOrders = store.fields?.has("payment") ?? false;
  const problems = [
    ...files.problems,
    ...store.problems,
    ...findMissingPages(files.pages, takesOrders),
    ...findStrayFolders(files.pages),
    ...findUnknownCategories(files.pages, store.categories),
    ...findMailProblems(root),
  ];
  const schemas = schemasFor(store.currency);
  const today = new Date().toISOString().slice(0, 10);
  const facts = openFacts([store.currency, store.baseUrl, today, lastToday()], cacheFolder);
  const findOwnProblems = factOf("ownProblems", ({ page: { file, kind, text }, yaml, written }): Problem[] => [
    ...findUnseen(file, text, yaml, written),
    ...(yaml === undefined ? [] : findSchemaProblems(file, yaml, schemas[kind])),
  ]);
  const linksOf = factOf("links", ({ text = "" }) => readLinks(text, store.baseUrl));
  // Drafts come last, so that of two conflicting pages the draft is the one reported.
  const inOrder = files.pages.toSorted((a, b) => Number(a.isDraft) - Number(b.isDraft));
  const pages = inOrder.map((page) => knownPage(page, facts.of(page)));
  problems.push(...pages.flatMap(findOwnProblems));
  const developers = readDevelopersPages().map((page) => knownPage(page, facts.of(page)));
  const anchored = findAnchored(pages);
  for (const known of developers) if (anchored.has(known.path)) known.body = readBody(known).body;
  for (const known of pages.filter(({ page, path }) => hasKnownAnchors(page) || anchored.has(path))) {
    const { body, problem } = readBody(known);
    known.body = body;
    problems.push(...problem);
  }
  const published = pages.filter(({ page }) => !page.isDraft);
  const { doubts, ...pictures } = await inspectPictures(root, files.paths);
  problems.push(...doubts);
  const references = {
    paths: files.paths,
    ...pictures,
    skus: findSkus(published),
    storeFields: store.fields,
    targets: findTargets(pages, developers, store.baseUrl, store.fields, staticPaths(root)),
  };
  problems.push(...findContradictions(files.pages, store.shop), ...pages.flatMap(findPassingTime));
  const everySku = findSkus(pages);
  problems.push(
    ...findPictureReferenceProblems(store.pictures, references),
    ...findDuplicateIdentifiers(pages),
    ...pages.flatMap(findFutureDay),
  );
  problems.push(
    ...pages.flatMap(findPlaceholders),
    ...findRelationProblems(pages),
    ...findTreeProblems(pages),
    ...findUnlistedProducts(pages),
    ...findRecommendationProblems(pages),
    ...findFeaturedProblems(pages),
    ...findOrderQuantityProblems(pages, store.shop?.most_per_order),
    ...findMakerProblems(root, files.paths, pages, store.shop),
    ...pages.flatMap(findAvailabilityProblems),
    ...pages.flatMap(findAlikeVersions),
    ...findWeightProblems(pages, store.shop),
    ...findTaxClassProblems(pages, store.taxClasses, store.shop),
  );
  problems.push(...findOddPrices(pages, store.currency), ...(await findRenamedPages(root, pages)));
  problems.push(...findFilterProblems(pages.filter(isComparable), store.locale));
  problems.push(
    ...pages.flatMap(findHtmlInPage),
    ...pages.flatMap(findAddedHeadings),
    ...pages.flatMap(findLooseTables),
  );
  for (const known of pages) {
    const { page, path } = known;
    problems.push(...findPictureProblems(known, references), ...findAnswerProblems(known, references));
    problems.push(...findHomeProblems(known, references));
    problems.push(...findDocumentProblems(root, known, files.paths, store.baseUrl));
    const isDone = hasKnownAnchors(page) || isSurelyCorrect(linksOf(known), path, references.targets);
    const body = isDone ? known.body : readBody(known).body;
    if (body === undefined) continue;
    const target = page.isDraft ? { ...references, skus: everySku } : references;
    problems.push(...findBodyProblems(known, body, target), ...findHeadingClashes(known, body));
  }
  problems.push(
    ...findRedirectProblems(root, references.targets, references.skus),
    ...findStaticProblems(root, references.targets),
    ...findThemeProblems(root, references.targets.files),
  );
  facts.keep();
  const drafts = new Set(pages.flatMap(({ page }) => (page.isDraft ? page.file : [])));
  return problems
    .map((each) => (drafts.has(each.file) ? { ...each, isWarning: true as const } : each))
    .sort(compareProblems);
}

const schemasFor = (currency: string | undefined): Record<Kind, z.ZodType> => ({
  product: productSchema(currency),
  category: categorySchema,
  guide: guideSchema,
  page: pageSchema,
});

/** Checks everything in `root`/content/ and the environment variable BASE_URL. `cacheFolder` as in `checkContent`. */
export async function findProblems(root: string, cacheFolder: string): Promise<Findings> {
  const problems = await checkContent(root, cacheFolder);
  const errors = [...problems.filter(({ isWarning }) => !isWarning).map(formatProblem), ...baseUrlProblems()];
  return { errors, warnings: problems.filter(({ isWarning }) => isWarning).map(formatProblem) };
}

function knownPage(page: PageFile, facts: KnownPage["facts"]): KnownPage {
  const path = pathOf(page);
  let parsed: ReadPage | undefined;
  const parse = (): ReadPage => {
    const { yaml, body: text, bodyLine: textLine, problems: written } = parsePage(page.file, page.text);
    return { page, path, yaml, text, textLine, written };
  };
  return {
    page,
    path,
    facts,
    read: () => {
      parsed ??= parse();
      return parsed;
    },
  };
}

/** Whether a page's specifications can be compared: one error in a file should not cause others. */
const isComparable = (known: KnownPage): boolean =>
  known.page.kind !== "product" || (hasSpecifications(known) && findPlaceholders(known).length === 0);

const hasSpecifications = factOf(
  "hasSpecifications",
  ({ yaml }) => yaml !== undefined && isMap(locate(yaml, ["specifications"]).node),
);

const findHtmlInPage = factOf("htmlInFields", ({ page, yaml }) => findHtmlInFields(page.file, page.text, yaml));

const categoriesAmong = (pages: readonly PageFile[]): ReadonlySet<string> =>
  new Set(pages.filter(({ kind }) => kind === "category").map(({ slug }) => slug));

/** Finds categories in the counter of store.yaml that don't exist. */
function findUnknownCategories(
  pages: readonly PageFile[],
  named: readonly { file: string; line: number; slug: string }[],
): Problem[] {
  const categories = categoriesAmong(pages);
  return named.flatMap(({ file, line, slug }) =>
    categories.has(slug)
      ? []
      : { file, line, message: `counter, ${slug} isn't a category.${didYouMean(slug, categories)}` },
  );
}

function findStrayFolders(pages: readonly PageFile[]): Problem[] {
  const categories = categoriesAmong(pages);
  return pages.flatMap(({ file, category }) => {
    if (category === undefined || categories.has(category)) return [];
    const missing = `${category} isn't a category: content/categories/${category}.md is missing.`;
    return { file, line: 1, message: missing + didYouMean(category, categories) };
  });
}

const missingTerms =
  "The page is missing: whoever orders agrees to the terms of sale. Write it, or take `payment` out of store.yaml.";

function findMissingPages(pages: readonly PageFile[], takesOrders: boolean): Problem[] {
  const present = new Set(pages.filter(({ kind, isDraft }) => kind === "page" && !isDraft).map(({ slug }) => slug));
  const missing = requiredSlugs.filter((slug) => !present.has(slug));
  const problem = (slug: string, message: string): Problem => ({ file: `content/pages/${slug}.md`, line: 1, message });
  return [
    ...missing.map((slug) => problem(slug, "The page is missing, and others link to it.")),
    ...(takesOrders && !present.has("terms") ? [problem("terms", missingTerms)] : []),
  ];
}

/** A page's text, and why it can't be read: at most one problem. */
const readBody = factOf("body", ({ page, text, textLine }): { body?: Body; problem: Problem[] } => {
  if (text === undefined) return { problem: [] };
  try {
    return { body: parseBody(text, page.isMdx, textLine), problem: [] };
  } catch (error) {
    return { problem: [{ file: page.file, ...mdxProblem(error, textLine) }] };
  }
});

function baseUrlProblems(): string[] {
  const { error } = shopSchema.shape.base_url.optional().safeParse(process.env["BASE_URL"] || undefined);
  return (error?.issues ?? []).map(({ message }) => `BASE_URL: ${message}`);
}
