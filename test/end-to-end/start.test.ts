import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { findFreePort } from "../../nginx/local/ports.ts";
import { writeContent } from "../site/content-tree.ts";
import { copyWorkspace } from "../workspace.ts";
import { type ShopProcess, spawned, spawnShop, startShop } from "./shop-process.ts";

vi.setConfig({ testTimeout: 60_000 }); // real processes, on machines that have other work

let workspace: string;
let firstToken: string;
let firstOrders: unknown;
const temporary = mkdtempSync(join(tmpdir(), "tf-"));
beforeAll(async () => {
  // Other shops on this machine come and go in the folder that all share.
  process.env["TMPDIR"] = temporary;
  workspace = copyWorkspace("twinfront it's $HOME ünusual-");
  rmSync(join(workspace, "content"), { recursive: true });
  writeContent({}, workspace);
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

/** A process and everything that it started, directly or not. */
function family(root: string): string[] {
  const parents = new Map<string, string>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const status = readProcess(pid, "status");
    parents.set(pid, /^PPid:\s+(\d+)/m.exec(status)?.[1] ?? "");
  }
  const below = (pid: string): string[] => [
    pid,
    ...[...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => below(child)),
  ];
  return below(root);
}

const processesOf = (shop: Pick<ShopProcess, "process">) => family(String(shop.process.pid));

/** A process can end between two looks. */
function readProcess(pid: string, file: "status" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

const isAlive = (pid: string) => /^State:\s+[^ZX]/m.test(readProcess(pid, "status"));
const runtimeFolders = () => readdirSync(temporary).filter((name) => /^twinfront-[A-Za-z0-9]{6}$/.test(name));

/** A killed process goes when the kernel gets round to it, and one whose starter was killed a moment after that. */
async function expectGone(pids: string[], withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (pids.some(isAlive) && Date.now() < deadline) await sleep(50);
  expect(pids.filter(isAlive)).toEqual([]);
}

test("a second start with nothing changed builds nothing, keeps data and token, and is ready in 10 s", async () => {
  const since = Date.now();
  const second = await startShop(workspace);
  expect(Date.now() - since).toBeLessThan(10_000);
  expect(second.output()).toContain("unchanged since the last build");
  expect(second.token).toBe(firstToken);
  expect(firstOrders).toMatchObject({ orders: expect.arrayContaining([expect.anything()]) });
  expect(await fetchOrders(second)).toEqual(firstOrders);
  await second.stop();
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s stops every child within 5 s and leaves no file behind",
  async (signal) => {
    const shop = await startShop(workspace);
    const pids = processesOf(shop);
    expect(pids.length).toBeGreaterThanOrEqual(5);
    const since = Date.now();
    shop.process.kill(signal);
    expect(await shop.ended).toBe(0);
    expect(Date.now() - since).toBeLessThan(5_000);
    await expectGone(pids, 2_000);
    expect(runtimeFolders()).toEqual([]);
    expect(shop.output()).toContain("Stopping");
  },
);

test("kill -9 of the starter takes every child with it", async () => {
  const shop = await startShop(workspace);
  const pids = processesOf(shop);
  shop.process.kill("SIGKILL");
  await shop.ended;
  await expectGone(pids, 5_000);
});

test("whatever dies is started again, and leaves nobody behind", async () => {
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
    const below = family(killed);
    process.kill(Number(killed), "SIGKILL");
    await expectGone(below, 2_000);
    await vi.waitFor(async () => expect([program, await answers()]).toEqual([program, true]), {
      timeout: 15_000,
      interval: 100,
    });
    expect(find()).not.toBe(killed);
  }
  expect(await shop.stop()).toBe(0);
});

test("a second start beside the first says who is running and leaves it alone; a copy of its data takes nothing from it", async () => {
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

test("what was started goes with a start that is interrupted, at whatever step", async () => {
  for (const delayMs of [300, 700, 1100, 1600]) {
    const shop = await spawnShop(workspace, { DATA_DIR: join(temporary, `interrupted-${delayMs}`) });
    await sleep(delayMs);
    const pids = processesOf(shop);
    shop.process.kill("SIGTERM");
    await shop.ended;
    await expectGone(pids, 2_000);
  }
});

test("a data folder that cannot be used is named, with what to do", async () => {
  const file = join(temporary, "a file");
  writeFileSync(file, "");
  const shop = await spawnShop(workspace, { DATA_DIR: file });
  expect(await shop.ended).toBe(1);
  expect(shop.output()).toContain("cannot be used");
  expect(shop.output()).not.toMatch(/\n\s+at /);
});

test("a reader of the output that goes away takes nothing with it", async () => {
  const shop = await startShop(workspace);
  shop.process.stdout?.destroy();
  shop.process.stderr?.destroy();
  expect(await shop.stop()).toBe(0);
  expect(runtimeFolders()).toEqual([]);
});

test("a taken port is named, with what to do", async () => {
  const port = await findFreePort();
  const holder = createServer().listen(port, "127.0.0.1");
  await once(holder, "listening");
  const shop = await spawnShop(workspace, { PORT: String(port) });
  expect(await shop.ended).toBe(1);
  expect(shop.output()).toContain(`Port ${port} on 127.0.0.1 is taken by another program`);
  expect(shop.output()).toContain(`set PORT to another port, such as PORT=${port + 1}.`);
  holder.close();
});

test("all wrong settings are named at once, without their values", async () => {
  const shop = await spawnShop(workspace, {
    PORT: "80a80",
    BASE_URL: "https://shop.example/",
    ERP_PULL_API_TOKEN: "too-short-a-secret",
  });
  expect(await shop.ended).toBe(1);
  for (const name of ["PORT", "BASE_URL", "ERP_PULL_API_TOKEN"]) expect(shop.output()).toContain(name);
  expect(shop.output()).not.toContain("too-short-a-secret");
});

test("every setting in .env reaches the API, the environment wins over it, and no secret is printed", async () => {
  const metricsPort = await findFreePort();
  const token = "a-partner-token-of-thirty-two-letters";
  const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
  const lines = [
    `METRICS_PORT=${metricsPort}`,
    "RATE_LIMIT_PER_MINUTE=1000",
    `ERP_PULL_API_TOKEN=${token}`,
    "ERP_WEBHOOK_URL=https://erp.invalid/orders",
    `ERP_WEBHOOK_SECRET=${secret}`,
  ];
  writeFileSync(join(workspace, ".env"), lines.join("\n"));
  try {
    const shop = await startShop(workspace, { RATE_LIMIT_PER_MINUTE: "77" });
    const orders = await fetch(`${shop.url}/api/orders`, { headers: { authorization: `Bearer ${token}` } });
    expect([orders.status, orders.headers.get("ratelimit-policy")]).toEqual([200, '"token";q=77;w=60']);
    const status = await (await fetch(`${shop.url}/api/erp/status`)).json();
    expect(status).toMatchObject({ status: "ok", webhook: { configured: true } });
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(metrics).toContain('route="/api/orders"');
    await shop.stop();
    for (const private_ of [token, secret, "erp.invalid"]) expect(shop.output()).not.toContain(private_);
  } finally {
    rmSync(join(workspace, ".env"));
  }
});

test("an unreachable database of one's own is named, without its password", async () => {
  const port = await findFreePort();
  const shop = await spawnShop(workspace, { DATABASE_URL: `mysql://shop:hunter2@127.0.0.1:${port}/shop` });
  expect(await shop.ended).toBe(1);
  expect(shop.output()).toMatch(/database/i);
  expect(shop.output()).not.toContain("hunter2");
  expect(shop.output()).not.toMatch(/\n\s+at /);
});

test("missing system packages are named in one line to run, by whoever is not root", async () => {
  const { ensureSystemPackages } = await import("../../nginx/local/system-packages.ts");
  const getuid = process.getuid;
  process.getuid = () => 1000;
  try {
    expect(() => ensureSystemPackages({ "no-such-package": () => false })).toThrow(
      "sudo apt-get install -y --no-install-recommends no-such-package",
    );
  } finally {
    if (getuid) process.getuid = getuid;
  }
});

test("a mistake in the content stops the start with file and line", async () => {
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
