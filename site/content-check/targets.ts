import { readFileSync } from "node:fs";
import { isCompared } from "../urls/pagination.ts";
import {
  categoryPath,
  comparePath,
  guidePath,
  guidesPath,
  homePath,
  pagePath,
  productPath,
  searchPath,
  securityTxtPath,
} from "../urls/paths.ts";
import { questionAnchors } from "./answers.ts";
import type { Body } from "./body.ts";
import type { PageFile } from "./content-files.ts";
import { type CheckedPage, formerSlugs } from "./duplicates.ts";
import { nameOf, type Targets } from "./links.ts";

export interface ReadPage extends CheckedPage {
  path: string;
  /** Undefined when nobody can say where it begins. */
  text: string | undefined;
  /** The file's line on which the text begins. */
  textLine: number;
  /** Undefined when it can't be read, or wasn't because nobody asks for its headings. */
  body: Body | undefined;
}

/** The path at which a file's page stands. */
export function pathOf({ kind, slug }: Pick<PageFile, "kind" | "slug">): string {
  return { product: productPath, category: categoryPath, guide: guidePath, page: pagePath }[kind](slug);
}

/** All that links may lead to; `storeFields` are those of store.yaml, of which `security` makes a file. */
export function findTargets(
  pages: readonly ReadPage[],
  baseUrl: string | undefined,
  storeFields: ReadonlySet<string> | undefined,
): Targets {
  const anchors = new Map<string, ReadonlySet<string> | undefined>([
    [homePath, own],
    ...(pages.some(({ page }) => page.kind === "guide" && !page.isDraft) ? ([[guidesPath, own]] as const) : []),
    [searchPath, own],
    ...comparisons(pages).map((path) => [path, own] as const),
    ...(storeFields?.has("security") === false ? [] : ([[securityTxtPath, undefined]] as const)),
    ...pages.map((read) => [read.path, knownAnchors(read)] as const),
  ]);
  const former = pages.flatMap((checked) =>
    formerSlugs(checked).map(({ name }) => [pathOf({ ...checked.page, slug: name }), checked.path] as const),
  );
  const drafts = new Set(pages.flatMap(({ page, path }) => (page.isDraft ? path : [])));
  const paths = [...anchors.keys()];
  const byName = new Map(paths.map((path) => [nameOf(path), path] as const).reverse());
  return { pages: anchors, drafts, formerly: new Map(former), paths: new Set(paths), byName, baseUrl };
}

/** The pages that compare a category's products, where there are products to compare. */
function comparisons(pages: readonly ReadPage[]): string[] {
  const categories = pages.filter(({ page }) => page.kind === "category" && !page.isDraft);
  return categories.flatMap(({ page: { slug } }) => {
    const products = pages.filter(({ page }) => page.category === slug && !page.isDraft);
    return isCompared(products.length) ? comparePath(slug) : [];
  });
}

/** Pages with an address behind which a link names a heading: these must be read, whatever else is left unread. */
export function findAnchored(pages: readonly ReadPage[]): Set<string> {
  const links = pages.flatMap(({ page, path }) =>
    Array.from(page.text.matchAll(/\](?:\(\s*|:\s*)<?([^\s#)>]*)#/g), ([, address]) => address || path),
  );
  return new Set(links);
}

/** What the site itself puts on its pages, by kind: layouts/Page.astro, pages/ and components/ have these ids. */
const own = new Set(["content"]);
const ownOf = {
  product: ["versions", "specifications", "works-with", "similar"],
  category: ["compare"],
  guide: [],
  page: [],
};

/** Whether a page's headings are read in any case, because links often lead to them. */
export const hasKnownAnchors = ({ kind }: PageFile): boolean => kind === "guide" || kind === "page";

function knownAnchors({ page, yaml, body }: ReadPage): Set<string> | undefined {
  if (body === undefined) return undefined;
  const hasEndpoints = body.elements.some(({ element }) => element.name === "Endpoints");
  return new Set([
    ...own,
    ...ownOf[page.kind],
    ...body.headings.map(({ id }) => id),
    ...questionAnchors({ page, yaml }),
    ...(hasEndpoints ? readOperations() : []),
  ]);
}

/** The names of the API's operations, which components/developers/Endpoints.astro makes headings from. */
function readOperations(): string[] {
  const text = readFileSync(new URL("../../api/openapi.json", import.meta.url), "utf8");
  return Array.from(text.matchAll(/"operationId": *"([^"]+)"/g), ([, id = ""]) => id);
}
