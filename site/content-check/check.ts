import type { z } from "astro/zod";
import { isMap } from "yaml";
import { categorySchema } from "../content-schema/category.ts";
import { guideSchema, pageSchema, requiredSlugs } from "../content-schema/page.ts";
import { productSchema } from "../content-schema/product.ts";
import { shopSchema } from "../content-schema/shop.ts";
import { didYouMean } from "../content-schema/suggest.ts";
import { findAnswerProblems, findBodyProblems, findHeadingClashes, isSurelyCorrect } from "./body-problems.ts";
import { findFilterProblems } from "./category-filters.ts";
import {
  type Body,
  type Kind,
  mdxProblem,
  type PageFile,
  parseBody,
  pathOf,
  type ReadPage,
  readContentFiles,
} from "./content-files.ts";
import { findContradictions } from "./contradictions.ts";
import { findDocumentProblems } from "./documents.ts";
import { findFutureDays, findHtmlInFields, findPlaceholders, findSchemaProblems } from "./field-problems.ts";
import { locate, parsePage } from "./front-matter.ts";
import { findHomeProblems } from "./home-page.ts";
import { findDuplicateIdentifiers, findRenamedPages, findSkus } from "./identifiers.ts";
import { findAnchored, findTargets, hasKnownAnchors } from "./links.ts";
import { findMailProblems } from "./mails.ts";
import { findPassingTime } from "./passing-time.ts";
import { findPictureProblems, findPictureReferenceProblems, inspectPictures } from "./pictures.ts";
import { compareProblems, type Findings, formatProblem, type Problem } from "./problem.ts";
import {
  findAvailabilityProblems,
  findOddPrices,
  findRecommendationProblems,
  findRelationProblems,
  findUnlistedProducts,
} from "./products.ts";
import { checkStoreFile } from "./store-file.ts";

/** Checks everything in `root`/content/ and returns all problems, sorted by file and line. Those of drafts are warnings. */
export async function checkContent(root: string): Promise<Problem[]> {
  const files = readContentFiles(root);
  const store = checkStoreFile(root);
  const problems = [
    ...files.problems,
    ...store.problems,
    ...findMissingPages(files.pages),
    ...findStrayFolders(files.pages),
    ...findUnknownCategories(files.pages, store.categories),
    // What a shop needs to take orders: it has somewhere to be paid.
    ...findMailProblems(root, store.fields?.has("payment") ?? false),
  ];
  const schemas = schemasFor(store.currency);
  // Drafts come last, so that of two conflicting pages the draft is the one reported.
  const inOrder = files.pages.toSorted((a, b) => Number(a.isDraft) - Number(b.isDraft));
  const pages = inOrder.map((page) => readPage(page, schemas[page.kind], problems));
  for (const path of findAnchored(pages)) {
    const read = pages.find((each) => each.path === path);
    if (read?.text !== undefined) read.body ??= readBody(read.page, read.text, read.textLine, problems);
  }
  const published = pages.filter(({ page }) => !page.isDraft);
  const references = {
    paths: files.paths,
    wrongPictures: await inspectPictures(root, files.paths),
    skus: findSkus(published),
    storeFields: store.fields,
    targets: findTargets(pages, store.baseUrl, store.fields),
  };
  problems.push(...findContradictions(files.pages, store.shop), ...findPassingTime(files.pages));
  const everySku = findSkus(pages);
  problems.push(
    ...findPictureReferenceProblems(store.pictures, references),
    ...findDuplicateIdentifiers(pages),
    ...findFutureDays(pages),
  );
  problems.push(
    ...pages.flatMap(findPlaceholders),
    ...findRelationProblems(pages),
    ...findUnlistedProducts(pages),
    ...findRecommendationProblems(pages),
    ...findAvailabilityProblems(pages),
  );
  problems.push(...findOddPrices(pages, store.currency), ...(await findRenamedPages(root, pages)));
  problems.push(...findFilterProblems(pages.filter(isComparable), store.locale));
  problems.push(...pages.flatMap(({ page, yaml }) => findHtmlInFields(page.file, page.text, yaml)));
  for (const read of pages) {
    const { page, path, text, textLine } = read;
    problems.push(...findPictureProblems(read, references), ...findAnswerProblems(read, references));
    problems.push(...findHomeProblems(read, references));
    problems.push(...findDocumentProblems(root, read, files.paths, store.baseUrl));
    const isDone = text === undefined || hasKnownAnchors(page) || isSurelyCorrect(text, path, references.targets);
    const body = isDone ? read.body : readBody(page, text, textLine, problems);
    if (body === undefined) continue;
    const known = page.isDraft ? { ...references, skus: everySku } : references;
    problems.push(...findBodyProblems(read, body, known), ...findHeadingClashes(read, body));
  }
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

/** Checks everything in `root`/content/ and the environment variable BASE_URL. */
export async function findProblems(root: string): Promise<Findings> {
  const problems = await checkContent(root);
  const errors = [...problems.filter(({ isWarning }) => !isWarning).map(formatProblem), ...baseUrlProblems()];
  return { errors, warnings: problems.filter(({ isWarning }) => isWarning).map(formatProblem) };
}

function readPage(page: PageFile, schema: z.ZodType, problems: Problem[]): ReadPage {
  const { yaml, body: text, bodyLine: textLine, problems: written } = parsePage(page.file, page.text);
  problems.push(...written);
  if (yaml !== undefined) problems.push(...findSchemaProblems(page.file, yaml, schema));
  const body = hasKnownAnchors(page) && text !== undefined ? readBody(page, text, textLine, problems) : undefined;
  return { page, yaml, path: pathOf(page), text, textLine, body };
}

/** Whether a page's specifications can be compared: one error in a file should not cause others. */
function isComparable(read: ReadPage): boolean {
  const { page, yaml } = read;
  if (page.kind !== "product") return true;
  return yaml !== undefined && isMap(locate(yaml, ["specifications"]).node) && findPlaceholders(read).length === 0;
}

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

function findMissingPages(pages: readonly PageFile[]): Problem[] {
  const present = new Set(pages.filter(({ kind, isDraft }) => kind === "page" && !isDraft).map(({ slug }) => slug));
  const missing = requiredSlugs.filter((slug) => !present.has(slug));
  return missing.map((slug) => ({
    file: `content/pages/${slug}.md`,
    line: 1,
    message: "The page is missing, and others link to it.",
  }));
}

/** A cache by file, because the dev server checks all files after each change. */
const readings = new Map<string, { text: string; line: number; body: Body }>();

function readBody(page: PageFile, text: string, line: number, problems: Problem[]): Body | undefined {
  const last = readings.get(page.file);
  if (last?.text === text && last.line === line) return last.body;
  try {
    const body = parseBody(text, page.isMdx, line);
    readings.set(page.file, { text, line, body });
    return body;
  } catch (error) {
    problems.push({ file: page.file, ...mdxProblem(error, line) });
    return undefined;
  }
}

function baseUrlProblems(): string[] {
  const { error } = shopSchema.shape.base_url.optional().safeParse(process.env["BASE_URL"] || undefined);
  return (error?.issues ?? []).map(({ message }) => `BASE_URL: ${message}`);
}
