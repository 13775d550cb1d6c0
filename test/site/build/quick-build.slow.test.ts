import { execFile } from "node:child_process";
import { cpSync, globSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DAY_MS } from "../../../api/contract/duration.ts";
import { entriesOf, openBuiltSearch } from "../../api/people/search/search-file.ts";
import { bareEnvironment } from "../../bare-environment.ts";
import { buildOnce } from "../../built-shops.ts";
import { buildSite, copyWorkspace } from "../../workspace.ts";
import { copyWithContent, newProduct, validContent } from "../content-check/content-tree.ts";
import {
  hardware,
  maker,
  photographed,
  printers,
  scanners,
  thingworks,
  twoCategories,
} from "../shop/two-categories.ts";
import { describeWholeBuild, differences } from "./whole-build.ts";

const QUICK = /(\d+) of \d+ files have changed/;
let root = "";

beforeEach(async () => {
  root = copyWithContent({ ...twoCategories, "words.yaml": "pages:\n  frame:\n    home: Begin\n" });
  await buildOnce(root);
});
afterEach(() => rmSync(root, { recursive: true }));

const contentPath = (path: string) => join(root, "content", path);
const write = (path: string, text: string) => writeFileSync(contentPath(path), text);
const page = (path: string) => readFileSync(join(root, "site/dist", path), "utf8");

/** The same content in another copy of the project, built from nothing. */
async function buildFromNothing(): Promise<Map<string, string>> {
  const fresh = copyWorkspace(join(root, "content"));
  try {
    return await describeWholeBuild((await buildSite(fresh)).dist);
  } finally {
    rmSync(fresh, { recursive: true });
  }
}

// With random changes: random-changes.slow.test.ts.
test("changed prices and texts are built without Vite, with the same bytes as from nothing", async () => {
  write(
    `${scanners}/p1.md`,
    newProduct("p1", "35.00", "works_with: { p8: the same cable }").replace("It scans.", "It beeps."),
  );
  write(
    printers,
    "---\ntitle: Label printers\nsummary: They print.\norder: 20\nparent: hardware\n---\n\nSome print.\n",
  );
  write(hardware, "---\ntitle: Machines\nsummary: They stand.\norder: 30\n---\n\nSome stand.\n");
  write("products/printers/q2.md", newProduct("q2", "20.00", "also_in: [barcode-scanners]"));
  write("products/printers/q1.md", photographed("11.00"));
  const [about = "", p4] = [validContent["pages/about.md"], newProduct("p4", "40.00", "updated: 2026-10-09")];
  write("pages/about.md", about.replace("We test.", "We test *and* sell.").replace("About us", "Who we are"));
  write(`${scanners}/p4.md`, p4.replace("Thing p4", "Renamed p4").replace("in_stock", "backorder"));
  write(thingworks, maker("help@thing.example"));
  write("redirects.csv", "from,to\n/old/p1,/products/p1\n");
  const { dist, output } = await buildSite(root);
  expect(output).toMatch(QUICK);
  expect(output).not.toContain("vite");
  for (const face of ["html", "md"]) expect(page(`products/p7.${face}`)).toContain("help@thing.example");
  expect(page("products/p1.html")).toContain("It beeps.");
  expect(page(".moved/rows")).toContain("/products/p1");
  expect(page("products/p1.md")).toContain("It beeps.");
  expect(page("products/p4.html")).toContain("Renamed p4");
  expect(page("about.md")).toContain("We test *and* sell.");
  expect(page("products/q5.html")).toMatch(/>\s*Machines\s*<[\s\S]*>\s*Label printers\s*<[\s\S]*<h1>Thing q5/);
  expect(page("categories/barcode-scanners.md")).toContain("/products/q2)");
  expect(differences(await describeWholeBuild(dist), await buildFromNothing())).toEqual([]);
});

const facts = (day: string) => ({
  "X-p2": { availability: "in_stock", available_from: null, few_left: true },
  "X-p4": { availability: "backorder", available_from: day, few_left: false },
  "X-p5": { availability: "in_stock", available_from: null, few_left: false },
});

/** The files of a build that a whole build of the same content with these facts has otherwise. */
async function differencesFromNothing(dist: string, day: string): Promise<string[]> {
  const fresh = copyWorkspace(join(root, "content"));
  try {
    writeFileSync(join(fresh, "site/.facts.json"), JSON.stringify(facts(day)));
    return differences(await describeWholeBuild(dist), await describeWholeBuild((await buildSite(fresh)).dist));
  } finally {
    rmSync(fresh, { recursive: true });
  }
}

test("a refresh changes the pages, lists and feeds of what is counted, and without facts all is as before", async () => {
  const last = realpathSync(join(root, "site/dist"));
  const before = await describeWholeBuild(last);
  writeFileSync(join(last, "_astro/of-another-release.css"), "");
  const day = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10);
  const path = join(root, "site/.facts.json");
  writeFileSync(path, JSON.stringify(facts(day)));
  const { dist, output } = await buildSite(root, {}, ["--refresh"]);
  expect(output).toMatch(QUICK);
  const after = await describeWholeBuild(dist);
  const changed = differences(before, after).map((file) => file.replace(/\.(?:gz|br)$/, ""));
  // Those of p2 and p4, their neighbours in price, which list them as similar, and lists of all.
  expect([...new Set(changed)].sort()).toEqual([
    ".session/content-offers.json",
    ...["", "/compare"].flatMap((name) => ["html", "md"].map((face) => `categories/barcode-scanners${name}.${face}`)),
    "llms-full.txt",
    "merchant-feed.xml",
    "products.json",
    ...["p1", "p2", "p3", "p4", "p5"].flatMap((slug) => [`products/${slug}.html`, `products/${slug}.md`]),
  ]);
  for (const face of ["html", "md"]) {
    expect(page(`products/p4.${face}`)).toContain("On back-order");
    expect(page(`products/p2.${face}`)).toMatch(/In stock(?:<\/span>)?, last pieces/);
    expect(page(`categories/barcode-scanners.${face}`)).toMatch(/In stock(?:<\/span>)?, last pieces/);
  }
  expect(page("products/p4.html")).toContain("https://schema.org/BackOrder");
  expect(page("merchant-feed.xml")).toContain(`${day}T00:00Z`);
  const feed = JSON.parse(page("products.json")).products.flatMap(({ variants }: never) => variants);
  expect(feed).toContainEqual(expect.objectContaining({ sku: "X-p4", availability: "backorder", available_from: day }));
  expect(page("products.json")).not.toContain("last");
  const words = { "X-p4": { availability: "in_stock", available_from: null, price: "40.00" } };
  expect(JSON.parse(page(".session/content-offers.json"))).toEqual(words);
  expect(page("_astro/of-another-release.css")).toBe("");
  expect(await differencesFromNothing(dist, day)).toEqual([]);
  rmSync(path);
  expect((await buildSite(root, {}, ["--refresh"])).output).toMatch(QUICK);
  expect(differences(before, await describeWholeBuild(dist))).toEqual([]);
});

test("a quick build leaves the build before it as it was, and knows what the pages say that it didn't render", async () => {
  const before = join(root, "before");
  const last = realpathSync(join(root, "site/dist"));
  cpSync(last, before, { recursive: true, preserveTimestamps: true });
  write(`${scanners}/p2.md`, newProduct("p2", "21.00"));
  expect((await buildSite(root)).output).toMatch(QUICK);
  expect(differences(await describeWholeBuild(before), await describeWholeBuild(last))).toEqual([]);
  const pagesOf = (dist: string) =>
    entriesOf(openBuiltSearch(dist)).flatMap((entry) => ("page" in entry ? [entry.page] : []));
  expect(pagesOf(join(root, "site/dist"))).toEqual(pagesOf(before));
});

const ASK = `
import { realpathSync } from "node:fs";
import { buildQuickly } from "./site/quick-build/quick-build.ts";
import { hashBuildInput } from "./site/build/build-input.ts";
process.chdir("site");
console.log(await buildQuickly(realpathSync("dist"), ".builds/next", hashBuildInput()) ? "quickly" : "fully");
`;

/** Whether the content as it is now can be built quickly. Leaves the last build. */
async function canBeBuiltQuickly(): Promise<boolean> {
  // Not in site/, whose files are the code that a build is made by.
  writeFileSync(join(root, "ask.ts"), ASK);
  const { stdout } = await promisify(execFile)(process.execPath, ["ask.ts"], { cwd: root, env: bareEnvironment() });
  rmSync(join(root, "site/.builds/next"), { recursive: true, force: true });
  expect(stdout).toMatch(/(?:quickly|fully)\n$/);
  return stdout.endsWith("quickly\n");
}

test.each<{ what: string; path: string; text: string }>([
  { what: "a setting", path: "store.yaml", text: (validContent["store.yaml"] ?? "").replace("Things to", "All to") },
  { what: "a word", path: "words.yaml", text: "pages:\n  frame:\n    home: Start\n" },
  {
    what: "an .mdx file",
    path: "guides/choosing.mdx",
    text: (validContent["guides/choosing.mdx"] ?? "").replace("Ask us", "Ask them"),
  },
  {
    what: "a drawing",
    path: `${scanners}/osprey.svg`,
    text: (validContent[`${scanners}/osprey.svg`] as string).replace('width="40"', 'width="30"'),
  },
  {
    what: "another picture in a text",
    path: `${scanners}/p3.md`,
    text: newProduct("p3", "30.00").replace("It scans.", "![It](./osprey.svg)"),
  },
  {
    what: "a former address",
    path: `${scanners}/p7.md`,
    text: newProduct("p7", "70.00", "formerly: [was-p7, older-p7]"),
  },
  {
    what: "what site and API share",
    path: "../api/contract/gtin.ts",
    text: "export const checkDigit = (digits: string): number => Number(digits) % 10;\n",
  },
])("after a change of $what everything has to be built", async ({ path, text }) => {
  const before = readFileSync(contentPath(path), "utf8");
  expect(text).not.toBe(before);
  write(path, text);
  expect(await canBeBuiltQuickly()).toBe(false);
  write(path, before);
  expect(await canBeBuiltQuickly()).toBe(true);
});

test("a new page is built with everything, and a price after it quickly", async () => {
  write(`${scanners}/p9.md`, newProduct("p9", "45.00"));
  expect((await buildSite(root)).output).not.toMatch(QUICK);
  expect(page("products/p9.html")).toContain("45.00");
  write(`${scanners}/p9.md`, newProduct("p9", "46.00"));
  expect((await buildSite(root)).output).toMatch(QUICK);
  expect(page("products/p9.html")).toContain("46.00");
});

test("an error in a changed text stops a quick build with its line, and keeps the last build", async () => {
  const right = readFileSync(contentPath(`${scanners}/p5.md`), "utf8");
  write(`${scanners}/p5.md`, right.replace("50.00", "fifty"));
  await expect(buildSite(root)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/p5\.md:\d+: .*price/),
  });
  expect(page("products/p5.html")).toContain("50.00");
  write(`${scanners}/p5.md`, right.replace("50.00", "51.00"));
  expect((await buildSite(root)).output).toMatch(QUICK);
  expect(page("products/p5.html")).toContain("51.00");
});

test("where Astro's bundle doesn't work alone, a warning says so and everything is built", async () => {
  const [entry = ""] = globSync("site/.cache/renderer/bundle/prerender-entry*", { cwd: root });
  writeFileSync(join(root, entry), "export const app = {};\n");
  write(`${scanners}/p6.md`, newProduct("p6", "61.00"));
  const { output } = await buildSite(root);
  expect(output).toContain("The quick build failed, so everything is built");
  expect(page("products/p6.html")).toContain("61.00");
});
