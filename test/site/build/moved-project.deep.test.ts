import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { buildOnce } from "../../built-shops.ts";
import { buildSite, copyWorkspace } from "../../workspace.ts";
import { copyWithContent, newProduct } from "../content-check/content-tree.ts";
import { scanners, twoCategories } from "../shop/two-categories.ts";
import { describeWholeBuild, differences } from "./whole-build.ts";

/** Moves a project by copying it and removing the original, whose path must not be needed any more. */
function move(original: string): string {
  const moved = `${original} moved`;
  onTestFinished(() => [original, moved].forEach(remove));
  execFileSync("cp", ["-a", original, moved]);
  remove(original);
  return moved;
}

/** A build from nothing of the content that another project has now. */
async function buildFromNothing(root: string): Promise<string> {
  const fresh = copyWorkspace(join(root, "content"));
  onTestFinished(() => remove(fresh));
  return (await buildSite(fresh)).dist;
}

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });
// In two versions of a product that a guide shows, too.
const product = "content/products/label-printers/aldersyde-t4.md";

test("a built project is found unchanged at another path, its original gone, and a price changed there is built quickly, with the bytes of a build from nothing", async () => {
  const original = copyWorkspace();
  await buildOnce(original);
  const moved = move(original);
  expect((await buildSite(moved, {}, ["--if-changed"])).output).toBe("unchanged since the last build\n");
  const text = readFileSync(join(moved, product), "utf8");
  writeFileSync(join(moved, product), text.replaceAll('.00"', '.50"'));
  const { dist, output } = await buildSite(moved);
  expect(output).toMatch(/\d+ of \d+ files have changed/);
  const whole = await buildFromNothing(moved);
  expect(differences(await describeWholeBuild(dist), await describeWholeBuild(whole))).toEqual([]);
  const [record, fromNothing] = [dist, whole].map((folder) => readFileSync(join(folder, ".built-from"), "utf8"));
  expect(JSON.parse(record ?? "")).toEqual(JSON.parse(fromNothing ?? ""));
});

test("a whole build in a moved project, whose pages had photographs and drawings, has the bytes of a build from nothing", async () => {
  const original = copyWithContent(twoCategories);
  await buildOnce(original);
  const moved = move(original);
  writeFileSync(join(moved, "content", scanners, "p9.md"), newProduct("p9", "45.00"));
  const { dist, output } = await buildSite(moved);
  expect(output).not.toMatch(/files have changed/);
  const whole = await buildFromNothing(moved);
  expect(differences(await describeWholeBuild(dist), await describeWholeBuild(whole))).toEqual([]);
});
