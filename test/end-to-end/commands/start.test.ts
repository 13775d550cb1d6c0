import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { moveRef, readCommit, writeCommit, writeTree } from "../../../site/admin/git.ts";
import { eventually } from "../../eventually.ts";
import { copyWithContent } from "../../site/content-check/content-tree.ts";
import { buildSite } from "../../workspace.ts";
import { expectGone, processTree, readProcess } from "../processes.ts";
import { type ShopProcess, spawned, spawnShop, startShop } from "../shop-process.ts";

let workspace: string;
let firstToken: string;
let firstOrders: unknown;
const temporary = mkdtempSync(join(tmpdir(), "tf-"));
beforeAll(async () => {
  // Other shops on this machine use the shared temporary folder.
  process.env["TMPDIR"] = temporary;
  workspace = copyWithContent({}, "twinfront it's $HOME ünusual-");
  const shop = await startShop(workspace);
  firstToken = shop.token;
  firstOrders = await fetchOrders(shop);
  expect(await shop.stop()).toBe(0);
});
afterEach(() => {
  for (const process of spawned) process.kill("SIGKILL");
});
afterAll(() => {
  for (const folder of [workspace, temporary]) rmSync(folder, { recursive: true, force: true });
});

const fetchOrders = async ({ url, token }: ShopProcess): Promise<unknown> =>
  (await fetch(`${url}/api/orders?limit=250`, { headers: { authorization: `Bearer ${token}` } })).json();

const processesOf = (shop: Pick<ShopProcess, "process">) => processTree(String(shop.process.pid));

const runtimeFolders = () => readdirSync(temporary).filter((name) => /^twinfront-[A-Za-z0-9]{6}$/.test(name));

test("a second start without changes builds nothing, and keeps data and token", async () => {
  const second = await startShop(workspace);
  expect(second.output()).toContain("unchanged since the last build");
  expect(second.token).toBe(firstToken);
  expect(firstOrders).toMatchObject({ orders: expect.arrayContaining([expect.anything()]) });
  expect(await fetchOrders(second)).toEqual(firstOrders);
  await second.stop();
});

test("a start after a content change builds, and shows the build's warnings", async () => {
  const file = join(workspace, "content/pages/about.md");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("We test.", "We test currently."));
  const second = await startShop(workspace);
  expect(second.output()).toMatch(/\d+ pages, HTML and Markdown/);
  expect(second.output()).toMatch(/^ {4}content\/pages\/about\.md:\d+: .*“currently”/m);
  expect(await (await fetch(`${second.url}/about`)).text()).toContain("We test currently.");
  await second.stop();
  writeFileSync(file, text);
});

test("a start keeps what editors have published, also after `npm run build`, and names a file that both sides changed", async () => {
  const repository = join(workspace, ".data/content.git");
  const path = "content/pages/about.md";
  const text = readFileSync(join(workspace, path), "utf8");
  const first = await startShop(workspace);
  await first.stop();
  const main = (await readCommit(repository, "main")) ?? "";
  const edited = Buffer.from(text.replace("We test.", "We test for hours."));
  const author = { name: "Ann", email: "ann@test.example" };
  const tree = await writeTree(repository, main, [{ path, bytes: edited }]);
  const commit = await writeCommit(repository, { tree, parents: [main], author, message: "About us" });
  await moveRef(repository, "refs/heads/main", commit, main);
  await buildSite(workspace);
  const second = await startShop(workspace);
  expect(await (await fetch(`${second.url}/about`)).text()).toContain("We test for hours.");
  expect(readFileSync(join(workspace, path), "utf8")).toBe(text);
  await second.stop();
  writeFileSync(join(workspace, path), text.replace("We test.", "We test for days."));
  const third = await spawnShop(workspace);
  expect(await third.ended).toBe(1);
  expect(third.output()).toMatch(/changed both in \/admin and in this checkout:\n\n {2}content\/pages\/about\.md\n/);
  writeFileSync(join(workspace, path), edited);
  const fourth = await startShop(workspace);
  await fourth.stop();
});

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

test("a second start names the running shop and leaves it alone, and so does one with a copy of its data", async () => {
  const first = await startShop(workspace);
  const folders = runtimeFolders();
  const link = join(temporary, "link");
  symlinkSync(join(workspace, ".data"), link);
  for (const env of [{}, { DATA_DIR: link }]) {
    const second = await spawnShop(workspace, env);
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(new RegExp(`already running from .*process ${first.process.pid}, ${first.url}`));
    expect(runtimeFolders()).toEqual(folders);
  }
  const copy = join(temporary, "copied data");
  mkdirSync(copy);
  cpSync(join(workspace, ".data", "runtime-folder"), join(copy, "runtime-folder"));
  const third = await startShop(workspace, { DATA_DIR: copy });
  expect((await fetch(first.url)).status).toBe(200);
  expect(await third.stop()).toBe(0);
  expect((await fetch(first.url)).status).toBe(200);
  expect(await first.stop()).toBe(0);
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

test("a mistake in the content stops the start and is reported with file and line", async () => {
  const file = join(workspace, "content", "store.yaml");
  const store = readFileSync(file, "utf8");
  writeFileSync(file, store.replace(/^currency: .*$/m, "curency: EUR"));
  try {
    const shop = await spawnShop(workspace);
    expect(await shop.ended).toBe(1);
    expect(shop.output()).toMatch(/content\/store\.yaml:\d+.*curency/);
  } finally {
    writeFileSync(file, store);
  }
});
