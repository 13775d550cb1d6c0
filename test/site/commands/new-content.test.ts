import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkContent } from "../../../site/content-check/check.ts";
import { eventually } from "../../eventually.ts";
import { copyWithContent } from "../content-check/content-tree.ts";
import { answerNew, run } from "./new-command.ts";

let root = "";
beforeAll(() => {
  root = copyWithContent();
});
afterAll(() => rmSync(root, { recursive: true }));

test.each([
  ["guide", "content/guides/keeping-printers-dry.md"],
  ["page", "content/pages/keeping-printers-dry.md"],
])("a new %s is valid", async (kind, file) => {
  expect((await answerNew(root, kind, ["Keeping printers dry", "What damp does to paper.", ""])).code).toBe(0);
  expect(existsSync(join(root, file))).toBe(true);
  expect((await checkContent(root)).filter(({ isWarning }) => !isWarning)).toEqual([]);
});

test("an unknown kind of page is rejected with the known kinds", async () => {
  const { code, output } = await answerNew(root, "prodct", []);
  expect([code, output]).toEqual([1, expect.stringContaining("npm run new product |")]);
  expect(output).toContain("Did you mean `product`?");
});

test("an invalid answer in a terminal is asked again, and Ctrl-C writes nothing", async () => {
  const guides = () => readdirSync(join(root, "content/guides"));
  const before = guides();
  const terminal = run(root, "script", ["-qec", `"${process.execPath}" site/commands/new.ts guide`, "/dev/null"]);
  for (const [prompt, typed] of [
    ["Title: ", "“Damp”\r"],
    ["is in curly quotes", "Damp\r"],
    ["Summary, one sentence: ", "\r"],
    ["is missing. Write, for example, `summary:", "\u0003"],
  ] as const) {
    await eventually(() => expect(terminal.said).toContain(prompt));
    terminal.stdin.write(typed);
  }
  expect(await terminal.code).toBe(130);
  expect(terminal.said).toContain("Nothing was written.");
  expect(guides()).toEqual(before);
});
