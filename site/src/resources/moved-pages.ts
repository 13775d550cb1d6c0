/** A page's path and its former paths. */
export type Moved = { path: string; formerPaths: readonly string[] };

/**
 * Lists former paths with the present ones, a line `/old /new` each, sorted.
 *
 * @param pages all pages of the site, renamed or not
 * @throws if a former path is the present path of a page, or two pages have the same one
 */
export function listMovedPages(pages: readonly Moved[]): string {
  const taken = new Map(pages.map(({ path }) => [path, `it is a page's address`]));
  const lines = pages.flatMap(({ path, formerPaths }) =>
    formerPaths.flatMap((former) => {
      const reason = taken.get(former);
      if (reason) throw new Error(`${path} says that it was formerly ${former}, but ${reason}`);
      taken.set(former, `${path} says so too`);
      return line(former, path);
    }),
  );
  return lines.sort().join("");
}

// nginx takes the present path into a header, and looks up no other form of a former one (nginx/conf/moved-pages.conf).
function line(from: string, to: string): string {
  for (const path of [from, to]) if (!/^(?:\/[a-z0-9-]+)+$/.test(path)) throw new Error(`${path} isn't a page's path`);
  return `${from} ${to}\n`;
}
