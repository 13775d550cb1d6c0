import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSite } from "../../workspace.ts";
import { copyWithContent, newProduct, validContent } from "../content-check/content-tree.ts";
import { describeFiles } from "../publish/dist-files.ts";
import { photographed, printers, scanners, twoCategories } from "../shop/two-categories.ts";

type Built = { takenOver: string[]; differences: string[] };

let kept = "";
let fresh = "";
let someChanged: Built;
let replacedAndRenamed: Built;
let categoryRenamed: Built;
let colourChanged: Built;
let schemaChanged: Built;
let wordChanged: Built;
let endedBetween: Built;

const drawing = (height: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 ${height}"><rect width="40" height="9"/></svg>\n`;
/** A product with a picture in its text, and a guide that .md and .mdx can be read as. */
const illustrated = {
  "products/printers/q3.md": newProduct("q3", "30.00").replace("It scans.", "It scans.\n\n![Its side](./side.svg)\n\n"),
  "products/printers/side.svg": drawing("10"),
};
const plain = "---\ntitle: Plain\nsummary: Plain words.\nupdated: 2026-10-01\n---\n\nWords.\n";

beforeAll(async () => {
  const content = { ...twoCategories, ...illustrated, "guides/plain.mdx": plain };
  [kept, fresh] = [copyWithContent(content), copyWithContent(content)];
  for (const root of [kept, fresh]) execFileSync("git", ["init", "-q"], { cwd: root });
  await buildSite(kept);
  for (const root of [kept, fresh]) commitOne(root, `content/${scanners}/p7.md`);
  someChanged = await change({
    [`${scanners}/p1.md`]: newProduct("p1", "35.00", "works_with: { p8: the same cable }")
      .replace("Thing p1", "Renamed p1")
      .replace("in_stock", "backorder"),
    [`${scanners}/p4.md`]: null,
    [`${scanners}/p9.md`]: newProduct("p9", "45.00"),
    "guides/choosing.mdx": (validContent["guides/choosing.mdx"] ?? "").replace(
      "title: Choosing",
      "title: Choosing well",
    ),
  });
  replacedAndRenamed = await change({
    "products/printers/side.svg": drawing("20"),
    "guides/plain.mdx": null,
    "guides/plain.md": plain,
  });
  categoryRenamed = await change({
    [printers]: "---\ntitle: Label printers\nsummary: They print.\norder: 20\n---\n\nSome print.\n",
  });
  colourChanged = await change({
    "store.yaml": `${validContent["store.yaml"]}colours: { light: { accent: "#0b5751" }, dark: { accent: "#7fd6c8" } }\n`,
  });
  for (const root of [kept, fresh]) readBrandsOtherwise(root);
  schemaChanged = await change({});
  for (const root of [kept, fresh]) sayOtherwise(root);
  wordChanged = await change({});
  write(kept, { "products/printers/q1.md": photographed("11.00") });
  await endBetween();
  // As if it had been killed while it wrote a picture.
  const [picture = ""] = globSync("site/.cache/assets/*.png", { cwd: kept });
  writeFileSync(join(kept, picture), "");
  endedBetween = await change({ "products/printers/q1.md": photographed("10.00") });
}, 600_000);

afterAll(() => {
  for (const root of [kept, fresh]) rmSync(root, { recursive: true });
});

function write(root: string, changes: Readonly<Record<string, string | null>>): void {
  for (const [path, text] of Object.entries(changes)) {
    const file = join(root, "content", path);
    if (text === null) rmSync(file);
    else writeFileSync(file, text);
  }
}

/** As a new version of the schema may: content.config.ts is as it was, and every file too. */
function readBrandsOtherwise(root: string): void {
  const file = join(root, "site/content-schema/product.ts");
  const code = readFileSync(file, "utf8");
  writeFileSync(file, code.replace("      ...rest,\n", '      ...rest,\n      brand: "Otherwise",\n'));
}

/** Another word of the program's own. */
function sayOtherwise(root: string): void {
  const file = join(root, "site/src/words/en.ts");
  writeFileSync(file, readFileSync(file, "utf8").replace('"Similar products"', '"More like this"'));
}

/** A day of its own for a file that has none in its front matter and is otherwise as it was. */
function commitOne(root: string, file: string): void {
  const day = "2026-11-18T12:00:00Z";
  const env = { ...process.env, GIT_AUTHOR_DATE: day, GIT_COMMITTER_DATE: day };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, env });
  git("add", file);
  git("-c", "user.name=A", "-c", "user.email=a@test.example", "commit", "-q", "-m", "Add it");
}

/** Changes both shops and builds them: the one after its last build, the other as if it had never been built. */
async function change(changes: Readonly<Record<string, string | null>>): Promise<Built> {
  for (const root of [kept, fresh]) write(root, changes);
  for (const made of [".astro", ".builds", ".cache", "dist"])
    rmSync(join(fresh, "site", made), { recursive: true, force: true });
  const [again, first] = await Promise.all([buildSite(kept), buildSite(fresh)]);
  const [files, wanted] = await Promise.all([describeFiles(again.dist), describeFiles(first.dist)]);
  const names = [...new Set([...files.keys(), ...wanted.keys()])];
  return {
    takenOver: Array.from(again.output.matchAll(/products\/([\w-]+)\.html \(restored\)/g), ([, slug = ""]) => slug),
    differences: names.filter((name) => files.get(name) !== wanted.get(name)),
  };
}

/** Builds until the page of q2 is on its way, when that of q1 has been written. */
async function endBetween(): Promise<void> {
  const { PATH, HOME } = process.env;
  const build = spawn(process.execPath, [join(kept, "site/commands/build.ts")], {
    env: { PATH, HOME },
    stdio: ["ignore", "pipe", "ignore"],
  });
  build.stdout.on("data", (output) => String(output).includes("products/q2.html") && build.kill("SIGKILL"));
  expect((await once(build, "exit"))[1]).toBe("SIGKILL");
}

test("a build after changes of products and guides writes what a first build would, byte for byte", () => {
  expect(someChanged.differences).toEqual([]);
});

test("it takes over the pages that show nothing of what has changed, and no others", () => {
  expect(someChanged.takenOver).toEqual(["q1", "q2", "q3", "q4", "q5"]);
});

test("pictures in texts that were replaced, and guides that became .md from .mdx, are as in a first build", () => {
  expect(replacedAndRenamed.differences).toEqual([]);
  expect(replacedAndRenamed.takenOver).toContain("p8");
  expect(replacedAndRenamed.takenOver).not.toContain("q3");
});

test("a category's new name is on every page", () => {
  expect(categoryRenamed).toEqual({ takenOver: [], differences: [] });
});

test("a colour of store.yaml reaches every page", () => {
  expect(colourChanged).toEqual({ takenOver: [], differences: [] });
});

test("content is read anew where the code that reads it has changed", () => {
  expect(schemaChanged).toEqual({ takenOver: [], differences: [] });
  expect(readFileSync(join(kept, "site/dist/products/q1.html"), "utf8")).toContain(">Otherwise</dd>");
});

test("a changed word is on every page", () => {
  expect(wordChanged).toEqual({ takenOver: [], differences: [] });
  expect(readFileSync(join(kept, "site/dist/products/p8.html"), "utf8")).toContain(">More like this</h2>");
});

test("nothing is taken over of a build that was killed between its pages or in a picture", () => {
  expect(endedBetween).toEqual({ takenOver: [], differences: [] });
});
