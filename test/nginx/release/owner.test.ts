import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bareEnvironment } from "../../bare-environment.ts";

const ROOT = join(import.meta.dirname, "../../..");
const NOBODY = 65534;

test.skipIf(process.getuid?.() !== 0).each([
  ["release", "Release"],
  ["rollback", "Rollback"],
])(
  "a %s is refused to a user who doesn't own RELEASES_DIR, before anything is run or changed there (run as root)",
  (command, title) => {
    const releases = mkdtempSync(join(tmpdir(), "twinfront-releases-"));
    onTestFinished(() => rmSync(releases, { recursive: true }));
    mkdirSync(join(releases, "next"));
    chownSync(releases, NOBODY, NOBODY);
    const { status, stdout, stderr } = spawnSync(process.execPath, [`nginx/release/${command}.ts`], {
      cwd: ROOT,
      env: { ...bareEnvironment(), RELEASES_DIR: releases, DATABASE_URL: "mysql://a@127.0.0.1:1/b" },
      encoding: "utf8",
    });
    expect({ status, stdout, stderr }).toMatchObject({
      ...{ status: 1, stdout: `\n${title}\n\n` },
      stderr: expect.stringContaining(`${releases} belongs to another user, who makes the releases.`),
    });
    expect(readdirSync(releases)).toEqual(["next"]);
  },
);
