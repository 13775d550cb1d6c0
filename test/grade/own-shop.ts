import { rmSync } from "node:fs";
import { findFreePort } from "../../nginx/local/ports.ts";
import { step } from "../../nginx/local/report.ts";
import { ensureSystemPackages } from "../../nginx/local/system-packages.ts";
import { addCleanup } from "../cleanup.ts";
import { startShop, stopShops } from "../end-to-end/shop-process.ts";
import { copyWorkspace, shops } from "../workspace.ts";

/**
 * Starts a shop from a copy of this checkout, with its own address as base address, so that its links lead to itself.
 * Returns that address. The shop and the copy are removed when grading or the bench ends.
 */
export function startOwnShop(): Promise<string> {
  return step("shop", async () => {
    ensureSystemPackages();
    const workspace = copyWorkspace(shops.own);
    addCleanup(() => rmSync(workspace, { recursive: true, force: true }));
    addCleanup(stopShops);
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    await startShop(workspace, { PORT: String(port), BASE_URL: url });
    return { summary: `built and started at ${url}`, value: url };
  });
}
