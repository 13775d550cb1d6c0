import { execFile, spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findRuntimeFolder } from "../../../nginx/local/data-folder.ts";
import { privateDatabaseAddress } from "../../../nginx/local/private-database.ts";
import { bareEnvironment } from "../../bare-environment.ts";
import { buildForStart } from "../../built-shops.ts";
import { eventually } from "../../eventually.ts";
import { copyWithContent, validContent } from "../../site/content-check/content-tree.ts";
import { expectGone, processTree, readProcess } from "../processes.ts";
import { runRelease, startRelease } from "../release-process.ts";
import { type ShopProcess, startShop, stopShops } from "../shop-process.ts";

let workspace: string;
let shop: ShopProcess;
const product = "products/barcode-scanners/kestrel-c2.md";
const text = validContent[product] ?? "";
const writeContent = (path: string, content: string) => writeFileSync(join(workspace, "content", path), content);

beforeAll(async () => {
  workspace = copyWithContent({}, "twinfront it's ünusual-");
  await buildForStart(workspace);
  shop = await startShop(workspace, { RATE_LIMIT_PER_MINUTE: "0" });
});
afterAll(async () => {
  await stopShops();
  rmSync(workspace, { recursive: true, force: true });
});

/** Waits until nginx no longer serves files of the last release (open_file_cache). */
const untilSeen = () => sleep(1_100);

async function page(path: string): Promise<string> {
  const answer = await fetch(`${shop.url}${path}`);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
}

async function priceInApi(): Promise<string> {
  const answer = await fetch(`${shop.url}/api/products`, { headers: { authorization: `Bearer ${shop.token}` } });
  const { products } = (await answer.json()) as { products: { slug: string; variants: { price: string }[] }[] };
  return products.find(({ slug }) => slug === "kestrel-c2")?.variants[0]?.price ?? "none";
}

const priceOnPage = async () => /€([\d.]+) with /.exec(await page("/products/kestrel-c2.md"))?.[1] ?? "none";
const sheetOf = (html: string) => /href="(\/_astro\/[^"]+\.css)"/.exec(html)?.[1] ?? "none";
const current = () => readlinkSync(join(workspace, ".data/releases/current"));

test("a release shows new pages, and never a price before the API has it; a second one at once says so and stops", async () => {
  expect([await priceOnPage(), await priceInApi()]).toEqual(["189.00", "189.00"]);
  writeContent(product, text.replace("189.00", "199.00"));
  const release = startRelease(workspace, shop);
  // It's made right after the lock is taken, when the build has only begun.
  await eventually(() => expect(existsSync(join(workspace, ".data/releases/next"))).toBe(true));
  const [code, output] = await runRelease(workspace, shop);
  expect([code, output]).toEqual([1, expect.stringContaining("Another release or rollback")]);
  const early: string[] = [];
  let isDone = false;
  const done = release.ended.then((code) => {
    isDone = true;
    return code;
  });
  while (!isDone) {
    const onPage = await priceOnPage();
    const inApi = await priceInApi();
    if (onPage === "199.00" && inApi !== onPage) early.push(inApi);
    await sleep(10);
  }
  expect([await done, release.output()]).toEqual([0, expect.stringContaining("Release 1 is live.")]);
  await untilSeen();
  expect([await priceOnPage(), await priceInApi(), early]).toEqual(["199.00", "199.00", []]);
  expect(readlinkSync(join(workspace, "site/dist"))).toBe("../.data/releases/current/site/dist");
});

test("a rollback brings back pages and prices, says how the API's code comes back, and pages of both releases find their style sheets", async () => {
  const before = sheetOf(await page("/"));
  const styles = join(workspace, "site/src/styles/base.css");
  writeFileSync(styles, `${readFileSync(styles, "utf8")}\n.released { color: red; }\n`);
  writeContent(product, text.replace("189.00", "209.00"));
  appendFileSync(join(workspace, "api/server.ts"), "// Changed.\n");
  expect(await runRelease(workspace, shop)).toEqual([
    0,
    expect.stringMatching(
      /Release 2 is live\.[\s\S]*\n\nThe code has changed: restart the API, the worker, the refresh\.\n$/,
    ),
  ]);
  await untilSeen();
  const after = sheetOf(await page("/"));
  expect([after === before, await priceOnPage(), current()]).toEqual([false, "209.00", "2"]);
  await page(before);
  expect(await runRelease(workspace, shop, "rollback")).toEqual([
    0,
    expect.stringMatching(
      /release 1 shown[\s\S]*\n\nThe code has changed: [\s\S]* of release 1 there: check out its commit\.\n$/,
    ),
  ]);
  await untilSeen();
  expect([await priceOnPage(), await priceInApi(), current()]).toEqual(["199.00", "199.00", "1"]);
  expect(sheetOf(await page("/"))).toBe(before);
  await page(after);
  expect(await runRelease(workspace, shop, "rollback")).toEqual([1, expect.stringContaining("no release before")]);
  expect(readdirSync(join(workspace, ".data/releases")).sort()).toEqual(["1", "2", "current"]);
});

test("what a rollback took back is left out of releases of changes alone, until it has changed or is released again", async () => {
  const ifChanged = () => runRelease(workspace, shop, "release", {}, "--if-changed");
  expect(await ifChanged()).toEqual([
    0,
    expect.stringContaining("nothing published: this is what the rollback took back"),
  ]);
  expect([current(), await priceOnPage(), await priceInApi()]).toEqual(["1", "199.00", "199.00"]);
  writeContent(product, text.replace("189.00", "219.00"));
  expect(await ifChanged()).toEqual([0, expect.stringContaining("Release 3 is live.")]);
  expect(await runRelease(workspace, shop, "rollback")).toEqual([
    0,
    expect.stringContaining("Release 3 won't be published again until"),
  ]);
  expect(await runRelease(workspace, shop)).toEqual([0, expect.stringContaining("Release 4 is live.")]);
  expect(await ifChanged()).toEqual([0, expect.stringContaining("unchanged since the last build")]);
  await untilSeen();
  expect([current(), await priceOnPage()]).toEqual(["4", "219.00"]);
});

/** Says how many pieces of a version are on the shelf. */
const setShelf = async (pieces: string, sku = "KES-C2") => {
  const args = ["nginx/local/shop-command.ts", "stock", "set", sku, pieces];
  const env = { ...bareEnvironment(), DATA_DIR: join(workspace, ".data") };
  await promisify(execFile)(process.execPath, args, { cwd: workspace, env });
};

test("pages follow what is left within the current release, by a quick build that keeps other releases' files", async () => {
  const site = () => realpathSync(join(workspace, "site/dist"));
  const hashed = () => readdirSync(join(site(), "_astro"));
  const [before, released] = [hashed(), site()];
  await setShelf("0");
  await eventually(async () => expect(await page("/products/kestrel-c2.md")).toContain("Out of stock"));
  expect(await page("/products/kestrel-c2")).toContain("https://schema.org/OutOfStock");
  expect([current(), site(), hashed()]).toEqual(["4", released.replace(/1$/, "2"), before]);
  // Said once the build has ended, a moment after it's shown.
  await eventually(() => expect(shop.output()).toMatch(/^ {2}refresh .*\d+ of \d+ files have changed/m));
  expect(await runRelease(workspace, shop, "release", {}, "--if-changed")).toEqual([
    0,
    expect.stringContaining("unchanged since the last build"),
  ]);
});

/** The builds of a refresh that are running, of which there is at most one. */
const refreshes = () =>
  processTree(String(shop.process.pid)).filter((pid) => readProcess(pid, "cmdline").includes("\0--refresh"));

/** Waits for the build of a refresh. Returns its process. */
const refreshBegins = () => eventually(() => refreshes()[0] ?? expect.fail("no refresh"));

function examinePages(): string | undefined {
  const env = { ...bareEnvironment(), DATA_DIR: join(workspace, ".data"), PORT: new URL(shop.url).port };
  const { stdout } = spawnSync(process.execPath, ["nginx/production/doctor.ts"], { cwd: workspace, env });
  return /^.*don't follow the stock.*$/m.exec(stdout.toString())?.[0];
}

test("a refresh whose build is killed or fails leaves pages as they are, the doctor says since when, and the next mends it", async () => {
  const project = join(workspace, ".data/releases/current");
  const [facts, build] = [join(project, "site/.facts.json"), join(project, "site/commands/build.ts")];
  const [code, site] = [readFileSync(build), realpathSync(join(workspace, "site/dist"))];
  await setShelf("9");
  process.kill(Number(await refreshBegins()), "SIGKILL");
  writeFileSync(build, 'throw new Error("ENOSPC: no space left on device, write");\n');
  const full = `The disk of ${realpathSync(project)} is full. Free space there.`;
  for (const reason of ["SIGKILL", full])
    await eventually(() => expect(shop.output().replace(/[\s\S]*(?=The pages don't follow)/, "")).toContain(reason));
  expect([await page("/products/kestrel-c2.md"), realpathSync(join(workspace, "site/dist"))]).toEqual([
    expect.stringContaining("Out of stock"),
    site,
  ]);
  const hourAgo = new Date(Date.now() - 3_600_000);
  utimesSync(facts, hourAgo, hourAgo);
  await setShelf("0", "OSP-BK");
  await eventually(() => expect(readFileSync(facts, "utf8")).toContain("OSP-BK"));
  await eventually(() =>
    expect(examinePages()).toBe(
      `  ! pages      don't follow the stock since ${hourAgo.toISOString()}: see what npm start or npm run refresh printed, or start one`,
    ),
  );
  writeFileSync(build, code);
  await eventually(async () => expect(await page("/products/kestrel-c2.md")).toContain("In stock"));
  // However often it's tried.
  expect(shop.output().split(full)).toHaveLength(2);
  expect(examinePages()).toBeUndefined();
});

test("what a rollback took back is released again once the note that it names is deleted", async () => {
  const ifChanged = () => runRelease(workspace, shop, "release", {}, "--if-changed");
  await setShelf("0");
  const [, note = ""] = /rm '(.+)' &&/.exec((await runRelease(workspace, shop, "rollback"))[1]) ?? [];
  // The former release shows what is left, too; that makes it no other release.
  await eventually(async () => expect(await page("/products/kestrel-c2.md")).toContain("Out of stock"));
  expect(await ifChanged()).toEqual([0, expect.stringContaining("this is what the rollback took back")]);
  rmSync(note);
  expect(await ifChanged()).toEqual([0, expect.stringContaining("Release 5 is live.")]);
  await untilSeen();
  expect(await page("/products/kestrel-c2.md")).toContain("Out of stock");
});

test("Ctrl-C of npm start ends a refresh with it, and its next start shows the pages of before", async () => {
  const site = realpathSync(join(workspace, "site/dist"));
  await setShelf("3");
  await refreshBegins();
  const pids = processTree(String(shop.process.pid));
  expect(await shop.stop()).toBe(0);
  await expectGone(pids);
  expect(realpathSync(join(workspace, "site/dist"))).toBe(site);
  shop = await startShop(workspace, { RATE_LIMIT_PER_MINUTE: "0" });
  expect(realpathSync(join(workspace, "site/dist"))).toBe(site);
  await eventually(async () => expect(await page("/products/kestrel-c2.md")).toContain("In stock"));
});

test("a release with a database elsewhere needs no partner token, and makes none", async () => {
  writeContent(product, text.replace("189.00", "229.00"));
  const settings = {
    DATA_DIR: join(workspace, "elsewhere"),
    DATABASE_URL: privateDatabaseAddress(findRuntimeFolder(join(workspace, ".data")) ?? "").url,
    RELEASES_DIR: join(workspace, ".data/releases"),
  };
  const released = await runRelease(workspace, shop, "release", settings);
  expect(released).toEqual([0, expect.stringContaining("Release 6 is live.")]);
  await untilSeen();
  expect([await priceOnPage(), await priceInApi(), existsSync(settings.DATA_DIR)]).toEqual(["229.00", "229.00", false]);
});

test("a release whose build fails names the file and changes nothing", async () => {
  writeContent(product, text.replace("189.00", "a lot"));
  expect(await runRelease(workspace, shop)).toEqual([1, expect.stringContaining(`content/${product}:`)]);
  expect([await priceOnPage(), await priceInApi(), current()]).toEqual(["229.00", "229.00", "6"]);
});
