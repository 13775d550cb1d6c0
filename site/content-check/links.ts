import { nearest } from "../content-schema/suggest.ts";
import {
  apiCatalogPath,
  llmsFullPath,
  llmsPath,
  merchantFeedPath,
  openapiPath,
  productFeedPath,
  robotsPath,
  sitemapPath,
} from "../urls/paths.ts";

/** Where links may lead: the paths of all pages, each with its anchors (undefined: not known), which of them are drafts, and former paths. */
export interface Targets {
  pages: Map<string, ReadonlySet<string> | undefined>;
  drafts: ReadonlySet<string>;
  formerly: Map<string, string>;
  /** The paths of all pages, in a set that stays the same, and the first of those that end alike, by their last part. */
  paths: ReadonlySet<string>;
  byName: ReadonlyMap<string, string>;
  /** Undefined while store.yaml has none that could be read. */
  baseUrl: string | undefined;
}

// What nginx serves beside pages. /api/ answers by itself.
const resources = new Set<string>([
  llmsPath,
  llmsFullPath,
  robotsPath,
  sitemapPath,
  openapiPath,
  productFeedPath,
  merchantFeedPath,
  apiCatalogPath,
]);

/** Why a link of the page at `from` leads nowhere; undefined when it leads somewhere or out of the shop. */
export function linkProblem(url: string, from: string, targets: Targets): string | undefined {
  if (url === "") return "A link has no address.";
  const own = ownPath(url, targets.baseUrl);
  if (own !== undefined)
    return linkProblem(own, from, targets) ?? `Write a link within the shop without its address: \`${own}\`.`;
  if (/^(https?|mailto|tel):/i.test(url))
    return URL.canParse(url) ? undefined : `The link \`${url}\` is no address. Is there a sign too much at its end?`;
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return `The link \`${url}\` is neither a web address nor mailto: nor tel:.`;
  if (/^www\./i.test(url)) return `The link \`${url}\` lacks its beginning: write \`https://${url}\`.`;
  const [address = "", anchor] = url.split("#", 2);
  const path = address === "" ? from : (address.split("?", 1)[0] ?? "");
  return pathProblem(path, targets) ?? draftProblem(path, from, targets) ?? anchorProblem(path, anchor, targets);
}

/** The path, with query and anchor, of a link that names our own address, however it is spelt. */
function ownPath(url: string, baseUrl: string | undefined): string | undefined {
  if (baseUrl === undefined || !/^(https?:)?\/\//i.test(url) || !URL.canParse(url, baseUrl)) return undefined;
  const { host, pathname, search, hash } = new URL(url, baseUrl);
  return host === new URL(baseUrl).host ? pathname + search + hash : undefined;
}

function pathProblem(path: string, { pages, paths, byName, formerly }: Targets): string | undefined {
  if (pages.has(path) || resources.has(path) || path.startsWith("/api/")) return undefined;
  const plain = `/${path.replace(/\.(mdx?|html)$/, "").replace(/^[./]+|\/+$/g, "")}`.replace(/^\/index$/, "/");
  if (pages.has(plain)) return `The link \`${path}\` must be written as \`${plain}\`.`;
  const now = formerly.get(plain);
  if (now !== undefined) return `The page \`${plain}\` has moved. Write \`${now}\`.`;
  const slash = path.startsWith("/") ? "" : " A link within the shop begins with a slash.";
  const near = byName.get(nameOf(plain)) ?? nearest(plain, paths);
  return `No page \`${path}\`.${near === undefined ? slash : ` Did you mean \`${near}\`?`}`;
}

/** The last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function draftProblem(path: string, from: string, { drafts }: Targets): string | undefined {
  if (!drafts.has(path) || drafts.has(from)) return undefined;
  return `The page \`${path}\` is a draft, which no build has. Publish it first, or leave the link out.`;
}

function anchorProblem(path: string, anchor: string | undefined, { pages }: Targets): string | undefined {
  const anchors = pages.get(path);
  if (!anchor || anchors === undefined || anchors.has(anchor)) return undefined;
  const near = nearest(anchor, anchors);
  return `The page \`${path}\` has no heading \`#${anchor}\`.${near === undefined ? "" : ` Did you mean \`#${near}\`?`}`;
}
