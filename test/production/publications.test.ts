import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DRAFTS, readDrafts, saveToDrafts } from "../../site/admin/content/drafts.ts";
import { moveRef, readCommit, readFile, writeCommit, writeTree } from "../../site/admin/content/git.ts";
import {
  type Progress,
  readProgress,
  requestFile,
  requestPublication,
  STEPS,
} from "../../site/admin/publication/request.ts";
import { buildForStart } from "../built-shops.ts";
import { byDepth } from "../depth.ts";
import { processTree, readProcess } from "../end-to-end/processes.ts";
import { type ShopProcess, startShop, stopShops } from "../end-to-end/shop-process.ts";
import { eventually } from "../eventually.ts";
import { copyWithContent } from "../site/content-check/content-tree.ts";

const product = "content/products/barcode-scanners/kestrel-c2.md";
const about = "content/pages/about.md";
const editor = { name: "Ann", email: "ann@test.example" };
let workspace: string;
let repository: string;
let shop: ShopProcess;

beforeAll(async () => {
  workspace = copyWithContent();
  await buildForStart(workspace);
  repository = join(workspace, ".data/content.git");
  shop = await startShop(workspace, { RATE_LIMIT_PER_MINUTE: "0" });
});
afterAll(async () => {
  await stopShops();
  rmSync(workspace, { recursive: true, force: true });
});

const readMain = async (path: string) => (await readFile(repository, "main", path))?.bytes.toString() ?? "";

/** Saves a file to the drafts, as an editor does. */
async function save(path: string, edit: (text: string) => string): Promise<void> {
  const file = await readFile(repository, await readDrafts(repository), path);
  const bytes = Buffer.from(edit(file?.bytes.toString() ?? ""));
  await saveToDrafts(repository, {
    changes: [{ path, bytes }],
    seen: [{ path, id: file?.id }],
    author: editor,
    message: `Edit ${path}`,
  });
}

const savePrice = (price: string) => save(product, (text) => text.replace(/^price: .*$/m, `price: "${price}"`));

/** Asks for the publication of some files. Returns its id. */
async function publish(...files: string[]): Promise<string> {
  const id = randomUUID();
  const asked = requestPublication(repository, {
    id,
    editor,
    drafts: await readDrafts(repository),
    files,
    mayShop: true,
  });
  expect(asked).toBe(true);
  return id;
}

/** Waits until a publication has ended. */
async function endOf(id: string): Promise<Progress> {
  for (;;) {
    const progress = readProgress(repository);
    if (progress?.id === id && progress.isLive !== undefined && !existsSync(requestFile(repository))) return progress;
    await sleep(50);
  }
}

/** Waits until a publication is live; fails with its own message if it isn't. */
async function expectLive(id: string): Promise<void> {
  const { isLive, step, failure } = await endOf(id);
  expect({ isLive, step, failure }).toEqual({ isLive: true, step: "push", failure: undefined });
}

/** The product's price on its page, in the API and on main, which are always the same one. */
async function priceEverywhere(): Promise<string[]> {
  // nginx shows the former files for up to a second.
  await sleep(1_100);
  const page = await (await fetch(`${shop.url}/products/kestrel-c2.md`)).text();
  const answer = await fetch(`${shop.url}/api/products`, { headers: { authorization: `Bearer ${shop.token}` } });
  const { products } = (await answer.json()) as { products: { slug: string; variants: { price: string }[] }[] };
  return [
    /^price: "?([\d.]+)/m.exec(page)?.[1] ?? page,
    products.find(({ slug }) => slug === "kestrel-c2")?.variants[0]?.price ?? "",
    /^price: "(.+)"$/m.exec(await readMain(product))?.[1] ?? "",
  ];
}

/** A developer's change of main, as a push makes it. */
async function push(path: string, edit: (text: string) => string): Promise<void> {
  const main = (await readCommit(repository, "main")) ?? "";
  const tree = await writeTree(repository, main, [{ path, bytes: Buffer.from(edit(await readMain(path))) }]);
  const author = { name: "Dev", email: "dev@test.example" };
  const commit = await writeCommit(repository, { tree, parents: [main], author, message: "From a developer" });
  await moveRef(repository, "refs/heads/main", commit, main);
}

async function waitForStep(id: string, step: Progress["step"]): Promise<void> {
  for (;;) {
    const progress = readProgress(repository);
    if (progress?.id === id && progress.step === step) return;
    if (progress?.id === id && progress.isLive !== undefined) throw new Error(`${step} has passed already.`);
    await sleep(1);
  }
}

/** The process that publishes, if there is one. */
const findPublisher = () =>
  processTree(String(shop.process.pid)).find((pid) => readProcess(pid, "cmdline").includes("release/publish.ts"));

/**
 * Publishes the product and stops the process (SIGSTOP) at a step. `stopped` is undefined if the step, which may last 15 ms,
 * was over before that; then the publication has ended.
 */
async function publishUntil(step: Progress["step"]): Promise<{ id: string; stopped: number | undefined }> {
  // The one before may still be deleting old releases.
  while (findPublisher()) await sleep(50);
  const id = await publish(product);
  let pid = findPublisher();
  for (; !pid; pid = findPublisher()) await sleep(1);
  const read = () => {
    const progress = readProgress(repository);
    return progress?.id === id ? progress : undefined;
  };
  const isAtStep = () => read()?.step === step && read()?.isLive === undefined;
  while (read()?.isLive === undefined) {
    if (isAtStep()) {
      process.kill(Number(pid), "SIGSTOP");
      while (!/^State:\s+T/m.test(readProcess(pid, "status"))) await sleep(1);
      if (isAtStep()) return { id, stopped: Number(pid) };
      process.kill(Number(pid), "SIGCONT");
    }
    await sleep(1);
  }
  await endOf(id);
  return { id, stopped: undefined };
}

test("a published price is live on pages, in the API and in Git, with the editor's name and a tag, and the next start keeps it", async () => {
  await savePrice("200.00");
  await expectLive(await publish(product));
  expect(await priceEverywhere()).toEqual(["200.00", "200.00", "200.00"]);
  const git = (...args: string[]) => execFileSync("git", ["--git-dir", repository, ...args], { encoding: "utf8" });
  expect(git("log", "-1", "--format=%an: %s", "main")).toBe("Ann: Publish products/barcode-scanners/kestrel-c2.md\n");
  expect(git("tag", "--points-at", "main")).toMatch(/^published\/\d{4}-/);
  await shop.stop();
  shop = await startShop(workspace, { RATE_LIMIT_PER_MINUTE: "0" });
  expect(shop.output()).toContain("unchanged since the last build");
  expect(await priceEverywhere()).toEqual(["200.00", "200.00", "200.00"]);
});

test("only the chosen files are published, and the others stay drafts", async () => {
  await savePrice("201.00");
  await save(about, (text) => text.replace("We test.", "We test twice."));
  await expectLive(await publish(product));
  expect((await priceEverywhere())[0]).toBe("201.00");
  expect(await readMain(about)).toContain("We test.");
  expect((await readFile(repository, await readDrafts(repository), about))?.bytes.toString()).toContain(
    "We test twice.",
  );
  await expectLive(await publish(about));
  expect(await readMain(about)).toContain("We test twice.");
});

test("a mistake stops the publication with the check's sentence, and everything is as it was", async () => {
  const main = await readCommit(repository, "main");
  await savePrice("cheap");
  const { isLive, failure } = await endOf(await publish(product));
  const items = [expect.stringMatching(/^content\/\S+kestrel-c2\.md:\d+: price .*"cheap"/)];
  expect([isLive, failure]).toEqual([false, { reason: "mistakes", items }]);
  expect(await readCommit(repository, "main")).toBe(main);
  await savePrice("201.00");
});

test("an import that fails on trial stops the publication, everything is as it was, and only the log says why", async () => {
  const main = await readCommit(repository, "main");
  const code = join(workspace, "api/selling/catalogue/variants.ts");
  const before = readFileSync(code, "utf8");
  const broken = '$1  throw new Error("variants are broken");\n';
  writeFileSync(code, before.replace(/(export (?:async )?function storeVariants\([\s\S]*?\{\n)/, broken));
  await savePrice("202.00");
  try {
    const { id, isLive, step, failure } = await endOf(await publish(product));
    const reference = id.slice(0, 8);
    expect([isLive, step, failure]).toEqual([false, "trial", { reason: "failed", reference }]);
    await eventually(() =>
      expect(shop.output()).toMatch(new RegExp(`Publication ${reference} failed:[\\s\\S]*variants are broken`)),
    );
  } finally {
    writeFileSync(code, before);
  }
  expect(await readCommit(repository, "main")).toBe(main);
  expect((await priceEverywhere())[0]).toBe("201.00");
});

test("a developer's push while it is built is kept: the publication begins again from there", async () => {
  await savePrice("203.00");
  const id = await publish(product);
  await waitForStep(id, "build");
  await push(about, (text) => text.replace("twice", "a lot"));
  await expectLive(id);
  expect(await priceEverywhere()).toEqual(["203.00", "203.00", "203.00"]);
  expect(await (await fetch(`${shop.url}/about`)).text()).toContain("We test a lot.");
});

test("a push that contradicts the drafts is named, and neither side is lost", async () => {
  await savePrice("204.00");
  const drafts = await readCommit(repository, DRAFTS);
  const id = await publish(product);
  await waitForStep(id, "build");
  await push(product, (text) => text.replace("203.00", "205.00"));
  const { isLive, failure } = await endOf(id);
  expect([isLive, failure]).toEqual([false, { reason: "contradicted", items: [product] }]);
  expect(await readMain(product)).toContain("205.00");
  expect(await readCommit(repository, DRAFTS)).toBe(drafts);
  await push(product, (text) => text.replace("205.00", "203.00"));
  await expectLive(await publish(product));
  expect(await priceEverywhere()).toEqual(["204.00", "204.00", "204.00"]);
});

test.each(byDepth<readonly Progress["step"][]>({ usual: ["trial", "live"], deep: STEPS }))(
  "kill -9 at the step %s leaves pages, database and Git of one mind, and the next publication works",
  async (step) => {
    for (;;) {
      const before = (await priceEverywhere())[0] ?? "";
      const price = (Number(before) + 1).toFixed(2);
      await savePrice(price);
      const { id, stopped } = await publishUntil(step);
      if (stopped === undefined) continue;
      // A trial ends with moving main; from there on the publication is made good.
      const isInMain = (await readMain(product)).includes(`"${price}"`);
      process.kill(stopped, "SIGKILL");
      const { isLive } = await endOf(id);
      expect(isLive).toBe(step === "trial" ? isInMain : step === "live" || step === "push");
      const now = isLive ? price : before;
      expect(await priceEverywhere()).toEqual([now, now, now]);
      if (!isLive) await expectLive(await publish(product));
      expect(await priceEverywhere()).toEqual([price, price, price]);
      return;
    }
  },
);
