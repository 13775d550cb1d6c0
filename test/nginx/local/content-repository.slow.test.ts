import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeOverCheckout } from "../../../nginx/local/content-repository.ts";
import { moveRef, readCommit, readFile, writeCommit, writeTree } from "../../../site/admin/content/git.ts";

let folder: string;
let project: string;
let repository: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "twinfront-content-"));
  project = join(folder, "project");
  repository = join(folder, "content.git");
});
afterEach(() => rmSync(folder, { recursive: true }));

const ann = { name: "Ann", email: "ann@shop.example" };
const git = (...args: string[]) => execFileSync("git", args, { cwd: project, encoding: "utf8" }).trim();
const takeOver = () => takeOverCheckout(project, repository);

function write(files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), text);
  }
}

function commit(subject: string, day: string): void {
  git("add", "--all");
  execFileSync("git", ["-c", "user.name=Dev", "-c", "user.email=dev@shop.example", "commit", "-qm", subject], {
    cwd: project,
    env: { ...process.env, GIT_COMMITTER_DATE: `${day}T12:00:00Z` },
  });
}

/** Publishes an editor's change of a file, as /admin does. */
async function publish(path: string, text: string): Promise<void> {
  const main = (await readCommit(repository, "main")) ?? "";
  const tree = await writeTree(repository, main, [{ path, bytes: Buffer.from(text) }]);
  const id = await writeCommit(repository, { tree, parents: [main], author: ann, message: `Change ${path}` });
  await moveRef(repository, "refs/heads/main", id, main);
}

const readMain = async (path: string) => (await readFile(repository, "main", path))?.bytes.toString();
const refs = () => execFileSync("git", ["--git-dir", repository, "show-ref"], { encoding: "utf8" });

test("the first start makes a repository of the checkout, and a second without changes does nothing", async () => {
  write({ "content/a.md": "a", "content/b.md": "b" });
  expect(await takeOver()).toBe("repository made from the checkout");
  expect(await readMain("content/a.md")).toBe("a");
  const before = refs();
  expect(await takeOver()).toBe("main has all of the checkout");
  expect(refs()).toBe(before);
});

test("changed, new and deleted files of a checkout reach main, committed or not", async () => {
  write({ "content/a.md": "a", "content/b.md": "b", "README.md": "code" });
  git("init", "-q");
  commit("one", "2026-01-01");
  await takeOver();
  write({ "content/a.md": "a2", "content/c.md": "c" });
  rmSync(join(project, "content/b.md"));
  expect(await takeOver()).toBe("main moved on to the checkout");
  expect(await Promise.all(["a", "b", "c"].map((name) => readMain(`content/${name}.md`)))).toEqual([
    "a2",
    undefined,
    "c",
  ]);
  commit("two", "2026-01-02");
  await takeOver();
  expect(await readMain("content/a.md")).toBe("a2");
});

test("days of the checkout's own history stay known", async () => {
  write({ "content/a.md": "a" });
  git("init", "-q");
  commit("one", "2026-01-01");
  await takeOver();
  const log = ["--git-dir", repository, "log", "-1", "--format=%cs", "main", "--", "content/a.md"];
  expect(execFileSync("git", log, { encoding: "utf8" }).trim()).toBe("2026-01-01");
});

test("what editors have published and what the checkout has changed since are merged; the checkout isn't written to", async () => {
  write({ "content/a.md": "a", "content/b.md": "b" });
  git("init", "-q");
  commit("one", "2026-01-01");
  await takeOver();
  await publish("content/a.md", "edited");
  expect(await takeOver()).toBe("main has all of the checkout");
  write({ "content/b.md": "developed" });
  const status = git("status", "--porcelain");
  expect(await takeOver()).toBe("checkout merged into main");
  expect([await readMain("content/a.md"), await readMain("content/b.md")]).toEqual(["edited", "developed"]);
  expect(git("status", "--porcelain")).toBe(status);
  expect(git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/master");
});

test("a file that both sides changed is named, and main stays; once the checkout has merged main, the start goes on", async () => {
  write({ "content/a.md": "a\n", "content/b.md": "b\n" });
  git("init", "-q");
  commit("one", "2026-01-01");
  await takeOver();
  await publish("content/a.md", "edited\n");
  write({ "content/a.md": "developed\n", "content/b.md": "too\n" });
  const before = await readCommit(repository, "main");
  await expect(takeOver()).rejects.toThrow(/changed both in \/admin and in this checkout:\n\n {2}content\/a\.md\n\n/);
  expect(await readCommit(repository, "main")).toBe(before);
  commit("two", "2026-01-02");
  git("fetch", "-q", repository, "+main:refs/remotes/content/main");
  const author = ["-c", "user.name=Dev", "-c", "user.email=dev@shop.example"];
  git(...author, "merge", "-q", "-X", "theirs", "-m", "merge", "content/main");
  expect(await takeOver()).toBe("main moved on to the checkout");
  expect([await readMain("content/a.md"), await readMain("content/b.md")]).toEqual(["edited\n", "too\n"]);
});

test("a checkout whose history was rewritten is taken over all the same", async () => {
  write({ "content/a.md": "a" });
  git("init", "-q");
  commit("one", "2026-01-01");
  await takeOver();
  git("checkout", "-q", "--orphan", "other");
  write({ "content/a.md": "rewritten" });
  commit("other one", "2026-01-02");
  expect(await takeOver()).toBe("main moved on to the checkout");
  expect(await readMain("content/a.md")).toBe("rewritten");
});

test("without git, a conflict ends once the file is the same on both sides", async () => {
  write({ "content/a.md": "a" });
  await takeOver();
  await publish("content/a.md", "edited");
  write({ "content/a.md": "developed" });
  await expect(takeOver()).rejects.toThrow("content/a.md");
  write({ "content/a.md": "edited" });
  await takeOver();
  expect(await readMain("content/a.md")).toBe("edited");
});
