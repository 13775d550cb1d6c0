import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../../eventually.ts";
import { expectGone, processTree, readProcess } from "../processes.ts";
import { type ShopProcess, spawnShop, startShop } from "../shop-process.ts";
import { openOwnShop, runtimeFolders, temporary, workspace } from "./own-shop.ts";

openOwnShop();

const processesOf = (shop: Pick<ShopProcess, "process">) => processTree(String(shop.process.pid));

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s stops every child and leaves no file behind",
  async (signal) => {
    const shop = await startShop(workspace);
    const pids = processesOf(shop);
    expect(pids.length).toBeGreaterThanOrEqual(5);
    expect(runtimeFolders()).toHaveLength(1);
    shop.process.kill(signal);
    expect(await shop.ended).toBe(0);
    await expectGone(pids);
    expect(runtimeFolders()).toEqual([]);
    expect(shop.output()).toContain("Stopping");
  },
);

test("kill -9 of the starter ends every child", async () => {
  const shop = await startShop(workspace);
  const pids = processesOf(shop);
  shop.process.kill("SIGKILL");
  await shop.ended;
  await expectGone(pids);
});

test("a killed service is restarted, and its children end with it", async () => {
  const shop = await startShop(workspace);
  const answers = async () =>
    (
      await fetch(`${shop.url}/api/orders?limit=1`, { headers: { authorization: `Bearer ${shop.token}` } }).catch(
        () => undefined,
      )
    )?.status === 200;
  for (const program of ["mariadbd", "api/server.ts", "nginx: master"]) {
    const find = () => processesOf(shop).find((pid) => readProcess(pid, "cmdline").includes(program));
    const killed = find() ?? "";
    const below = processTree(killed);
    process.kill(Number(killed), "SIGKILL");
    await expectGone(below);
    await eventually(async () => expect([program, await answers()]).toEqual([program, true]));
    expect(find()).not.toBe(killed);
  }
  expect(await shop.stop()).toBe(0);
});

test("a start that is interrupted at any step stops what it has started", async () => {
  for (const done of ["Twinfront", "packages", "content", "site", "database", "tables", "API"]) {
    const shop = await spawnShop(workspace, { DATA_DIR: join(temporary, `interrupted after ${done}`) });
    await eventually(() => expect(shop.output()).toMatch(new RegExp(`^ *${done}`, "m")));
    const pids = processesOf(shop);
    shop.process.kill("SIGTERM");
    await shop.ended;
    await expectGone(pids);
  }
});

test("the shop keeps running when the reader of its output goes away", async () => {
  const shop = await startShop(workspace);
  shop.process.stdout?.destroy();
  shop.process.stderr?.destroy();
  expect(await shop.stop()).toBe(0);
  expect(runtimeFolders()).toEqual([]);
});
