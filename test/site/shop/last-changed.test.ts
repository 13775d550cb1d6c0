import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { latestDay, parseGitLog, readCommitDays } from "../../../site/src/shop/last-changed.ts";

const folder = mkdtempSync(join(tmpdir(), "twinfront-git-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.unstubAllEnvs());

/** A shop with one page of content, committed on each of these days. Returns its folder. */
function shopWithCommits(name: string, ...days: string[]): string {
  const shop = join(folder, name);
  for (const part of ["site", "content"]) mkdirSync(join(shop, part), { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@test.example", ...args], { cwd: shop });
  git("init", "-q");
  for (const day of days) {
    vi.stubEnv("GIT_COMMITTER_DATE", `${day}T12:00:00Z`);
    writeFileSync(join(shop, "content/a.md"), day);
    git("add", "content");
    git("commit", "-q", "-m", day);
  }
  return shop;
}

test("each file in content/ gets its date from git", async () => {
  const shop = shopWithCommits("whole", "2026-01-01", "2026-02-01");
  expect(await readCommitDays(join(shop, "site"))).toEqual({ days: new Map([["../content/a.md", "2026-02-01"]]) });
});

test("when git has no dates, the reason says what to do", async () => {
  const shop = shopWithCommits("origin", "2026-01-01", "2026-02-01");
  const shallow = join(folder, "shallow");
  execFileSync("git", ["clone", "-q", "--depth=1", `file://${shop}`, shallow]);
  mkdirSync(join(shallow, "site"));
  const reasonAt = async (name: string) => {
    const { days, reason } = await readCommitDays(join(folder, name, "site"));
    expect(days.size).toBe(0);
    return reason;
  };
  expect(await reasonAt("shallow")).toMatch(/shallow.*git fetch --unshallow/);
  mkdirSync(join(folder, "copied/site"), { recursive: true });
  expect(await reasonAt("copied")).toMatch(/isn't in a git repository/);
  shopWithCommits("new");
  expect(await reasonAt("new")).toMatch(/git says ".*does not have any commits yet"/);
  // The variable git's own tests use (setup.c).
  vi.stubEnv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
  expect(await reasonAt("origin")).toMatch(/another user.*git config --global --add safe\.directory .*origin/);
  vi.stubEnv("PATH", folder);
  expect(await reasonAt("origin")).toMatch(/git isn't installed/);
});

test("a file's date is that of its newest commit", () => {
  const log = "\x002026-03-01\n\ncontent/a.md\n\x002026-02-01\n\ncontent/a.md\ncontent/b.md\n\x002026-01-01\n";
  expect([...parseGitLog(log, (path) => `../${path}`)]).toEqual([
    ["../content/a.md", "2026-03-01"],
    ["../content/b.md", "2026-02-01"],
  ]);
});

test("the latest of several dates ignores unknown ones", () => {
  expect(latestDay([undefined, "2026-01-02", "2025-12-31"])).toBe("2026-01-02");
  expect(latestDay([undefined])).toBe(undefined);
});
