import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { copyWorkspace } from "../../workspace.ts";
import { kestrel } from "./content-problems.ts";
import { validContent, writeContent } from "./content-tree.ts";

const root = copyWorkspace(null);
afterAll(() => rmSync(root, { recursive: true }));

/** What `npm run check:content` answers for the valid shop with changed files. */
function check(changes: Record<string, string>) {
  rmSync(join(root, "content"), { recursive: true, force: true });
  writeContent(changes, root);
  const { PATH } = process.env;
  const options = { encoding: "utf8", env: { PATH } } as const;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "site/commands/check-content.ts")],
    options,
  );
  return { status, stdout, stderr };
}

const text = validContent[kestrel] ?? "";

test("content without a mistake is counted", () => {
  expect(check({})).toEqual({
    status: 0,
    stdout: expect.stringMatching(
      new RegExp(`^${Object.keys(validContent).length} files, no mistakes, in \\d+\\.\\d s\\.\n$`),
    ),
    stderr: "",
  });
});

test("all mistakes are named at once, each with file, line and what to write, and fail the command", () => {
  const { status, stdout, stderr } = check({
    [kestrel]: text.replace("brand:", "brnad:"),
    "pages/about.md": (validContent["pages/about.md"] ?? "").replace("/guides/choosing", "/guides/chosing"),
  });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`content/${kestrel}:3: brnad is a field that does not exist here. Did you mean \`brand\`?`);
  expect(stderr).toContain("content/pages/about.md:7: No page `/guides/chosing`. Did you mean `/guides/choosing`?");
  expect(stderr).toContain("The content is not right yet: 2 to mend.");
});

test("a doubt is said, and fails nothing", () => {
  const { status, stdout, stderr } = check({ [kestrel]: text.replace("2026-10-02", "2126-10-02") });
  expect([status, stdout]).toEqual([0, expect.stringContaining("no mistakes")]);
  expect(stderr).toContain("updated 2126-10-02 is still to come.");
  expect(stderr).toContain("To be looked at: 1.");
});
