import { existsSync } from "node:fs";
import { join } from "node:path";
import { keyOf, parseRedirects, REDIRECTS_FILE, type Redirect, readAddress } from "../content-schema/redirects.ts";
import { didYouMean } from "../content-schema/suggest.ts";
import { disallowedPaths, homePath } from "../urls/paths.ts";
import { readTextFile } from "./content-files.ts";
import { linkProblem, resources, type Targets } from "./links.ts";
import { compareProblems, type Problem } from "./problem.ts";

const FILE = `content/${REDIRECTS_FILE}`;
/** So many are listed one by one: a wrong program may have written them all. */
const MOST_LISTED = 20;

const ASTERISK = "`*` is a letter like any other here. Write each old address in a line of its own.";

/** Finds rows of content/redirects.csv that can't be read, don't lead anywhere, or would never be asked. */
export function findRedirectProblems(root: string, targets: Targets, skus: ReadonlySet<string>): Problem[] {
  if (!existsSync(join(root, FILE))) return [];
  const { text, problems: unreadable } = readTextFile(root, FILE);
  // What can't be decoded would only be wrong again below.
  if (unreadable.length > 0) return unreadable;
  const { redirects, problems: unread } = parseRedirects(text);
  const problems: Omit<Problem, "file">[] = [...unread];
  const first = new Map<string, Redirect>();
  const leading = new Map<string, Redirect>();
  for (const row of redirects) {
    const earlier = first.get(keyOf(row.from));
    first.set(keyOf(row.from), earlier ?? row);
    const message = fromProblem(row, earlier, targets);
    if (message === undefined) leading.set(keyOf(row.from), row);
    else problems.push({ line: row.line, message });
    if (message === undefined && row.written.includes("*"))
      problems.push({ line: row.line, message: ASTERISK, isWarning: true });
  }
  for (const row of redirects) {
    const message = toProblem(row, leading, targets, skus);
    if (message !== undefined) problems.push({ line: row.line, message });
  }
  const all = problems.map((each) => ({ file: FILE, ...each })).sort(compareProblems);
  const more = all.length - MOST_LISTED;
  const [next] = all.slice(MOST_LISTED);
  if (next === undefined) return all;
  return [
    ...all.slice(0, MOST_LISTED),
    { ...next, message: `${more} more lines have problems, this one first: ${next.message}` },
  ];
}

function fromProblem({ from, written }: Redirect, earlier: Redirect | undefined, targets: Targets): string | undefined {
  const { path } = from;
  // What nginx asks for a page's Markdown.
  const page = path === "/index.md" ? homePath : path.replace(/\.md$/, "");
  if (earlier) return `\`${written}\` is also on line ${earlier.line}. Delete one of them.`;
  if (targets.drafts.has(page))
    return `The page \`${path}\` is a draft, and would take this address. Delete the draft or the line.`;
  if (path !== "" && (isLiving(path, targets) || isLiving(page, targets)))
    return `The page \`${path}\` is there, so nobody is led away from it. Delete the line.`;
  if (isApis(path)) return `The shop itself answers \`${path}\`. Delete the line.`;
  const now = from.query.length === 0 ? targets.formerly.get(path) : undefined;
  return now && `The page \`${now}\` says already that it was formerly \`${path}\`. Delete the line.`;
}

/** Whether the API answers an address, or will. */
export const isApis = (path: string): boolean =>
  ["/api", "/buy", "/counter", ...disallowedPaths].some((each) => `${path}/`.startsWith(each.replace(/\/?$/, "/")));

/** Whether there is a page or file of the shop; also the later pages of a category, to which no text links. */
const isLiving = (path: string, { pages, files }: Targets): boolean =>
  pages.has(path) ||
  resources.has(path) ||
  files.has(path) ||
  pages.has(path.replace(/^(\/categories\/[^/]+)\/page\/.*$/, "$1"));

function toProblem(
  { to, written }: Redirect,
  rows: ReadonlyMap<string, Redirect>,
  targets: Targets,
  skus: ReadonlySet<string>,
): string | undefined {
  if (to === "") return undefined;
  if (/^(?:410|gone)$/i.test(to))
    return `\`${to}\` isn't a place to lead to. For a page that is gone, leave it empty: \`${written.slice(0, 60)},\`.`;
  if (!/^\/(?!\/)|^https:\/\//i.test(to))
    return `\`${to.slice(0, 60)}\` isn't a place to lead to. Write a page of this shop, such as \`/about\`, or an address that starts with https://.`;
  const end = endOf(to, rows);
  if (end === undefined) return `\`${to}\` leads back here, line by line. Write a page of this shop.`;
  if (end !== to)
    return `\`${to}\` leads on. Write where visitors arrive: ${end === "" ? "nothing, since it is gone" : `\`${end}\``}.`;
  return to.startsWith("/buy/") ? orderLinkProblem(to, skus) : linkProblem(to, "/", targets);
}

/** Why `/buy/SKU:1,SKU:2` offers nothing (api/people/basket/items.ts reads it); undefined if it does. */
function orderLinkProblem(to: string, skus: ReadonlySet<string>): string | undefined {
  const [items = ""] = to.slice("/buy/".length).split(/[?#]/, 1);
  for (const item of items.split(",")) {
    const [, id] = /^([\w.-]+|~[\w-]+):[1-9]\d{0,2}$/.exec(item) ?? [];
    if (id === undefined)
      return `\`${to}\` isn't a link to order. Write each SKU with a number of pieces, and commas between: \`/buy/SKU:1\`.`;
    const sku = id.startsWith("~") ? Buffer.from(id.slice(1), "base64url").toString() : id;
    if (!skus.has(sku)) return `No product has the SKU ${sku}.${didYouMean(sku, skus)}`;
  }
  return undefined;
}

/** Where visitors arrive who are led from row to row; undefined if they never do. */
function endOf(to: string, rows: ReadonlyMap<string, Redirect>): string | undefined {
  const seen = new Set<string>();
  for (let end = to; !seen.has(end); ) {
    seen.add(end);
    const address = end.startsWith("/") ? readAddress(end.replace(/#.*/, "")) : "";
    const row = typeof address === "string" ? undefined : rows.get(keyOf(address));
    if (row === undefined) return end;
    end = row.to;
  }
  return undefined;
}
