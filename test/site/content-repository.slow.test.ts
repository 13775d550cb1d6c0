import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { initRepository, moveRef, readCommit, writeCommit, writeTree } from "../../site/admin/content/git.ts";
import { makeFolder } from "../temporary-folder.ts";
import { buildSite } from "../workspace.ts";
import { describeWholeBuild, differences } from "./build/whole-build.ts";
import { copyWithContent } from "./content-check/content-tree.ts";

let root: string;
let repository: string;
const product = "content/products/barcode-scanners/kestrel-c2.md";
const author = { name: "Ann", email: "ann@test.example" };
const build = (...args: string[]) => buildSite(root, { CONTENT_REPOSITORY: repository }, args);
const page = (dist: string, name: string) => readFileSync(join(dist, name), "utf8");

beforeAll(async () => {
  root = copyWithContent();
  repository = join(root, "content.git");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root });
  git("init", "-q", "--initial-branch=main");
  git("add", "content");
  git("-c", "user.name=Ann", "-c", "user.email=ann@test.example", "commit", "-qm", "The shop");
  git("clone", "-q", "--bare", root, repository);
});
afterAll(() => rmSync(root, { recursive: true }));

/** Commits a product with another price, on main or on no branch. */
async function commitPrice(price: string, onMain = true): Promise<string> {
  const main = (await readCommit(repository, "main")) ?? "";
  const bytes = Buffer.from(
    readFileSync(join(root, product), "utf8")
      .replace("189.00", price)
      .replace(/^updated:.*\n/m, ""),
  );
  const tree = await writeTree(repository, main, [{ path: product, bytes }]);
  const commit = await writeCommit(repository, { tree, parents: [main], author, message: price });
  if (onMain) await moveRef(repository, "refs/heads/main", commit, main);
  return commit;
}

test("content beside the project has the bytes of a build of the same files and history within it", async () => {
  const beside = makeFolder("twinfront it's $HOME beside-");
  onTestFinished(() => rmSync(beside, { recursive: true }));
  for (const part of ["content", ".git"]) cpSync(join(root, part), join(beside, part), { recursive: true });
  const within = await describeWholeBuild((await buildSite(root)).dist);
  rmSync(join(root, "content"), { recursive: true });
  try {
    const { dist } = await buildSite(root, { CONTENT_ROOT: beside });
    expect(differences(within, await describeWholeBuild(dist))).toEqual([]);
  } finally {
    cpSync(join(beside, "content"), join(root, "content"), { recursive: true });
  }
});

test("a build of a bare repository's main has the bytes of a build of the same files and history", async () => {
  const fromFolder = await describeWholeBuild((await buildSite(root)).dist);
  expect(differences(fromFolder, await describeWholeBuild((await build()).dist))).toEqual([]);
});

test("a commit with another price is built quickly, with the day of its history, whatever the checkout's content/ holds", async () => {
  rmSync(join(root, "content/pages/about.md"));
  await commitPrice("190.00");
  const { dist, output } = await build();
  const log = ["--git-dir", repository, "log", "-1", "--format=%cs", "main"];
  const day = execFileSync("git", log, { encoding: "utf8" }).trim();
  expect(page(dist, "sitemap.xml")).toContain(`kestrel-c2</loc><lastmod>${day}</lastmod>`);
  expect(output).toMatch(/\d+ of \d+ files have changed/);
  expect(page(dist, "products/kestrel-c2.md")).toContain("190.00");
});

test("a commit can be built before main moves there, and then main again", async () => {
  const commit = await commitPrice("191.00", false);
  expect(page((await build("--content", commit)).dist, "products/kestrel-c2.md")).toContain("191.00");
  expect(page((await build()).dist, "products/kestrel-c2.md")).toContain("190.00");
});

test("what a killed build has left of its checkout is no obstacle", async () => {
  await commitPrice("192.00");
  writeFileSync(join(repository, "worktrees/content/index.lock"), "");
  const folder = join(root, "site/.cache/content/content");
  writeFileSync(join(folder, "pages/left-over.md"), "---\ntitle: Left\n---\n");
  rmSync(join(folder, "pages/shipping.md"));
  const { dist } = await build();
  expect(page(dist, "products/kestrel-c2.md")).toContain("192.00");
  expect([existsSync(join(dist, "left-over.html")), existsSync(join(dist, "shipping.html"))]).toEqual([false, true]);
});

test("a repository without main or without content/ stops the build, and says which", async () => {
  const empty = join(root, "empty.git");
  mkdirSync(empty);
  await initRepository(empty);
  await expect(buildSite(root, { CONTENT_REPOSITORY: empty })).rejects.toThrow(
    /CONTENT_REPOSITORY=.*empty\.git: main can't be read/,
  );
  const tree = execFileSync("git", ["--git-dir", empty, "mktree"], { input: "", encoding: "utf8" }).trim();
  await moveRef(
    empty,
    "refs/heads/main",
    await writeCommit(empty, { tree, parents: [], author, message: "Nothing" }),
    undefined,
  );
  await expect(buildSite(root, { CONTENT_REPOSITORY: empty })).rejects.toThrow("main has no content/store.yaml");
});
