import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { DRAFTS, EditConflict, MAIN, NoContent, readDrafts } from "../../../site/admin/content/drafts.ts";
import { git, initRepository, readBlobs, readCommit, readLog, SHOP } from "../../../site/admin/content/git.ts";
import { byDepth } from "../../depth.ts";
import { ANN, BOB, commitToMain, makeRepository, textOf } from "./repository.ts";
import { idOf, save } from "./savers.ts";

const about = "content/pages/about.md";

test("a save is a commit by the editor on drafts, and main stays as it is", async () => {
  const repository = await makeRepository({ [about]: "Hello\n", "content/logo.svg": "<svg/>" });
  const main = await readCommit(repository, MAIN);
  const commit = await save(repository, about, "Grüezi\n", await idOf(repository, about));

  expect(await readCommit(repository, DRAFTS)).toBe(commit);
  expect(await readCommit(repository, MAIN)).toBe(main);
  expect(await textOf(repository, DRAFTS, about)).toBe("Grüezi\n");
  expect(await textOf(repository, DRAFTS, "content/logo.svg")).toBe("<svg/>");
  const [entry] = await readLog(repository, DRAFTS, { path: about, limit: 1 });
  expect(entry).toMatchObject({ id: commit, parents: [main], author: ANN, subject: `Change ${about}` });
  expect((await git(repository, ["log", "-1", "--format=%cn <%ce>", DRAFTS])).toString().trim()).toBe(
    `${SHOP.name} <${SHOP.email}>`,
  );
});

test("a save that changes nothing makes no commit", async () => {
  const repository = await makeRepository({ [about]: "Hello\n" });
  const before = await readDrafts(repository);
  expect(await save(repository, about, "Hello\n", await idOf(repository, about))).toBe(before);
});

test("files are added, renamed and deleted, with names that need care", async () => {
  const odd = 'content/pages/a "quoted" ü\tname.md';
  const repository = await makeRepository({ [about]: "Hello\n" });
  await save(repository, odd, "new\n", undefined);
  expect(await textOf(repository, DRAFTS, odd)).toBe("new\n");
  await save(repository, odd, null, await idOf(repository, odd));
  expect(await textOf(repository, DRAFTS, odd)).toBeUndefined();
});

test("of two editors who save the same version of a file at once the second is told, and nothing is lost", async () => {
  const rounds = byDepth({ usual: 20, deep: 200 });
  const repository = await makeRepository({ [about]: "0\n" });
  for (let round = 1; round <= rounds; round++) {
    const id = await idOf(repository, about);
    const texts = [`Ann ${round}\n`, `Bob ${round}\n`] as const;
    const saves = await Promise.allSettled([
      save(repository, about, texts[0], id, ANN),
      save(repository, about, texts[1], id, BOB),
    ]);
    const winner = saves.findIndex(({ status }) => status === "fulfilled");
    expect(await textOf(repository, DRAFTS, about)).toBe(texts[winner]);
    const [conflict] = saves.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(conflict).toBeInstanceOf(EditConflict);
    const [theirs] = await readBlobs(repository, [conflict.files[0].id]);
    expect(theirs?.toString()).toBe(texts[winner]);
  }
  // One commit a round: no save has replaced another one.
  expect(await readLog(repository, DRAFTS, { path: about })).toHaveLength(rounds + 1);
}, 1_200_000);

test("five editors who save different files at once all succeed, in one line of commits", async () => {
  const repository = await makeRepository({ [about]: "Hello\n" });
  const paths = [1, 2, 3, 4, 5].map((number) => `content/guides/guide-${number}.md`);
  await Promise.all(paths.map((path) => save(repository, path, `text of ${path}\n`, undefined)));
  for (const path of paths) expect(await textOf(repository, DRAFTS, path)).toBe(`text of ${path}\n`);
  const log = await readLog(repository, `${MAIN}..${DRAFTS}`);
  expect(log.map(({ parents }) => parents.length)).toEqual([1, 1, 1, 1, 1]);
});

describe("what reaches main", () => {
  test("is in the drafts at once where nobody has saved anything", async () => {
    const repository = await makeRepository({ [about]: "old\n" });
    const before = await readDrafts(repository);
    const main = await commitToMain(repository, { [about]: "new\n" }, before);
    expect(await readDrafts(repository)).toBe(main);
  });

  test("is merged into drafts of other files", async () => {
    const repository = await makeRepository({ [about]: "old\n", "content/pages/terms.md": "terms\n" });
    const base = await readDrafts(repository);
    await save(repository, about, "draft\n", await idOf(repository, about));
    await commitToMain(repository, { "content/pages/terms.md": "new terms\n" }, base);
    const drafts = await readDrafts(repository);
    expect(await textOf(repository, drafts, about)).toBe("draft\n");
    expect(await textOf(repository, drafts, "content/pages/terms.md")).toBe("new terms\n");
    expect(await readDrafts(repository)).toBe(drafts);
  });

  test("leaves drafts that contradict it as they are, and they can still be saved", async () => {
    const repository = await makeRepository({ [about]: "old\n" });
    const base = await readDrafts(repository);
    const draft = await save(repository, about, "draft\n", await idOf(repository, about));
    await commitToMain(repository, { [about]: "live\n" }, base);
    expect(await readDrafts(repository)).toBe(draft);
    await save(repository, about, "second draft\n", await idOf(repository, about));
    expect(await textOf(repository, DRAFTS, about)).toBe("second draft\n");
  });
});

describe("what git refuses", () => {
  test.each([
    "../outside.md",
    "content/../../outside.md",
    ".git/hooks/post-update",
    "content/.git/config",
    "/etc/passwd",
  ])("a file at %s", async (path) => {
    const repository = await makeRepository({ [about]: "Hello\n" });
    await expect(save(repository, path, "x", undefined)).rejects.toThrow(/Invalid path|malformed/);
    expect(await readDrafts(repository)).toBe(await readCommit(repository, MAIN));
  });

  test("a file in the place of a folder, and one below a file", async () => {
    const repository = await makeRepository({ [about]: "Hello\n" });
    await expect(save(repository, "content/pages", "x", undefined)).rejects.toThrow();
    await expect(save(repository, `${about}/more.md`, "x", undefined)).rejects.toThrow();
  });
});

test("a repository without content says so", async () => {
  const repository = await makeRepository({ [about]: "Hello\n" });
  const empty = join(dirname(repository), "empty.git");
  await initRepository(empty);
  await expect(readDrafts(empty)).rejects.toThrow(NoContent);
});

test("a lock that a killed git has left doesn't stop later saves", async () => {
  const repository = await makeRepository({ [about]: "Hello\n" });
  await readDrafts(repository);
  const lock = join(repository, `${DRAFTS}.lock`);
  writeFileSync(lock, "");
  utimesSync(lock, new Date(0), new Date(0));
  await save(repository, about, "saved\n", await idOf(repository, about));
  expect(await textOf(repository, DRAFTS, about)).toBe("saved\n");
});

test("killed before any of its steps, a save leaves the drafts whole, and the next one works", async () => {
  const repository = await makeRepository({ [about]: "Hello\n" });
  const before = await readDrafts(repository);
  const id = await idOf(repository, about);
  const step = join(dirname(repository), "step");
  const folder = dirname(repository);
  // The first git on the PATH kills its parent, the saver, before the step whose number is in the file.
  const real = process.env["PATH"];
  writeFileSync(
    join(folder, "git"),
    `#!/bin/sh\nread left < ${step}\necho $((left - 1)) > ${step}\n[ "$left" != 1 ] || { kill -9 $PPID; exit 1; }\nPATH='${real}' exec git "$@"\n`,
  );
  chmodSync(join(folder, "git"), 0o755);
  const saver = `
    import { saveToDrafts } from ${JSON.stringify(join(import.meta.dirname, "../../../site/admin/content/drafts.ts"))};
    const changes = [{ path: "${about}", bytes: Buffer.from("saved\\n") }];
    const seen = [{ path: "${about}", id: "${id}" }];
    await saveToDrafts(${JSON.stringify(repository)}, { changes, seen, author: { name: "A", email: "a@a.example" }, message: "m" });
  `;
  const run = async (number: number) => {
    writeFileSync(step, `${number}\n`);
    const env = { ...process.env, PATH: `${folder}:${real}` };
    const child = spawn(process.execPath, ["--input-type=module", "-e", saver], { env, stdio: "ignore" });
    return (await once(child, "exit"))[1] as string | null;
  };
  let kills = 0;
  for (; (await run(kills + 1)) === "SIGKILL"; kills++) {
    expect(await readCommit(repository, DRAFTS)).toBe(before);
    await git(repository, ["fsck", "--strict", "--no-dangling"]);
  }
  expect(kills).toBeGreaterThanOrEqual(9);
  expect(await textOf(repository, DRAFTS, about)).toBe("saved\n");
  expect(await readLog(repository, `${before}..${DRAFTS}`)).toHaveLength(1);
});
