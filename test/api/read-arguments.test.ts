import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const MODULE = join(import.meta.dirname, "..", "..", "api", "read-arguments.ts");

/** Exit code and output of a command with three options and at most one word. */
function run(...args: string[]) {
  const options = { amount: { type: "string" }, all: { type: "boolean" }, part: { type: "string", multiple: true } };
  const program = `import { readArguments } from ${JSON.stringify(MODULE)};
    const { values, positionals } = readArguments("Usage: it", ${JSON.stringify(options)}, [0, 1]);
    console.log(JSON.stringify([values, positionals]));`;
  const all = ["--input-type=module", "--eval", program, "--", "it", ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: "utf8" });
  return [status, stdout + stderr];
}

test("options and words are read in any order", () => {
  const values = { amount: "5", part: ["a", "b"], all: true };
  expect(run("--amount", "5", "--part=a", "word", "--part=b", "--all")).toEqual([
    0,
    `${JSON.stringify([values, ["word"]])}\n`,
  ]);
});

test.each([
  [["--amuont", "5"], "Unknown option '--amuont'."],
  [["--amount"], "Option '--amount <value>' argument missing."],
  [["--amount", "--all"], "Option '--amount' argument is ambiguous."],
  [["--all=x"], "Option '--all' does not take an argument."],
  [["--amount", "5", "--amount=500"], "Option '--amount' was given twice."],
])("a command with %j says what is wrong above how it's used", (args, problem) => {
  expect(run(...args)).toEqual([1, `${problem}\n\nUsage: it\n`]);
});

test("a word too many leads to the usage", () => {
  expect(run("one", "two")).toEqual([1, "Usage: it\n"]);
});
