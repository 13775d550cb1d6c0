import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { buildSite } from "../../workspace.ts";
import { copyWithContent } from "../content-check/content-tree.ts";
import { describeFiles } from "../finish/dist-files.ts";
import { twoCategories } from "../shop/two-categories.ts";
import { differences } from "./whole-build.ts";

type Built = { reused: string[]; differences: string[] };
type Changes = Readonly<Record<string, string | null>>;

const copy = (from: string, to: string) => execFileSync("cp", ["-a", from, to]);

/**
 * The same project twice for each case of a file: built, and not built yet. Whole builds reuse Astro's pages here, since what
 * quick builds need is removed before each.
 */
export function useTwoShops() {
  const roots = { kept: "", fresh: "" };
  /** As it was when it was first built. Put back in the same place: in another one Astro reuses no page. */
  const built = () => `${roots.kept} built`;

  beforeAll(async () => {
    roots.kept = copyWithContent(twoCategories);
    await buildSite(roots.kept);
    copy(roots.kept, built());
    rmSync(roots.kept, { recursive: true });
  });
  beforeEach(() => {
    copy(built(), roots.kept);
    roots.fresh = copyWithContent(twoCategories);
  });
  afterEach(() => {
    for (const root of Object.values(roots)) rmSync(root, { recursive: true });
  });
  // `beforeAll` may have failed at any step.
  afterAll(() => {
    for (const root of [roots.kept, built()]) rmSync(root, { recursive: true, force: true });
  });

  /** Makes the next build a full one. */
  const forgetRenderer = () => rmSync(join(roots.kept, "site/.cache/renderer"), { recursive: true, force: true });

  /** Changes both shops and builds one with its cache. Returns the pages that it has reused. */
  async function changeAndReuse(changes: Changes): Promise<string[]> {
    for (const root of Object.values(roots)) write(root, changes);
    forgetRenderer();
    const { output } = await buildSite(roots.kept);
    return Array.from(output.matchAll(/(\S+)\.html \(restored\)/g), ([, path = ""]) => path);
  }

  /** The same, and builds the other from nothing. */
  async function changeAndBuild(changes: Changes): Promise<Built> {
    const reused = await changeAndReuse(changes);
    const { dist } = await buildSite(roots.fresh);
    const files = await describeFiles(join(roots.kept, "site/dist"));
    return { reused, differences: differences(files, await describeFiles(dist)) };
  }

  return { roots, forgetRenderer, changeAndReuse, changeAndBuild };
}

/** Writes content, and removes what is null. */
export function write(root: string, changes: Changes): void {
  for (const [path, text] of Object.entries(changes)) {
    const file = join(root, "content", path);
    if (text === null) rmSync(file);
    else writeFileSync(file, text);
  }
}
