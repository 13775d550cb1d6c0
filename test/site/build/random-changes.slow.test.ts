import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seededRandom } from "../../../api/operation/demo/random.ts";
import { buildOnce } from "../../built-shops.ts";
import { byDepth, seedFor } from "../../depth.ts";
import { buildSite, copyWorkspace } from "../../workspace.ts";
import { changeRandomly } from "./random-changes.ts";
import { describeWholeBuild, differences } from "./whole-build.ts";

const BUILDS = byDepth({ usual: 2, deep: 40 });
/** Builds until the next comparison: a changed title in the header renders every page again, and so hides what was left out. */
const COMPARED_AFTER = 2;
/** Before each build. */
const CHANGES = 5;

test(`after ${BUILDS * CHANGES} random changes to the demo shop, quick builds have the same bytes as builds from nothing`, async () => {
  const random = seededRandom(seedFor("site"));
  const root = copyWorkspace();
  try {
    await buildOnce(root);
    for (let build = 1; build <= BUILDS; build += 1) {
      const changed = changeRandomly(join(root, "content"), CHANGES, random);
      const { dist, output } = await buildSite(root);
      expect(output, Object.keys(changed).join()).toMatch(/files have changed/);
      if (build % COMPARED_AFTER > 0) continue;
      const fresh = copyWorkspace(join(root, "content"));
      const [quick, whole] = [await describeWholeBuild(dist), await describeWholeBuild((await buildSite(fresh)).dist)];
      rmSync(fresh, { recursive: true });
      expect(differences(quick, whole)).toEqual([]);
    }
  } finally {
    rmSync(root, { recursive: true });
  }
}, 1_800_000);
