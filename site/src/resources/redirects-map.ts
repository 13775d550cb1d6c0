/** A page's path and its former paths. */
export type Moved = { path: string; formerPaths: readonly string[] };

/**
 * Writes the lines of an nginx `map` from former paths to present ones. nginx uses them for both faces.
 *
 * @param pages all pages of the site, renamed or not
 * @throws if a former path is the present path of a page, or two pages have the same one: nginx would not start
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

// Space, `;`, `{`, `"` and `$` are syntax in nginx. Our paths don't contain them, so anything else is an error.
function mapLine(from: string, to: string): string {
  for (const path of [from, to]) if (!/^\/[\w./-]*$/.test(path)) throw new Error(`${path} can't stand in an nginx map`);
  return `${from} ${to};\n`;
}
