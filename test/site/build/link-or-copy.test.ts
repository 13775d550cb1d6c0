import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { linkOrCopyFile, linkOrCopyFolder } from "../../../site/build/link-or-copy.ts";

function makeFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, "twinfront-links-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A folder with the file `inside/page`, from another day. */
function makePage(): string {
  const folder = makeFolder(tmpdir());
  mkdirSync(join(folder, "inside"));
  writeFileSync(join(folder, "inside", "page"), "text");
  utimesSync(join(folder, "inside", "page"), 1_000_000, 1_000_000);
  return folder;
}

const numberOf = (file: string) => [statSync(file).dev, statSync(file).ino];

test("a file and a folder get a second name where that can be", async () => {
  const folder = makePage();
  const page = join(folder, "inside", "page");
  linkOrCopyFile(page, join(folder, "file"));
  expect(await linkOrCopyFolder(join(folder, "inside"), join(folder, "copy"))).toBe("linked");
  expect([numberOf(join(folder, "file")), numberOf(join(folder, "copy", "page"))]).toEqual([
    numberOf(page),
    numberOf(page),
  ]);
});

test("a file and a folder are copied to another file system, with their times", async () => {
  const [folder, elsewhere] = [makePage(), makeFolder("/dev/shm")];
  linkOrCopyFile(join(folder, "inside", "page"), join(elsewhere, "file"));
  expect(await linkOrCopyFolder(join(folder, "inside"), join(elsewhere, "copy"))).toBe("copied");
  for (const copy of [join(elsewhere, "file"), join(elsewhere, "copy", "page")])
    expect([readFileSync(copy, "utf8"), statSync(copy).mtimeMs]).toEqual(["text", 1_000_000_000]);
});

test("a file that has the new name is replaced, not written into, also where both are one", () => {
  const folder = makePage();
  const page = join(folder, "inside", "page");
  const [taken, other] = [join(folder, "taken"), join(folder, "other")];
  writeFileSync(taken, "before");
  linkOrCopyFile(taken, other);
  linkOrCopyFile(page, taken);
  linkOrCopyFile(page, join(folder, "file"));
  linkOrCopyFile(page, join(folder, "file"));
  expect(["taken", "other", "file"].map((name) => readFileSync(join(folder, name), "utf8"))).toEqual([
    ...["text", "before", "text"],
  ]);
});
