import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { bareEnvironment } from "../../bare-environment.ts";
import { buildSite } from "../../workspace.ts";
import { copyWithContent, newProduct, validContent } from "../content-check/content-tree.ts";
import { describeFiles } from "../finish/dist-files.ts";
import { drawing, photographed, plain, printers, scanners, twoCategories } from "../shop/two-categories.ts";
import { differences } from "./whole-build.ts";

type Built = { reused: string[]; differences: string[] };
type Changes = Readonly<Record<string, string | null>>;

/** The same project twice: built, and not built yet. */
let kept = "";
let fresh = "";

/** As it was when it was first built. Put back in the same place: in another one Astro reuses no page. */
const built = () => `${kept} built`;
const copy = (from: string, to: string) => execFileSync("cp", ["-a", from, to]);

beforeAll(async () => {
  kept = copyWithContent(twoCategories);
  await buildSite(kept);
  copy(kept, built());
  rmSync(kept, { recursive: true });
});
beforeEach(() => {
  copy(built(), kept);
  fresh = copyWithContent(twoCategories);
});
afterEach(() => {
  for (const root of [kept, fresh]) rmSync(root, { recursive: true });
});
// `beforeAll` may have failed at any step.
afterAll(() => {
  for (const root of [kept, built()]) rmSync(root, { recursive: true, force: true });
});

function write(root: string, changes: Changes): void {
  for (const [path, text] of Object.entries(changes)) {
    const file = join(root, "content", path);
    if (text === null) rmSync(file);
    else writeFileSync(file, text);
  }
}

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

/** Changes both shops and builds one with its cache. Returns the pages that it has reused. */
async function changeAndReuse(changes: Changes): Promise<string[]> {
  for (const root of [kept, fresh]) write(root, changes);
  forgetRenderer();
  const { output } = await buildSite(kept);
  return Array.from(output.matchAll(/(\S+)\.html \(restored\)/g), ([, path = ""]) => path);
}

/** The same, and builds the other from nothing. */
async function changeAndBuild(changes: Changes): Promise<Built> {
  const reused = await changeAndReuse(changes);
  const { dist } = await buildSite(fresh);
  return { reused, differences: differences(await describeFiles(join(kept, "site/dist")), await describeFiles(dist)) };
}

/** Makes the next build a full one, which these tests are about. */
const forgetRenderer = () => rmSync(join(kept, "site/.cache/renderer"), { recursive: true, force: true });

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
  const build = spawn(process.execPath, [join(kept, "site/commands/build.ts")], {
    env: { ...bareEnvironment(), NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(DIE_AT_Q2)}` },
    stdio: "ignore",
  });
  expect((await once(build, "exit"))[1]).toBe("SIGKILL");
}

test("a build after changes to products and guides writes the same bytes as a build from scratch, and reuses exactly the product pages that they don't affect", async () => {
  for (const root of [kept, fresh]) commitFile(root, `content/${scanners}/p7.md`);
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

test("after a picture is replaced, and in the next build a guide renamed from .mdx to .md, a build matches one from scratch", async () => {
  const reusedFirst = await changeAndReuse({ "products/printers/side.svg": drawing("20") });
  expect(reusedFirst).toContain("/products/p8");
  expect(reusedFirst).not.toContain("/products/q3");
  const { reused, differences } = await changeAndBuild({ "guides/plain.mdx": null, "guides/plain.md": plain });
  expect(differences).toEqual([]);
  // Of the first build, and of the one that this reused it from.
  expect(reused).toEqual(expect.arrayContaining(["/products/q3", "/products/p8"]));
});

test("after a category's move to the top every page is rendered again", async () => {
  const moved = "---\ntitle: Printers\nsummary: They print.\norder: 20\n---\n\nSome print.\n";
  expect(await changeAndReuse({ [printers]: moved })).toEqual([]);
});

test("after a product is listed elsewhere too, pages without it are reused, and a build matches one from scratch", async () => {
  const q2 = newProduct("q2", "20.00", "also_in: [barcode-scanners]\nupdated: 2026-10-02");
  const { reused, differences } = await changeAndBuild({ "products/printers/q2.md": q2 });
  expect(differences).toEqual([]);
  expect(reused).toContain("/products/kestrel-c2");
  expect(reused).not.toContain("/categories/barcode-scanners");
});

test("after a new look every page is rendered again", async () => {
  const look = 'look: { corner: 2, colours: { light: { accent: "#0b5751" }, dark: { accent: "#7fd6c8" } } }';
  const files = { "store.yaml": `${validContent["store.yaml"]}${look}\n`, "theme.css": "h1 { color: red }" };
  expect(await changeAndReuse(files)).toEqual([]);
});

test("content is read again after the code that reads it changes", async () => {
  changeSchema(kept);
  expect(await changeAndReuse({})).toEqual([]);
  expect(readFileSync(join(kept, "site/dist/products/q1.html"), "utf8")).toContain(">Otherwise</dd>");
});

test("a changed text of the site appears on every page, and a build still matches one from scratch", async () => {
  for (const root of [kept, fresh]) changeWord(root);
  expect(await changeAndBuild({})).toEqual({ reused: [], differences: [] });
  expect(readFileSync(join(kept, "site/dist/products/p8.html"), "utf8")).toContain(">More like this</h2>");
});

test("a build reuses nothing from one that was killed between pages or while writing a picture", async () => {
  const files = await describeFiles(join(kept, "site/dist"));
  write(kept, { "products/printers/q1.md": photographed("11.00") });
  await killBetweenPages();
  // Simulates a build killed while it wrote a picture.
  const [picture = ""] = globSync("site/.cache/assets/*.png", { cwd: kept });
  writeFileSync(join(kept, picture), "");
  const reused = await changeAndReuse({ "products/printers/q1.md": photographed("10.00") });
  expect([reused, differences(await describeFiles(join(kept, "site/dist")), files)]).toEqual([[], []]);
});
