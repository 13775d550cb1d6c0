import { rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildForStart, buildOnce } from "./built-shops.ts";
import { startShop } from "./end-to-end/shop-process.ts";
import { copyWorkspace, shops } from "./workspace.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The running shop, in a copy of the project: nginx, the API, a database with catalogue and demo orders. */
    shopUrl: string;
    /** Its partner token. */
    shopToken: string;
    /** Its built site. Read-only. */
    dist: string;
    /** The built site of test/fixtures/hostile-shop. Read-only. */
    hostileDist: string;
  }
}

/** Starts one shop and builds another, for all tests that only read from them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const workspace = copyWorkspace();
  const hostileWorkspace = copyWorkspace(shops.hostile);
  // All tests come from one address.
  const start = buildForStart(workspace).then(() => startShop(workspace, { RATE_LIMIT_PER_MINUTE: "0" }));
  const [shop, hostile] = await Promise.all([start, buildOnce(hostileWorkspace)]);
  project.provide("shopUrl", shop.url);
  project.provide("shopToken", shop.token);
  project.provide("dist", join(workspace, "site", "dist"));
  project.provide("hostileDist", hostile.dist);
  return async () => {
    await shop.stop();
    for (const copy of [workspace, hostileWorkspace]) rmSync(copy, { recursive: true, force: true });
  };
}
