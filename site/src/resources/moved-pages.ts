import { isSlug } from "../../../api/contract/patterns.ts";

/** A page's path and its former paths. */
export type Moved = { path: string; formerPaths: readonly string[] };

/**
 * Lists former paths with the present ones, a line `/old /new` each, percent-encoded, sorted. Among them are those of present
 * paths that can be written with letters and accents apart (UAX #15, NFD), as programs on a Mac do.
 *
 * @param pages all pages of the site that can be renamed, renamed or not
 * @param others paths of the others
 * @throws if a former path is the present path of a page, or two pages have the same one
 */
export function listMovedPages(pages: readonly Moved[], others: readonly string[] = []): string {
  const taken = new Map(pages.map(({ path }) => [path, `it is a page's address`]));
  const paths = [...new Set([...taken.keys(), ...others])];
  const lines = pages.flatMap(({ path, formerPaths }) =>
    formerPaths.flatMap((former) => {
      const reason = taken.get(former);
      if (reason) throw new Error(`${path} says that it was formerly ${former}, but ${reason}`);
      taken.set(former, `${path} says so too`);
      if (!isPath(former) || !isPath(path)) throw new Error(`${isPath(path) ? former : path} isn't a page's path`);
      return line(former, path);
    }),
  );
  const apart = paths.map((path) => [path.normalize("NFD"), path] as const).filter(([from, to]) => from !== to);
  return [...lines, ...apart.map(([from, to]) => line(from, to))].sort().join("");
}

const isPath = (path: string): boolean => path.startsWith("/") && path.slice(1).split("/").every(isSlug);

const line = (from: string, to: string): string => `${encodeURI(from)} ${encodeURI(to)}\n`;
