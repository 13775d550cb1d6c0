import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const PARTS = ["site", "api", "nginx", "test"] as const;

/** What a part may import from another one. Site and API meet in two files: openapi.json, which the site reads, and products.json, which the API imports. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  site: ["content/", "api/openapi.json"],
  api: [],
  // Settings are read by the process that they belong to; the starter names all problems at once.
  // Address ranges are written the same way for both.
  nginx: ["api/env.ts", "api/webhook/addresses.ts"],
  test: ["api/", "nginx/", "site/"],
};

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

test.each(PARTS)("%s imports from no part that it may not read", (part) => {
  const imports = relativeImports(part);
  expect(imports.length).toBeGreaterThan(5);
  const foreign = imports.filter(({ to }) => !to.startsWith(`${part}/`));
  const forbidden = foreign.filter(({ to }) => !ALLOWED[part]?.some((allowed) => to.startsWith(allowed)));
  expect(forbidden).toEqual([]);
});

test("no file has effects at import but those that are started", () => {
  const isStarted = (file: string) =>
    /^api\/(server|worker|commands\/(migrate|import|demo-orders|openapi))\.ts$/.test(file);
  const imported = relativeImports("api").filter(({ to }) => isStarted(to));
  expect(imported).toEqual([]);
});
