import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkAside } from "../../../site/content-check/check-aside.ts";
import { bareEnvironment } from "../../bare-environment.ts";
import { eventually } from "../../eventually.ts";
import { writeContent } from "./content-tree.ts";

/** Content in a Git repository, and an empty folder that checks take for the one of temporary files. */
function makeShop() {
  const root = writeContent();
  const temporary = join(root, "temporary");
  mkdirSync(temporary);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root });
  git("init", "-q");
  git("add", "content");
  git("-c", "user.name=Ann", "-c", "user.email=ann@test.example", "commit", "-qm", "The shop");
  changeSetting("TMPDIR", temporary);
  onTestFinished(() => rmSync(root, { recursive: true }));
  return { root, temporary, cache: join(root, "cache") };
}

function changeSetting(name: "PATH" | "TMPDIR", value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}

/** Puts a Git in front of the real one that waits where a check has a copy of the index. */
function slowDownGit(): void {
  const folder = mkdtempSync(join(tmpdir(), "git-"));
  const { PATH = "" } = process.env;
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const script = `#!/bin/sh\ncase "$*" in *--intent-to-add*) exec sleep 5;; esac\nexec "${real}" "$@"\n`;
  writeFileSync(join(folder, "git"), script, { mode: 0o755 });
  changeSetting("PATH", folder + delimiter + PATH);
  onTestFinished(() => rmSync(folder, { recursive: true }));
}

test("a check aside finds what the content says, and leaves no temporary file", async () => {
  const { root, temporary, cache } = makeShop();
  writeFileSync(join(root, "content/pages/about.md"), "---\ntitle: About\n---\n");
  const { errors } = await checkAside(root, cache).findings;
  expect(errors.join("\n")).toContain("content/pages/about.md");
  expect(readdirSync(temporary)).toEqual([]);
});

test("a check that is ended fails, and leaves no temporary file", async () => {
  slowDownGit();
  const { root, temporary, cache } = makeShop();
  const check = checkAside(root, cache);
  await eventually(() => expect(globSync("*/*/index", { cwd: temporary })).toHaveLength(1));
  await check.end();
  await expect(check.findings).rejects.toThrow("The check was ended.");
  expect(readdirSync(temporary)).toEqual([]);
});

const module = JSON.stringify(new URL("../../../site/content-check/check-aside.ts", import.meta.url).href);

/** Which variables of the process's own environment a program adds. */
function variablesAdded(program: string): string[] {
  const script = `
    const before = new Set(Object.keys(process.env));
    ${program}
    process.stdout.write(JSON.stringify(Object.keys(process.env).filter((name) => !before.has(name))));`;
  const args = ["--input-type=module", "-e", script];
  return JSON.parse(execFileSync(process.execPath, args, { env: bareEnvironment(), encoding: "utf8" }));
}

test("the check's thread never changes the environment that others read meanwhile, which would crash the process", () => {
  const loading = `await import(${module});`;
  const checking = `
    const { checkAside } = await import(${module});
    before.clear();
    for (const name of Object.keys(process.env)) before.add(name);
    const check = checkAside(${JSON.stringify(import.meta.dirname)}, "/nonexistent");
    await check.findings.catch(() => {});
    await check.end();`;
  // libvips sets it when it is loaded.
  expect(variablesAdded(loading)).toEqual(["VIPSHOME"]);
  expect(variablesAdded(checking)).toEqual([]);
});
