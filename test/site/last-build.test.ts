import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSite, copyWorkspace } from "../workspace.ts";
import { validContent, writeContent } from "./content-tree.ts";
import { describeFiles } from "./dist-files.ts";

type Built = { takenOver: string[]; differences: string[] };

const kestrel = validContent["products/barcode-scanners/kestrel-c2.md"] ?? "";
const photo = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A product of its own at a price; `more` is a line of its front matter. */
const product = (slug: string, price: string, more = "updated: 2026-10-02") =>
  kestrel
    .replaceAll("Kestrel C2 cordless scanner", `Thing ${slug}`)
    .replace("KES-C2", `X-${slug}`)
    .replace("./kestrel-c2.svg", slug === "q1" ? "./photo.png" : "../barcode-scanners/kestrel-c2.svg")
    .replace(/gtin:.*\n|formerly:.*\n/g, "")
    .replace("189.00", price)
    .replace("updated: 2026-10-02", more);

const scanners = "products/barcode-scanners";
const printers = "categories/printers.md";
const content: Record<string, string | Uint8Array> = {
  [printers]: "---\ntitle: Printers\nsummary: They print.\norder: 20\n---\n\nSome print.\n",
  [`${scanners}/p1.md`]: product("p1", "10.00", "works_with: { p8: the same cable }"),
  ...Object.fromEntries([2, 3, 4, 5, 6].map((n) => [`${scanners}/p${n}.md`, product(`p${n}`, `${n}0.00`)])),
  [`${scanners}/p7.md`]: product("p7", "70.00", "formerly: [was-p7]"),
  [`${scanners}/p8.md`]: product("p8", "900.00"),
  ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`products/printers/q${n}.md`, product(`q${n}`, `${n}0.00`)])),
  "products/printers/photo.png": photo,
};
const guide = validContent["guides/choosing.mdx"] ?? "";

let kept = "";
let fresh = "";
let someChanged: Built;
let nothingChanged: Built;
let categoryRenamed: Built;
let colourChanged: Built;
let endedBetween: Built;

beforeAll(async () => {
  [kept, fresh] = [copyWorkspace(), copyWorkspace()];
  for (const root of [kept, fresh]) {
    rmSync(join(root, "content"), { recursive: true });
    writeContent(content, root);
    execFileSync("git", ["init", "-q"], { cwd: root });
  }
  await buildSite(kept);
  for (const root of [kept, fresh]) commitOne(root, `content/${scanners}/p7.md`);
  someChanged = await change({
    [`${scanners}/p1.md`]: product("p1", "35.00", "works_with: { p8: the same cable }")
      .replace("Thing p1", "Renamed p1")
      .replace("in_stock", "backorder"),
    [`${scanners}/p4.md`]: null,
    [`${scanners}/p9.md`]: product("p9", "45.00"),
    "guides/choosing.mdx": guide.replace("title: Choosing", "title: Choosing well"),
  });
  nothingChanged = await change({});
  categoryRenamed = await change({
    [printers]: "---\ntitle: Label printers\nsummary: They print.\norder: 20\n---\n\nSome print.\n",
  });
  colourChanged = await change({
    "store.yaml": `${validContent["store.yaml"]}colours: { light: { accent: "#0b5751" }, dark: { accent: "#7fd6c8" } }\n`,
  });
  write(kept, { "products/printers/q1.md": product("q1", "11.00") });
  await endBetween();
  endedBetween = await change({ "products/printers/q1.md": product("q1", "10.00") });
}, 400_000);

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

/** A day of its own for a file that has none in its front matter and is otherwise as it was. */
function commitOne(root: string, file: string): void {
  const days = { GIT_AUTHOR_DATE: "2026-11-18T12:00:00Z", GIT_COMMITTER_DATE: "2026-11-18T12:00:00Z" };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, env: { ...process.env, ...days } });
  git("add", file);
  git("-c", "user.name=A", "-c", "user.email=a@test.example", "commit", "-q", "-m", "Add it");
}

/** Changes both shops and builds them: the one after its last build, the other as if it had never been built. */
async function change(changes: Readonly<Record<string, string | null>>): Promise<Built> {
  for (const root of [kept, fresh]) write(root, changes);
  for (const made of [".astro", ".cache", "dist"]) rmSync(join(fresh, "site", made), { recursive: true, force: true });
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
  const build = spawn(process.execPath, [join(kept, "site/build.ts")], {
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

test("where nothing has changed it takes over every product's page", () => {
  expect(nothingChanged.takenOver).toHaveLength(15);
  expect(nothingChanged.differences).toEqual([]);
});

test("a category's new name is on every page", () => {
  expect(categoryRenamed).toEqual({ takenOver: [], differences: [] });
});

test("a colour of store.yaml reaches every page", () => {
  expect(colourChanged).toEqual({ takenOver: [], differences: [] });
});

test("nothing is taken over of a build that was killed between its pages", () => {
  expect(endedBetween).toEqual({ takenOver: [], differences: [] });
});
