import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bareEnvironment } from "../../bare-environment.ts";
import { copyWorkspace } from "../../workspace.ts";
import { kestrel } from "./content-problems.ts";
import { validContent, writeContent } from "./content-tree.ts";

const root = copyWorkspace(null);
afterAll(() => rmSync(root, { recursive: true }));

/** The result of `npm run check:content` for the valid shop with changed files. */
function check(changes: Record<string, string>) {
  rmSync(join(root, "content"), { recursive: true, force: true });
  writeContent(changes, root);
  const options = { encoding: "utf8", env: bareEnvironment() } as const;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "site/commands/check-content.ts")],
    options,
  );
  return { status, stdout, stderr };
}

const text = validContent[kestrel] ?? "";

test("valid content prints the number of files", () => {
  expect(check({})).toEqual({
    status: 0,
    stdout: expect.stringMatching(
      new RegExp(`^${Object.keys(validContent).length} files, no errors, in \\d+\\.\\d s\\.\n$`),
    ),
    stderr: "",
  });
});

test("the command lists every error with its file, line and what to write, and fails", () => {
  const { status, stdout, stderr } = check({
    [kestrel]: text.replace("brand:", "brnad:"),
    "pages/about.md": (validContent["pages/about.md"] ?? "").replace("/guides/choosing", "/guides/chosing"),
  });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`content/${kestrel}:3: brnad isn't a known field. Did you mean \`brand\`?`);
  expect(stderr).toContain("content/pages/about.md:7: No page `/guides/chosing`. Did you mean `/guides/choosing`?");
  expect(stderr).toContain("2 errors in content/.");
});

test("the command prints warnings and succeeds", () => {
  const { status, stdout, stderr } = check({ [kestrel]: text.replace("2026-10-02", "2126-10-02") });
  expect([status, stdout]).toEqual([0, expect.stringContaining("no errors")]);
  expect(stderr).toContain("updated 2126-10-02 is in the future.");
  expect(stderr).toContain("1 warning in content/.");
});
