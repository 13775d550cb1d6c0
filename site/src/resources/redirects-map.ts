/** A page, by its path, with the paths that it had before. */
export type Moved = { path: string; formerPaths: readonly string[] };

/**
 * Writes the lines of an nginx `map` from former paths to present ones. nginx leads their Markdown twins on by the same lines.
 *
 * @param pages all pages of the site, moved or not
 * @throws when a former path is a page's present one, or two pages claim it: nginx would not start
 */
export function writeRedirectsMap(pages: readonly Moved[]): string {
  const taken = new Map(pages.map(({ path }) => [path, `it is a page's address`]));
  const lines = pages.flatMap(({ path, formerPaths }) =>
    formerPaths.flatMap((former) => {
      const reason = taken.get(former);
      if (reason) throw new Error(`${path} says that it was formerly ${former}, but ${reason}`);
      taken.set(former, `${path} says so too`);
      return mapLine(former, path);
    }),
  );
  return lines.sort().join("");
}

// A blank, `;`, `{`, `"` or `$` would mean something to nginx. Our paths have none: better to stop than to quote.
function mapLine(from: string, to: string): string {
  for (const path of [from, to]) if (!/^\/[\w./-]*$/.test(path)) throw new Error(`${path} can't stand in an nginx map`);
  return `${from} ${to};\n`;
}
