import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { buildForStart } from "../../built-shops.ts";
import { copyWithContent } from "../../site/content-check/content-tree.ts";
import { type ShopProcess, spawned, startShop } from "../shop-process.ts";

/** A small shop in a copy of the project, built; it has been started once. */
export let workspace: string;

/** For temporary files of this file's shops alone: others on this machine use the shared folder. */
export const temporary = mkdtempSync(join(tmpdir(), "tf-"));

/** The folders with sockets of running shops. */
export const runtimeFolders = () => readdirSync(temporary).filter((name) => /^twinfront-[A-Za-z0-9]{6}$/.test(name));

/** Makes the shop of this file. `look` is given its first start, which then builds it from nothing. */
export function openOwnShop(look?: (shop: ShopProcess) => Promise<void>): void {
  beforeAll(async () => {
    process.env["TMPDIR"] = temporary;
    workspace = copyWithContent({}, "twinfront it's $HOME ünusual-");
    if (!look) await buildForStart(workspace);
    const shop = await startShop(workspace);
    await look?.(shop);
    expect(await shop.stop()).toBe(0);
  });
  afterEach(() => {
    for (const process of spawned) process.kill("SIGKILL");
  });
  afterAll(() => {
    for (const folder of [workspace, temporary]) rmSync(folder, { recursive: true, force: true });
  });
}
