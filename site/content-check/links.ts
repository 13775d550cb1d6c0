import { readFileSync } from "node:fs";
import { didYouMean, nearest } from "../content-schema/suggest.ts";
import { countPages, isCompared } from "../urls/pagination.ts";
import {
  apiCatalogPath,
  basketPath,
  comparePath,
  counterPath,
  findOrderPath,
  guidesPath,
  homePath,
  llmsFullPath,
  llmsPath,
  merchantFeedPath,
  openapiPath,
  productFeedPath,
  readPath,
  robotsPath,
  searchPath,
  securityTxtPath,
  sitemapPath,
} from "../urls/paths.ts";
import { formerSlugs, type KnownPage, type PageFile, pathOf, questionAnchors } from "./content-files.ts";
import { findSkus } from "./identifiers.ts";

/** What links may point to: page paths, each with its anchors (undefined: not known), drafts among them, and former paths. */
export interface Targets {
  pages: Map<string, ReadonlySet<string> | undefined>;
  drafts: ReadonlySet<string>;
  /** The addresses of content/static/. */
  files: ReadonlySet<string>;
  formerly: Map<string, string>;
  /** The SKUs of each product, by its page's path. */
  skus: ReadonlyMap<string, ReadonlySet<string>>;
  /** All page paths, and the first one for each last segment. */
  paths: ReadonlySet<string>;
  byName: ReadonlyMap<string, string>;
  /** Undefined while store.yaml doesn't have a valid one. */
  baseUrl: string | undefined;
}

/** What nginx serves besides pages: files, and the API's pages that texts may link to. The API answers below /api/. */
export const resources: ReadonlySet<string> = new Set<string>([
  llmsPath,
  llmsFullPath,
  robotsPath,
  sitemapPath,
  openapiPath,
  productFeedPath,
  merchantFeedPath,
  apiCatalogPath,
  basketPath,
  findOrderPath,
]);

/** Why a link on the page at `from` is broken; undefined when it works or leaves the shop. */
export function linkProblem(url: string, from: string, targets: Targets): string | undefined {
  if (url === "") return "A link is missing its address.";
  const own = ownPath(url, targets.baseUrl);
  if (own !== undefined)
    return linkProblem(own, from, targets) ?? `Write a link within the shop without its address: \`${own}\`.`;
  if (/^(https?|mailto|tel):/i.test(url))
    return URL.canParse(url) ? undefined : `The link \`${url}\` isn't a valid address. Check its last character.`;
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return `The link \`${url}\` must start with https:, mailto: or tel:.`;
  if (/^www\./i.test(url)) return `The link \`${url}\` is incomplete. Write \`https://${url}\`.`;
  const [address = "", anchor] = url.split("#", 2);
  const path = address === "" ? from : readPath(address.split("?", 1)[0] ?? "");
  return (
    pathProblem(path, targets) ??
    draftProblem(path, from, targets) ??
    versionProblem(path, address, targets) ??
    anchorProblem(path, anchor, targets)
  );
}

/** The path, query and anchor of a link that includes the shop's own address, in any spelling. */
export function ownPath(url: string, baseUrl: string | undefined): string | undefined {
  if (baseUrl === undefined || !/^(https?:)?\/\//i.test(url) || !URL.canParse(url, baseUrl)) return undefined;
  const { host, pathname, search, hash } = new URL(url, baseUrl);
  return host === new URL(baseUrl).host ? readPath(pathname) + search + hash : undefined;
}

function pathProblem(path: string, { pages, files, paths, byName, formerly }: Targets): string | undefined {
  if (pages.has(path) || resources.has(path) || files.has(path) || path.startsWith("/api/")) return undefined;
  const plain = `/${path.replace(/\.(mdx?|html)$/, "").replace(/^[./]+|\/+$/g, "")}`.replace(/^\/index$/, "/");
  if (pages.has(plain)) return `The link \`${path}\` must be written as \`${plain}\`.`;
  const now = formerly.get(plain);
  if (now !== undefined) return `The page \`${plain}\` has moved. Write \`${now}\`.`;
  const slash = path.startsWith("/") ? "" : " Start a link within the shop with a slash.";
  const near = byName.get(nameOf(plain)) ?? nearest(plain, paths);
  return `No page \`${path}\`.${near === undefined ? slash : ` Did you mean \`${near}\`?`}`;
}

/** The last segment of a path. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function draftProblem(path: string, from: string, { drafts }: Targets): string | undefined {
  if (!drafts.has(path) || drafts.has(from)) return undefined;
  return `The page \`${path}\` is a draft. Publish it first, or remove the link.`;
}

/** What is wrong with `?sku=` of a product. Of several, the first counts, as in the API. */
function versionProblem(path: string, address: string, { skus }: Targets): string | undefined {
  const sku = new URLSearchParams(address.split("?").slice(1).join("?")).get("sku");
  const own = skus.get(path);
  if (sku === null || own === undefined || own.has(sku)) return undefined;
  return `The page \`${path}\` has no version \`${sku}\`.${didYouMean(sku, own)}`;
}

function anchorProblem(path: string, anchor: string | undefined, { pages }: Targets): string | undefined {
  const anchors = pages.get(path);
  if (!anchor || anchors === undefined || anchors.has(anchor)) return undefined;
  const near = nearest(anchor, anchors);
  return `The page \`${path}\` has no heading \`#${anchor}\`.${near === undefined ? "" : ` Did you mean \`#${near}\`?`}`;
}

/**
 * Collects what links may point to. `developers` are the program's own pages, of which one may have a text of the shop's too;
 * `storeFields` are the fields of store.yaml: security.txt exists with `security` only, the counter with `counter`.
 */
export function findTargets(
  pages: readonly KnownPage[],
  developers: readonly KnownPage[],
  baseUrl: string | undefined,
  storeFields: ReadonlySet<string> | undefined,
  files: ReadonlySet<string>,
): Targets {
  const anchors = new Map<string, ReadonlySet<string> | undefined>([
    [homePath, own],
    ...(pages.some(({ page }) => page.kind === "guide" && !page.isDraft) ? ([[guidesPath, own]] as const) : []),
    [searchPath, own],
    ...comparisons(pages).map((path) => [path, own] as const),
    ...(storeFields?.has("security") === false ? [] : ([[securityTxtPath, undefined]] as const)),
    ...(storeFields?.has("counter") === false ? [] : ([[counterPath, own]] as const)),
    ...pages.map((known) => [known.path, knownAnchors(known)] as const),
    ...developers.map((known) => [known.path, withAdded(known, pages)] as const),
  ]);
  const former = pages.flatMap((known) =>
    formerSlugs(known).map(({ name }) => [pathOf({ ...known.page, slug: name }), known.path] as const),
  );
  const ofProgram = new Set(developers.map(({ path }) => path));
  const drafts = new Set(pages.flatMap(({ page, path }) => (page.isDraft && !ofProgram.has(path) ? path : [])));
  const paths = [...anchors.keys()];
  const byName = new Map(paths.map((path) => [nameOf(path), path] as const).reverse());
  const products = pages.filter(({ page }) => page.kind === "product");
  const skus = new Map(products.map((known) => [known.path, findSkus([known])] as const));
  return { pages: anchors, drafts, files, formerly: new Map(former), skus, paths: new Set(paths), byName, baseUrl };
}

/** The comparison pages of categories with enough products. */
function comparisons(pages: readonly KnownPage[]): string[] {
  const categories = pages.filter(({ page }) => page.kind === "category" && !page.isDraft);
  return categories.flatMap(({ page: { slug } }) => {
    const products = pages.filter(({ page }) => page.category === slug && !page.isDraft);
    const compared = isCompared(products.length) ? countPages(products.length) : 0;
    return Array.from({ length: compared }, (_, index) => comparePath(slug, index + 1));
  });
}

/** The paths of pages that links with an anchor point to, whose headings must be known. */
export function findAnchored(pages: readonly KnownPage[]): Set<string> {
  const links = pages.flatMap(({ page, path }) =>
    Array.from(page.text.matchAll(/\](?:\(\s*|:\s*)<?([^\s#)>]*)#/g), ([, address]) => address || path),
  );
  return new Set(links);
}

/** Ids that the templates add to every page, and below to each kind of page. */
const own = new Set(["content"]);
const ownOf = {
  product: ["versions", "specifications", "works-with", "similar"],
  category: ["compare"],
  guide: [],
  page: [],
};

/** Whether a page's headings are always read, because links often point to them. */
export const hasKnownAnchors = ({ kind }: PageFile): boolean => kind === "guide" || kind === "page";

function knownAnchors(known: KnownPage): Set<string> | undefined {
  const { page, body } = known;
  if (body === undefined) return undefined;
  const hasEndpoints = body.elements.some(({ element }) => element.name === "Endpoints");
  return new Set([
    ...own,
    ...ownOf[page.kind],
    ...body.headings.map(({ id }) => id),
    ...questionAnchors(known),
    ...(hasEndpoints ? readOperations() : []),
  ]);
}

/** The anchors of one of the program's pages, with those of the shop's text on it. */
function withAdded(known: KnownPage, pages: readonly KnownPage[]): Set<string> | undefined {
  const anchors = knownAnchors(known);
  const added = pages.find(({ path }) => path === known.path);
  return anchors && added ? new Set([...anchors, ...questionAnchors(added)]) : anchors;
}

/** The ids of the API's operations, which Endpoints.astro turns into headings. */
function readOperations(): string[] {
  const text = readFileSync(new URL("../../api/openapi.json", import.meta.url), "utf8");
  return Array.from(text.matchAll(/"operationId": *"([^"]+)"/g), ([, id = ""]) => id);
}
