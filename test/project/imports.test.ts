import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const PARTS = ["site", "api", "nginx", "test"] as const;

/** What a part may import from others. Site and API share two files: openapi.json, read by the site, and products.json, read by the API. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  site: ["content/", "api/openapi.json"],
  api: [],
  // The starter reports every process's wrong settings at once, and address ranges have one format.
  nginx: ["api/env.ts", "api/webhook/addresses.ts"],
  test: ["api/", "nginx/", "site/"],
};

/** Every relative path in an import statement, found by a search of the text. */
function relativeImports(part: string): { from: string; to: string }[] {
  const files = globSync(`${part}/**/*.{ts,astro}`, {
    cwd: ROOT,
    exclude: (path) => /node_modules|dist|\.builds|\.astro\//.test(path),
  });
  return files.flatMap((from) => {
    const code = readFileSync(join(ROOT, from), "utf8");
    const targets = [...code.matchAll(/(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g)].map(
      (match) => match[1] ?? "",
    );
    return targets.map((target) => ({ from, to: normalize(join(dirname(from), target)) }));
  });
}

test.each(PARTS)("no import statement in %s has a path into a part that it may not import", (part) => {
  const imports = relativeImports(part);
  expect(imports.length).toBeGreaterThan(5);
  const foreign = imports.filter(({ to }) => !to.startsWith(`${part}/`));
  const forbidden = foreign.filter(({ to }) => !ALLOWED[part]?.some((allowed) => to.startsWith(allowed)));
  expect(forbidden).toEqual([]);
});

test("no import statement in api has the path of a program, which would start it", () => {
  const isStarted = (file: string) =>
    /^api\/(server|worker|commands\/(migrate|import|demo-orders|openapi))\.ts$/.test(file);
  const imported = relativeImports("api").filter(({ to }) => isStarted(to));
  expect(imported).toEqual([]);
});
