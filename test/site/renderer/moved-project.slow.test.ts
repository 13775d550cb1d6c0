import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { buildOnce } from "../../built-shops.ts";
import { buildSite, copyWorkspace } from "../../workspace.ts";
import { describeWholeBuild, differences } from "./whole-build.ts";

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });
// In two versions of a product that a guide shows, too.
const product = "content/products/label-printers/aldersyde-t4.md";

test("a built project is found unchanged at another path, its original gone, and a price changed there is built quickly, with the bytes of a build from nothing", async () => {
  const original = copyWorkspace();
  const moved = `${original} moved`;
  onTestFinished(() => [original, moved].forEach(remove));
  await buildOnce(original);
  execFileSync("cp", ["-a", original, moved]);
  remove(original);
  expect((await buildSite(moved, {}, ["--if-changed"])).output).toBe("unchanged since the last build\n");
  const text = readFileSync(join(moved, product), "utf8");
  writeFileSync(join(moved, product), text.replaceAll('.00"', '.50"'));
  const { dist, output } = await buildSite(moved);
  expect(output).toMatch(/\d+ of \d+ files have changed/);
  const fresh = copyWorkspace(join(moved, "content"));
  onTestFinished(() => remove(fresh));
  const whole = (await buildSite(fresh)).dist;
  expect(differences(await describeWholeBuild(dist), await describeWholeBuild(whole))).toEqual([]);
  const [record, fromNothing] = [dist, whole].map((folder) => readFileSync(join(folder, ".built-from"), "utf8"));
  expect(JSON.parse(record ?? "")).toEqual(JSON.parse(fromNothing ?? ""));
});
