import { rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startShop } from "./end-to-end/shop-process.ts";
import { copyWorkspace } from "./workspace.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The whole shop, running from a copy of the project: nginx, the API, a database with catalogue and demo orders. */
    shopUrl: string;
    /** Its partner token. */
    shopToken: string;
    /** Its built site. Nobody may write there. */
    dist: string;
  }
}

/** One whole shop for all tests that only look at it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const workspace = copyWorkspace();
  const shop = await startShop(workspace);
  project.provide("shopUrl", shop.url);
  project.provide("shopToken", shop.token);
  project.provide("dist", join(workspace, "site", "dist"));
  return async () => {
    await shop.stop();
    rmSync(workspace, { recursive: true, force: true });
  };
}
