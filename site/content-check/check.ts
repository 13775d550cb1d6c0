import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "astro/zod";
import { isSeq } from "yaml";
import { categorySchema } from "../src/content/category.ts";
import { guideSchema } from "../src/content/guide.ts";
import { pageSchema, requiredSlugs } from "../src/content/page.ts";
import { productSchema } from "../src/content/product.ts";
import { type Store, storeSchema } from "../src/content/store.ts";
import { didYouMean } from "../src/content/suggest.ts";
import { categoryPath, guidePath, guidesPath, homePath, pagePath, productPath } from "../src/paths.ts";
import { type Body, parseBody } from "./body.ts";
import { findBodyProblems } from "./body-problems.ts";
import { type Kind, type PageFile, readContentFiles } from "./content-files.ts";
import { type CheckedPage, findDuplicates, findSkus, formerSlugs } from "./duplicates.ts";
import { locate, parsePage, parseYaml } from "./front-matter.ts";
import type { Targets } from "./links.ts";
import { pictureProblem } from "./pictures.ts";
import { compareProblems, type Problem } from "./problem.ts";
import { findSchemaProblems } from "./schema-problems.ts";

interface ReadPage extends CheckedPage {
  path: string;
  body: Body | undefined;
}

/** Reads everything below `root`/content/ and names all that is wrong with it, sorted by file and line. */
export function checkContent(root: string): Problem[] {
  const files = readContentFiles(root);
  const { store, problems: storeProblems } = checkStore(root);
  const problems = [...files.problems, ...storeProblems, ...findMissingPages(files.pages)];
  const schemas = schemasFor(store?.currency ?? "EUR");
  const pages = files.pages.map((page): ReadPage => {
    const { yaml, body, bodyLine, problems: written } = parsePage(page.file, page.text);
    problems.push(...written);
    if (yaml !== undefined) problems.push(...findSchemaProblems(page.file, yaml, schemas[page.kind]));
    return { page, yaml, path: pathOf(page), body: readBody(page, body, bodyLine, problems) };
  });
  const shop = { paths: files.paths, skus: findSkus(pages), targets: findTargets(pages, store?.base_url ?? "") };
  problems.push(
    ...findDuplicates(pages),
    ...findStrayFolders(files.pages),
    ...pages.flatMap((page) => findPictureProblems(page, shop.paths)),
  );
  for (const { page, path, body } of pages) if (body) problems.push(...findBodyProblems(page, path, body, shop));
  return problems.sort(compareProblems);
}

const schemasFor = (currency: string): Record<Kind, z.ZodType> => ({
  product: productSchema(currency, z.string({ error: "is missing. Write, for example, `src: ./kestrel-c2.svg`." })),
  category: categorySchema,
  guide: guideSchema,
  page: pageSchema,
});

function checkStore(root: string): { store: Store | undefined; problems: Problem[] } {
  const file = "content/store.yaml";
  if (!existsSync(join(root, file)))
    return { store: undefined, problems: [{ file, line: 1, message: "The file is missing." }] };
  const { yaml, problems } = parseYaml(file, readFileSync(join(root, file), "utf8"), 1);
  if (yaml === undefined) return { store: undefined, problems };
  const { data } = storeSchema.safeParse(yaml.document.toJS());
  return { store: data, problems: [...problems, ...findSchemaProblems(file, yaml, storeSchema)] };
}

function readBody(page: PageFile, text: string, line: number, problems: Problem[]): Body | undefined {
  try {
    return parseBody(text, page.isMdx, line);
  } catch (error) {
    problems.push({ file: page.file, ...mdxProblem(error, line) });
    return undefined;
  }
}

/** remark-mdx throws a VFileMessage: `reason` is its sentence, `line` counts as the file does. */
function mdxProblem(error: unknown, bodyLine: number): { line: number; message: string } {
  const { reason, line } = z.looseObject({ reason: z.string(), line: z.int().catch(bodyLine) }).parse(error);
  return {
    line,
    message: `In an .mdx file, { and < begin code: write \\{ or \\< for the signs themselves. (${reason})`,
  };
}

function pathOf({ kind, slug }: PageFile): string {
  return { product: productPath, category: categoryPath, guide: guidePath, page: pagePath }[kind](slug);
}

function findTargets(pages: readonly ReadPage[], baseUrl: string): Targets {
  const targets: Targets = {
    pages: new Map([
      [homePath, undefined],
      [guidesPath, undefined],
    ]),
    formerly: new Map(),
    baseUrl,
  };
  for (const checked of pages) {
    const { page, path, body } = checked;
    // Only pages that are nothing but text are known by heart: products and <Endpoints /> have anchors of the site's making.
    const isText =
      page.kind === "guide" ||
      (page.kind === "page" && !body?.elements.some(({ element }) => element.name === "Endpoints"));
    targets.pages.set(path, isText && body ? new Set(body.headings.map(({ id }) => id)) : undefined);
    for (const { name } of formerSlugs(checked)) targets.formerly.set(pathOf({ ...page, slug: name }), path);
  }
  return targets;
}

function findPictureProblems({ page, yaml }: ReadPage, paths: ReadonlySet<string>): Problem[] {
  if (yaml === undefined || page.kind !== "product") return [];
  const { node } = locate(yaml, ["images"]);
  if (!isSeq(node)) return [];
  return node.items.flatMap((_, index) => {
    const source: unknown = yaml.document.getIn(["images", index, "src"]);
    const message = typeof source === "string" ? pictureProblem(source, page.file, paths) : undefined;
    return message === undefined ? [] : { file: page.file, line: locate(yaml, ["images", index, "src"]).line, message };
  });
}

function findStrayFolders(pages: readonly PageFile[]): Problem[] {
  const categories = new Set(pages.filter(({ kind }) => kind === "category").map(({ slug }) => slug));
  return pages.flatMap(({ file, category }) => {
    if (category === undefined || categories.has(category)) return [];
    const message = `There is no category ${category}: content/categories/${category}.md does not exist.${didYouMean(category, categories)}`;
    return { file, line: 1, message };
  });
}

function findMissingPages(pages: readonly PageFile[]): Problem[] {
  const present = new Set(pages.filter(({ kind }) => kind === "page").map(({ slug }) => slug));
  const missing = requiredSlugs.filter((slug) => !present.has(slug));
  return missing.map((slug) => ({
    file: `content/pages/${slug}.md`,
    line: 1,
    message: "The page is missing; others link to it.",
  }));
}
