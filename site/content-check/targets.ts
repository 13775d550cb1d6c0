import { categoryPath, guidePath, guidesPath, homePath, pagePath, productPath } from "../src/paths.ts";
import type { Body } from "./body.ts";
import type { PageFile } from "./content-files.ts";
import { type CheckedPage, formerSlugs } from "./duplicates.ts";
import type { Targets } from "./links.ts";

export interface ReadPage extends CheckedPage {
  path: string;
  /** Undefined when it can't be read. */
  body: Body | undefined;
}

/** The path at which a file's page stands. */
export function pathOf({ kind, slug }: Pick<PageFile, "kind" | "slug">): string {
  return { product: productPath, category: categoryPath, guide: guidePath, page: pagePath }[kind](slug);
}

/** All that links may lead to. */
export function findTargets(pages: readonly ReadPage[], baseUrl: string | undefined): Targets {
  const anchors = new Map<string, ReadonlySet<string> | undefined>([
    [homePath, undefined],
    [guidesPath, undefined],
    ...pages.map(({ page, path, body }) => [path, knownAnchors(page, body)] as const),
  ]);
  const former = pages.flatMap((checked) =>
    formerSlugs(checked).map(({ name }) => [pathOf({ ...checked.page, slug: name }), checked.path] as const),
  );
  return { pages: anchors, formerly: new Map(former), baseUrl };
}

/** Only a page that is nothing but text is known whole: products and <Endpoints /> have headings of the site's making. */
function knownAnchors({ kind }: PageFile, body: Body | undefined): Set<string> | undefined {
  const isText = kind === "guide" || kind === "page";
  if (!isText || body === undefined || body.elements.some(({ element }) => element.name === "Endpoints"))
    return undefined;
  return new Set(body.headings.map(({ id }) => id));
}
