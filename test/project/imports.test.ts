import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const PARTS = ["site", "api", "nginx", "test"] as const;

/** What a part may import from another. Site and API meet in api/contract/, which both import, in openapi.json, which the site reads, and in products.json and .session/, which the API reads. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // Commands of all parts read their arguments alike.
  site: ["content/", "api/openapi.json", "api/contract/", "api/read-arguments.ts"],
  api: [],
  // npm start reports wrong settings of both processes together, and both check ports, origins and address ranges alike.
  // Both start Debian's servers, and their commands know a Ctrl-C that arrives twice. npm run doctor looks at the whole shop.
  // Builds and releases are put in place by the same code, both write to the content repository, and both find CONTENT_ROOT.
  nginx: [
    "api/contract/",
    "api/close-on-signals.ts",
    "api/env.ts",
    "api/read-arguments.ts",
    "api/platform/server-path.ts",
    "api/platform/webhook/addresses.ts",
    "api/operation/doctor/",
    "api/operation/stock-mark.ts",
    "site/build/numbered-builds.ts",
    "site/build/build-record.ts",
    "site/build/link-or-copy.ts",
    "site/build/lock.ts",
    "site/build/stock-facts.ts",
    "site/admin/content/git.ts",
    "site/admin/content/drafts.ts",
    "site/admin/publication/",
    "site/content-check/problem.ts",
    "site/content-repository/content-root.ts",
    "site/finish/moved-pages.ts",
  ],
  test: ["api/", "nginx/", "site/"],
};

/** The wings of the API from the ground up: each may import those below it, and no other at its own height. */
const WINGS = [
  ["contract"],
  ["platform"],
  ["selling"],
  ["people"],
  ["assistant", "partners", "staff"],
  ["operation"],
  ["jobs"],
];
/** What puts the wings together, with the files at the root. */
const ROOF = "commands";

interface Import {
  from: string;
  to: string;
}

const filesOf = (part: string): string[] =>
  globSync(`${part}/**/*.{ts,js,astro}`, {
    cwd: ROOT,
    exclude: (path) => /node_modules|dist|\.builds|\.cache|\.astro\//.test(path),
  });

/** Imports of relative paths in a part's files, types included; paths start at the project's root. */
function relativeImports(part: string): Import[] {
  return filesOf(part).flatMap((from) => {
    const code = readFileSync(join(ROOT, from), "utf8");
    const imported = [
      ...code.matchAll(/(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"'?]+)/g),
      // Workers are started by their URL.
      ...code.matchAll(/new URL\(\s*["'](\.{1,2}\/[^"']+\.[tj]s)["'],\s*import\.meta\.url/g),
    ].map((match) => match[1] ?? "");
    return imported.map((target) => ({ from, to: normalize(join(dirname(from), target)) }));
  });
}

/** The groups of names that import one another, directly or not (Tarjan's strongly connected components), each sorted. */
function findCycles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of imports) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const order = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  /** Returns the lowest order that `name` reaches on the stack. */
  const visit = (name: string): number => {
    const own = order.size;
    order.set(name, own);
    stack.push(name);
    let lowest = own;
    for (const target of targets.get(name) ?? []) {
      if (!order.has(target)) lowest = Math.min(lowest, visit(target));
      else if (stack.includes(target)) lowest = Math.min(lowest, order.get(target) ?? own);
    }
    if (lowest === own) {
      const group = stack.splice(stack.indexOf(name));
      if (group.length > 1) cycles.push(group.sort());
    }
    return lowest;
  };
  for (const name of targets.keys()) if (!order.has(name)) visit(name);
  return cycles;
}

/** A line for each cycle, with the imports that it consists of. */
function describeCycles(imports: readonly Import[], nameOf: (file: string) => string): string[] {
  const between = imports.map(({ from, to }) => ({ from: nameOf(from), to: nameOf(to), files: `${from} → ${to}` }));
  const foreign = between.filter(({ from, to }) => from !== to);
  return findCycles(foreign).map((cycle) => {
    const inside = foreign.filter(({ from, to }) => cycle.includes(from) && cycle.includes(to));
    return `${cycle.join(", ")}:\n  ${inside.map(({ files }) => files).join("\n  ")}`;
  });
}

test.each(PARTS)("%s imports only what it may from other parts", (part) => {
  const imports = relativeImports(part);
  expect(imports.length).toBeGreaterThan(5);
  const foreign = imports.filter(({ to }) => !to.startsWith(`${part}/`));
  const forbidden = foreign.filter(({ to }) => !ALLOWED[part]?.some((allowed) => to.startsWith(allowed)));
  expect(forbidden).toEqual([]);
});

test("the contract imports typebox and itself alone, and the site only types of what needs typebox", () => {
  const lines = (part: string) =>
    filesOf(part).flatMap((file) => {
      const code = readFileSync(join(ROOT, file), "utf8");
      return [...code.matchAll(/^(?:import|export)[^;]*? from "([^"]+)"/gm)].map(([all, from = ""]) => {
        const to = from.startsWith(".") ? normalize(join(dirname(file), from)) : from;
        return { file, to, isOfTypes: /^(?:import|export) type /.test(all) };
      });
    });
  const contract = lines("api/contract");
  expect(contract.filter(({ to }) => to !== "typebox" && !to.startsWith("api/contract/"))).toEqual([]);
  const schemas = new Set(contract.filter(({ to }) => to === "typebox").map(({ file }) => file));
  const used = lines("site").filter(({ to }) => schemas.has(to));
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter(({ isOfTypes }) => !isOfTypes)).toEqual([]);
});

test("the API's wings import only what is below them", () => {
  const wingOf = (file: string) => file.split("/").slice(1, -1)[0] ?? ROOF;
  const heightOf = (wing: string) => (wing === ROOF ? WINGS.length : WINGS.findIndex((wings) => wings.includes(wing)));
  const imports = relativeImports("api")
    .filter(({ to }) => to.endsWith(".ts"))
    .map(({ from, to }) => ({ from, to, wings: [wingOf(from), wingOf(to)] as const }))
    .filter(({ wings: [from, to] }) => from !== to);
  const wings = new Set(imports.flatMap(({ wings }) => wings));
  expect([...wings].sort()).toEqual([...WINGS.flat(), ROOF].sort());
  const upward = imports.filter(({ wings: [from, to] }) => heightOf(to) >= heightOf(from));
  expect(upward.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test("only files that are started have effects at import", () => {
  const isStarted = (file: string) =>
    /^api\/(server|worker|commands\/(migrate|import|order|erase|editor|backup|restore|demo-orders|openapi))\.ts$/.test(
      file,
    );
  const imported = relativeImports("api").filter(({ to }) => isStarted(to));
  expect(imported).toEqual([]);
});

test.each(["site", "api", "nginx"])("%s has no import cycle between files or between folders", (part) => {
  const imports = relativeImports(part).filter(({ to }) => to.startsWith(`${part}/`) && !to.endsWith(".json"));
  expect(imports.filter(({ to }) => !existsSync(join(ROOT, to)))).toEqual([]);
  expect(describeCycles(imports, (file) => file)).toEqual([]);
  expect(describeCycles(imports, dirname)).toEqual([]);
});

test("an import cycle is found, direct or not, and described by its imports", () => {
  const imports = [
    { from: "a/1.ts", to: "b/2.ts" },
    { from: "b/2.ts", to: "c/3.ts" },
    { from: "c/3.ts", to: "a/4.ts" },
    { from: "a/4.ts", to: "d/5.ts" },
  ];
  expect(findCycles(imports)).toEqual([]);
  expect(describeCycles(imports, dirname)).toEqual([
    "a, b, c:\n  a/1.ts → b/2.ts\n  b/2.ts → c/3.ts\n  c/3.ts → a/4.ts",
  ]);
  expect(findCycles([...imports, { from: "a/4.ts", to: "a/1.ts" }])).toEqual([
    ["a/1.ts", "a/4.ts", "b/2.ts", "c/3.ts"],
  ]);
});
