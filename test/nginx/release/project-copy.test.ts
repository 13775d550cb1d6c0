import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { processesThatDiffer } from "../../../nginx/release/project-copy.ts";

const all = ["the API", "the worker", "the refresh", "the admin"];

test.each([
  ["nothing", []],
  ["nginx/conf/private-pages.conf", ["nginx"]],
  ["nginx/negotiation.js", ["nginx"]],
  ["nginx/render.ts", ["nginx"]],
  ["nginx/release/run.ts", ["the refresh"]],
  ["nginx/local/start.ts", []],
  ["nginx/production/doctor.ts", []],
  ["site/src/styles/base.css", []],
  ["site/dist/index.html", []],
  ["site/.facts.json.next", []],
  ["site/node_modules/zod/index.js", []],
  ["api/server.ts", ["the API", "the worker", "the refresh"]],
  ["api/contract/escape-html.ts", all],
  ["site/content-schema/product.ts", ["the admin"]],
  ["site/admin/server/app.ts", ["the admin"]],
  ["pnpm-lock.yaml", all],
])("after a change of %s, these go on with former code: %j", (changed, names) => {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-copies-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [before, after] = [join(folder, "1"), join(folder, "2")];
  const write = (copy: string, file: string, text: string) => {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), text);
  };
  for (const file of [
    "api/server.ts",
    "api/contract/escape-html.ts",
    "site/admin/server/app.ts",
    "nginx/render.ts",
    "nginx/release/run.ts",
    "pnpm-lock.yaml",
  ])
    write(before, file, "as it was");
  cpSync(before, after, { recursive: true });
  write(after, changed, "changed");
  expect(processesThatDiffer(before, after, true)).toEqual(names);
  expect(processesThatDiffer(before, after, false)).toEqual(names.filter((name) => name !== "the admin"));
});
