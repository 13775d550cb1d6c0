import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { moveRef, readCommit, writeCommit, writeTree } from "../../../site/admin/content/git.ts";
import { buildSite } from "../../workspace.ts";
import { type ShopProcess, spawnShop, startShop } from "../shop-process.ts";
import { openOwnShop, runtimeFolders, temporary, workspace } from "./own-shop.ts";

let firstToken: string;
let firstOrders: unknown;
openOwnShop(async (shop) => {
  expect(shop.output()).toMatch(/\d+ pages, HTML and Markdown/);
  firstToken = shop.token;
  firstOrders = await fetchOrders(shop);
});

const fetchOrders = async ({ url, token }: ShopProcess): Promise<unknown> =>
  (await fetch(`${url}/api/orders?limit=250`, { headers: { authorization: `Bearer ${token}` } })).json();

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
