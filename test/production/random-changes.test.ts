import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seededRandom } from "../../api/demo/random.ts";
import { changeRandomly } from "../site/renderer/random-changes.ts";
import { describeWholeBuild, differences } from "../site/renderer/whole-build.ts";
import { buildSite, copyWorkspace } from "../workspace.ts";

test("after 200 random changes to the demo shop, quick builds have the same bytes as builds from nothing", async () => {
  const random = seededRandom(20);
  const root = copyWorkspace();
  try {
    await buildSite(root);
    for (let build = 1; build <= 40; build += 1) {
      const changed = changeRandomly(join(root, "content"), 5, random);
      const { dist, output } = await buildSite(root);
      expect(output, Object.keys(changed).join()).toMatch(/files have changed/);
      if (build % 10 > 0) continue;
      const fresh = copyWorkspace(join(root, "content"));
      const [quick, whole] = [await describeWholeBuild(dist), await describeWholeBuild((await buildSite(fresh)).dist)];
      rmSync(fresh, { recursive: true });
      expect(differences(quick, whole)).toEqual([]);
    }
  } finally {
    rmSync(root, { recursive: true });
  }
}, 1_800_000);
