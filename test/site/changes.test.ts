import { expect, test } from "vitest";
import { newest, readLog } from "../../site/src/changes.ts";

test("a file's day is that of its newest commit", () => {
  const log = "\x002026-03-01\n\ncontent/a.md\n\x002026-02-01\n\ncontent/a.md\ncontent/b.md\n\x002026-01-01\n";
  expect([...readLog(log, (path) => `../${path}`)]).toEqual([
    ["../content/a.md", "2026-03-01"],
    ["../content/b.md", "2026-02-01"],
  ]);
});

test("the newest of some days passes over unknown ones", () => {
  expect(newest([undefined, "2026-01-02", "2025-12-31"])).toBe("2026-01-02");
  expect(newest([undefined])).toBe(undefined);
});
