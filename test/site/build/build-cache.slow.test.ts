import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bareEnvironment } from "../../bare-environment.ts";
import { newProduct, validContent } from "../content-check/content-tree.ts";
import { describeFiles } from "../finish/dist-files.ts";
import { photographed, scanners } from "../shop/two-categories.ts";
import { useTwoShops, write } from "./two-shops.ts";
import { differences } from "./whole-build.ts";

// Rarer changes: build-cache.deep.test.ts.
const { roots, forgetRenderer, changeAndReuse, changeAndBuild } = useTwoShops();

/** Changes how content is read, without a change to content.config.ts or to any content file. */
function changeSchema(root: string): void {
  const file = join(root, "site/content-schema/product.ts");
  const code = readFileSync(file, "utf8");
  writeFileSync(file, code.replace("      ...rest,\n", '      ...rest,\n      brand: "Otherwise",\n'));
}

/** Changes one of the site's own texts. */
function changeWord(root: string): void {
  const file = join(root, "site/words/en/pages.ts");
  writeFileSync(file, readFileSync(file, "utf8").replace('"Similar products"', '"More like this"'));
}

/** Commits an unchanged file without `updated`, so that it gets a date. */
function commitFile(root: string, file: string): void {
  const day = "2026-11-18T12:00:00Z";
  const env = { ...process.env, GIT_AUTHOR_DATE: day, GIT_COMMITTER_DATE: day };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, env });
  git("init", "-q");
  git("add", file);
  git("-c", "user.name=A", "-c", "user.email=a@test.example", "commit", "-q", "-m", "Add it");
}

/** Kills the process that says that it renders q2. A test that reads the line may kill it too late. */
const DIE_AT_Q2 = `
const { stdout } = process;
const write = stdout.write.bind(stdout);
stdout.write = (text, ...rest) => {
  if (String(text).includes("products/q2.html")) process.kill(process.pid, "SIGKILL");
  return write(text, ...rest);
};`;

/** Kills a build while it renders q2, after it has written q1. */
async function killBetweenPages(): Promise<void> {
  forgetRenderer();
  const build = spawn(process.execPath, [join(roots.kept, "site/commands/build.ts")], {
    env: { ...bareEnvironment(), NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(DIE_AT_Q2)}` },
    stdio: "ignore",
  });
  expect((await once(build, "exit"))[1]).toBe("SIGKILL");
}

test("a build after changes to products and guides writes the same bytes as a build from scratch, and reuses exactly the product pages that they don't affect", async () => {
  for (const root of Object.values(roots)) commitFile(root, `content/${scanners}/p7.md`);
  const { reused, differences } = await changeAndBuild({
    [`${scanners}/p1.md`]: newProduct("p1", "35.00", "works_with: { p8: the same cable }")
      .replace("Thing p1", "Renamed p1")
      .replace("in_stock", "backorder"),
    [`${scanners}/p4.md`]: null,
    [`${scanners}/p9.md`]: newProduct("p9", "45.00", "does_not_work_with: { q2: another plug }\nupdated: 2026-10-02"),
    "guides/choosing.mdx": (validContent["guides/choosing.mdx"] ?? "").replace(
      "title: Choosing",
      "title: Choosing well",
    ),
  });
  expect(differences).toEqual([]);
  const products = reused.filter((page) => page.startsWith("/products/"));
  expect(products).toEqual(["/products/q1", "/products/q3", "/products/q4", "/products/q5"]);
});

test("content is read again after the code that reads it changes", async () => {
  changeSchema(roots.kept);
  expect(await changeAndReuse({})).toEqual([]);
  expect(readFileSync(join(roots.kept, "site/dist/products/q1.html"), "utf8")).toContain(">Otherwise</dd>");
});

test("a changed text of the site appears on every page, and a build still matches one from scratch", async () => {
  for (const root of Object.values(roots)) changeWord(root);
  expect(await changeAndBuild({})).toEqual({ reused: [], differences: [] });
  expect(readFileSync(join(roots.kept, "site/dist/products/p8.html"), "utf8")).toContain(">More like this</h2>");
});

test("a build reuses nothing from one that was killed between pages or while writing a picture", async () => {
  const files = await describeFiles(join(roots.kept, "site/dist"));
  write(roots.kept, { "products/printers/q1.md": photographed("11.00") });
  await killBetweenPages();
  // Simulates a build killed while it wrote a picture.
  const [picture = ""] = globSync("site/.cache/assets/*.png", { cwd: roots.kept });
  writeFileSync(join(roots.kept, picture), "");
  const reused = await changeAndReuse({ "products/printers/q1.md": photographed("10.00") });
  expect([reused, differences(await describeFiles(join(roots.kept, "site/dist")), files)]).toEqual([[], []]);
});
