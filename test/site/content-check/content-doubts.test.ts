import { execFileSync } from "node:child_process";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checkContent } from "../../../site/content-check/check.ts";
import { formatProblem } from "../../../site/content-check/problem.ts";
import { kestrel, osprey } from "./content-problems.ts";
import { newProduct, validContent, writeContent } from "./content-tree.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

function newShop(changes: Record<string, string>): string {
  const root = writeContent(changes);
  roots.push(root);
  return root;
}

/** The doubts about a shop, of which nothing is wrong. */
async function doubtsOf(root: string): Promise<string[]> {
  const problems = await checkContent(root);
  expect(problems.filter(({ isDoubt }) => !isDoubt)).toEqual([]);
  return problems.map(formatProblem);
}

test("SKUs that only capitals tell apart are doubted", async () => {
  const text = (validContent[osprey] ?? "").replace("OSP-WH", "kes-c2");
  expect(await doubtsOf(newShop({ [osprey]: text }))).toEqual([
    `content/${osprey}:14: SKU kes-c2 differs from KES-C2 in content/${kestrel}:8 by its capitals alone, which many an ERP takes for the same. A typing slip?`,
  ]);
});

const shelf = "products/barcode-scanners";

test.each([
  ["18900.00", "100 times the 189.00"],
  ["9450.00", "50 times the 189.00"],
  ["1.89", "a 100th of the 189.00"],
])("a price of %s among prices of 189.00 is doubted", async (price, ratio) => {
  const others = ["a", "b", "c"].map((slug) => [`${shelf}/${slug}.md`, newProduct(slug)] as const);
  const root = newShop({ ...Object.fromEntries(others), [`${shelf}/odd.md`]: newProduct("odd", price) });
  expect(await doubtsOf(root)).toEqual([
    `content/${shelf}/odd.md:9: price "${price}" is ${ratio} that is usual in its category. Is the decimal point in its place?`,
  ]);
});

test("a price is compared with those of its own category, and with its own versions", async () => {
  const text = (validContent[osprey] ?? "").replace("1319.00", "131900.00");
  expect(await doubtsOf(newShop({ [osprey]: text }))).toEqual([
    `content/${osprey}:15: price "131900.00" is 101 times the 1299.00 that is usual in its category. Is the decimal point in its place?`,
  ]);
  const category = (validContent["categories/barcode-scanners.md"] ?? "").replace("Barcode scanners", "Rolls");
  const rolls = { "categories/rolls.md": category, "products/rolls/roll.md": newProduct("roll", "0.90") };
  expect(await doubtsOf(newShop(rolls))).toEqual([]);
});

/** Commits all that is in a shop's folder. */
function commit(root: string): void {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@test.example", "-c", "commit.gpgsign=false"];
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    [...identity, "commit", "-q", "--allow-empty", "-m", "Change"],
  ])
    execFileSync("git", args, { cwd: root });
}

const rename = (root: string, from: string, to: string) =>
  renameSync(join(root, "content", from), join(root, "content", to));

const about = "pages/about.md";
const renamed = (file: string, old: string, all: string) =>
  `content/${file}:1: This page was renamed: links to \`${old}\` lead nowhere. Write \`formerly: [${all}]\`.`;

test("a page that was renamed without a word is doubted, before it is committed and after", async () => {
  const root = newShop({});
  commit(root);
  expect(await doubtsOf(root)).toEqual([]);
  rename(root, about, "pages/who-we-are.md");
  expect(await doubtsOf(root)).toEqual([renamed("pages/who-we-are.md", "/about", "about")]);
  expect(execFileSync("git", ["diff", "--cached", "--name-only"], { cwd: root, encoding: "utf8" })).toBe("");
  commit(root);
  expect(await doubtsOf(root)).toEqual([renamed("pages/who-we-are.md", "/about", "about")]);
  const text = validContent[about] ?? "";
  writeFileSync(join(root, "content/pages/who-we-are.md"), text.replace("updated:", "formerly: [about]\nupdated:"));
  expect(await doubtsOf(root)).toEqual([]);
});

test("a page that was renamed twice is told both of its old names", async () => {
  const root = newShop({});
  commit(root);
  rename(root, about, "pages/us.md");
  commit(root);
  rename(root, "pages/us.md", "pages/team.md");
  expect(await doubtsOf(root)).toEqual([
    `content/pages/team.md:1: This page was renamed: links to \`/us\` and \`/about\` lead nowhere. Write \`formerly: [us, about]\`.`,
  ]);
});

test("moving a product to another category, or renaming what was a draft, changes no address", async () => {
  const category = (validContent["categories/barcode-scanners.md"] ?? "").replace("Barcode scanners", "Tills");
  const draft = (validContent[about] ?? "").replace("updated:", "draft: true\nupdated:");
  const root = newShop({
    "categories/tills.md": category,
    "pages/draft.md": draft,
    [`${shelf}/a.md`]: newProduct("a"),
  });
  commit(root);
  rename(root, `${shelf}/a.md`, `${shelf}/../kept.md`);
  execFileSync("mkdir", ["-p", join(root, "content/products/tills")]);
  rename(root, "products/kept.md", "products/tills/a.md");
  rename(root, "pages/draft.md", "pages/done.md");
  writeFileSync(join(root, "content/pages/done.md"), draft.replace("draft: true\n", ""));
  expect(await doubtsOf(root)).toEqual([]);
});
