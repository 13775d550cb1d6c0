import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bareEnvironment } from "../bare-environment.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** Other programs' arguments, and packages of their own, which are installed when they run. */
const FOREIGN = ["setup", "format", "setup:grade", "grade", "setup:bench", "bench", "setup:clients"];
const commands = Object.keys(scripts).filter((name) => !FOREIGN.includes(name));

/** What a command doesn't take, where that isn't merely an unknown option. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  start: ["--port", "8081"],
  import: ["a", "b", "c"],
  new: [],
  order: ["paid"],
  erase: ["A-1"],
  editor: ["add", "Ann"],
  backup: ["a", "--point-in-tme"],
  restore: ["--send", "--drop"],
  doctor: ["x"],
  "install:host": ["write"],
  release: ["--if-chnaged"],
  nginx: ["a", "b"],
  "test:all": ["--shuffle=x"],
  "test:deep": ["--keep-costs"],
};

/** What a command of package.json prints in an empty folder: exit code, stdout, stderr; and what it leaves there. */
function run(name: string, args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-command-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [, program = "", given = ""] = /node .*?(\S+\.ts)(.*)$/.exec(scripts[name] ?? "") ?? [];
  const all = [join(ROOT, program), ...given.split(" ").filter(Boolean), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, {
    cwd: folder,
    env: { ...bareEnvironment(), DATA_DIR: join(folder, "data") },
    encoding: "utf8",
  });
  return [status, stdout, stderr, readdirSync(folder)];
}

test.each(commands)(
  "npm %s says how it's used, by --help or when its arguments are wrong, and does nothing",
  (name) => {
    const usage = expect.stringMatching(new RegExp(`^(?:.*\\n)?\\n?Usage: (?:.+ \\| )?npm (?:run )?${name}\\b`));
    expect(run(name, ["--help"])).toEqual([0, usage, "", []]);
    expect(run(name, WRONG[name] ?? ["--x"])).toEqual([1, "", usage, []]);
  },
);
