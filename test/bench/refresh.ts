import { execFile } from "node:child_process";
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { localRepository, takeOverCheckout } from "../../nginx/local/content-repository.ts";
import { step } from "../../nginx/local/report.ts";
import { ensureSystemPackages } from "../../nginx/local/system-packages.ts";
import { bareEnvironment } from "../bare-environment.ts";
import { addCleanup } from "../cleanup.ts";
import { type ShopProcess, startShop, stopShops } from "../end-to-end/shop-process.ts";
import { raisePrice } from "./build/own-builds.ts";
import { makeShop, type Shop } from "./build/shop.ts";
import { cpuSecondsOf, measureUsage } from "./build/usage.ts";
import { interleave } from "./rounds.ts";
import type { Findings } from "./table.ts";

const PRODUCTS = 10_000;
/** How long words go to and fro, and how long none changes. */
const [FLIPPING_MS, QUIET_MS] = [300_000, 120_000];
/** Time between two sales. */
const SALE_MS = 10_000;
/** Longer than a refresh of every page takes. */
const HANGS_MS = 10 * 60_000;

/** A version that is counted, and where it's shown. */
interface Version {
  sku: string;
  path: string;
}

/** The shop that is running. */
interface Running extends ShopProcess {
  shop: Shop;
  skus: readonly string[];
  /** The only version of a product, which content/ has in stock. */
  one: Version;
}

/** What it takes pages to follow what is left, where each version of a large shop is counted. */
export async function benchRefresh(): Promise<Findings> {
  ensureSystemPackages();
  const running = await step("shop", async () => ({ summary: "built", value: await startCounted() }));
  const whole = Number(/^ {2}site +\d+ pages.* (\d+\.\d) s$/m.exec(running.output())?.[1]);
  const every = await step("every", async () => {
    await setAll(running, 0);
    const { seconds } = await follow(running, "sold");
    // Started again, it needn't wait for four times as long as that took.
    process.kill(await findRefresh(running));
    return { summary: "words of every version", value: seconds };
  });
  let pieces = 0;
  const rounds = await interleave({
    refresh: () =>
      step("refresh", async () => {
        pieces = 5 - pieces;
        await stock(running, "set", running.one.sku, `${pieces}`);
        return { summary: "one word", value: await follow(running, pieces > 0 ? "left" : "sold") };
      }),
    quick: () => step("quick", async () => ({ summary: "one price", value: await buildQuickly(running) })),
  });
  const idle = await step("quiet", async () => ({
    summary: "counts change, and no word",
    value: await measureQuiet(running),
  }));
  const busy = await step("flips", async () => ({
    summary: "a word changes all the time",
    value: await measureFlips(running),
  }));
  const of = `of ${PRODUCTS.toLocaleString("en-GB")} products`;
  return {
    rows: [
      {
        what: `one word ${of}, until pages, feeds and search say it`,
        unit: "s",
        ours: { name: "refresh", values: rounds.refresh.map(({ seconds }) => seconds) },
        bar: { atMost: 60 },
      },
      {
        what: "the same: processor time of all processes",
        unit: "s",
        ours: { name: "refresh", values: rounds.refresh.map(({ cpuSeconds }) => cpuSeconds) },
        theirs: { name: "quick build of one price", values: rounds.quick },
        bar: { atMost: 1.2 },
      },
      {
        what: `every word ${of}, likewise`,
        unit: "s",
        ours: { name: "refresh", values: [every] },
        theirs: { name: "a whole build and 60 s", values: [whole + 60] },
        bar: { atMost: 1 },
      },
      {
        what: "sales that change no word: the refresh's share of a core",
        unit: "cores",
        ours: { name: "refresh", values: [idle] },
        bar: { atMost: 0.01 },
      },
      {
        what: "a word that changes all the time: share of a core of all processes",
        unit: "cores",
        ours: { name: "refresh", values: [busy] },
        bar: { atMost: 0.25 },
      },
    ],
  };
}

async function startCounted(): Promise<Running> {
  const shop = makeShop(PRODUCTS);
  const store = join(shop.folder, "content/store.yaml");
  const text = readFileSync(store, "utf8");
  writeFileSync(store, `${text.replace("    due_days: 14\n", "$&    cancel_after_days: 21\n")}few_left: 3\n`);
  addCleanup(stopShops);
  const started = await startShop(shop.folder, { RATE_LIMIT_PER_MINUTE: "0" });
  const { products }: Feed = await (await fetch(`${started.url}/products.json`)).json();
  const found = products.find(({ variants }) => variants.length === 1 && variants[0]?.availability === "in_stock");
  const [only] = found?.variants ?? [];
  if (!found || !only) throw new Error("No product has a single version in stock");
  const skus = products.flatMap(({ variants }) => variants.map(({ sku }) => sku));
  return { ...started, shop, skus, one: { sku: only.sku, path: new URL(found.url).pathname } };
}

interface Feed {
  products: { url: string; variants: { sku: string; availability: string }[] }[];
}

async function stock({ shop: { folder } }: Running, ...args: string[]): Promise<void> {
  const env = { ...bareEnvironment(), DATA_DIR: join(folder, ".data") };
  const command = ["nginx/local/shop-command.ts", "stock", ...args];
  await promisify(execFile)(process.execPath, command, { cwd: folder, env, maxBuffer: 1e8 });
}

async function setAll(running: Running, pieces: number): Promise<void> {
  const file = join(running.shop.folder, "pieces.csv");
  writeFileSync(file, `sku,pieces\n${running.skus.map((sku) => `${sku},${pieces}\n`).join("")}`);
  await stock(running, "read", file);
}

/** How the faces, the feeds and search say whether anything is left. */
const WORDS = {
  left: { words: "In stock", type: "InStock", feed: "in_stock" },
  sold: { words: "Out of stock", type: "OutOfStock", feed: "out_of_stock" },
};

/** Waits until all say so of the one version. Returns how long that took, and the processor time of all processes. */
async function follow(running: Running, what: keyof typeof WORDS) {
  const { one, url } = running;
  const { words, type, feed } = WORDS[what];
  const begin = performance.now();
  const cpuBefore = cpuSecondsOf(running.process.pid);
  const refreshes = countRefreshes(running);
  const ways: [path: string, accept: string, said: (text: string) => boolean][] = [
    [one.path, "text/markdown", (text) => text.includes(words)],
    [one.path, "text/html", (text) => text.includes(words) && text.includes(`https://schema.org/${type}`)],
    ["/merchant-feed.xml", "*/*", (text) => itemOf(text, one.sku).includes(`>${feed}<`)],
    [
      "/products.json",
      "*/*",
      (text) => {
        const versions = (JSON.parse(text) as Feed).products.flatMap(({ variants }) => variants);
        return versions.some(({ sku, availability }) => sku === one.sku && availability === feed);
      },
    ],
    [`/search?q=${one.sku}`, "text/html", (text) => text.includes(words)],
  ];
  for (const [path, accept, said] of ways) {
    while (!said(await (await fetch(url + path, { headers: { accept } })).text())) {
      if (performance.now() - begin > HANGS_MS) throw new Error(`${path} doesn't say ${words}:\n${running.output()}`);
      await sleep(200);
    }
  }
  const seconds = (performance.now() - begin) / 1000;
  // It ends a moment after its pages are shown.
  while (countRefreshes(running) === refreshes) await sleep(100);
  await sleep(2_000); // in which the API opens the build
  return { seconds, cpuSeconds: cpuSecondsOf(running.process.pid) - cpuBefore };
}

/** The item of a SKU in the merchant feed. */
const itemOf = (feed: string, sku: string): string =>
  feed.split("</item>").find((item) => item.includes(`<g:id>${sku}</g:id>`)) ?? "";

const countRefreshes = ({ output }: Running): number => output().match(/^ {2}refresh /gm)?.length ?? 0;

/** `npm run build` after a price has changed. Returns its processor time, without the API's. */
async function buildQuickly({ shop }: Running): Promise<number> {
  const repository = localRepository(join(shop.folder, ".data"));
  raisePrice(shop);
  await takeOverCheckout(shop.folder, repository);
  const env = { ...bareEnvironment(), CONTENT_REPOSITORY: repository, BASE_URL: undefined, NODE_OPTIONS: undefined };
  const args = [join(shop.folder, "site/commands/build.ts")];
  const { cpuSeconds, output } = await measureUsage("npm run build", process.execPath, args, { env });
  if (!output.includes("files have changed")) throw new Error(`It wasn't quick:\n\n${output}`);
  await sleep(5_000); // in which the API opens it
  return cpuSeconds;
}

/** The share of a core that the refresh has while pieces are sold and no word changes. */
async function measureQuiet(running: Running): Promise<number> {
  const refresh = await findRefresh(running);
  const site = () => realpathSync(join(running.shop.folder, "site/dist"));
  const before = { site: site(), cpu: cpuSecondsOf(refresh) };
  const begin = performance.now();
  for (let left = 900; performance.now() - begin < QUIET_MS; left -= 1) {
    await stock(running, "set", running.one.sku, `${left}`);
    await sleep(SALE_MS);
  }
  if (site() !== before.site) throw new Error("Pages were built though no word changed");
  return ((cpuSecondsOf(refresh) - before.cpu) * 1000) / (performance.now() - begin);
}

/** The process that `npm start` runs for it. */
async function findRefresh({ process: { pid } }: Running): Promise<number> {
  const { stdout } = await promisify(execFile)("pgrep", ["--parent", `${pid}`, "--full", "release/refresh.ts"]);
  return Number(stdout);
}

async function measureFlips(running: Running): Promise<number> {
  const begin = performance.now();
  const cpuBefore = cpuSecondsOf(running.process.pid);
  for (let pieces = 0; performance.now() - begin < FLIPPING_MS; pieces = 5 - pieces) {
    await stock(running, "set", running.one.sku, `${pieces}`);
    await sleep(SALE_MS);
  }
  return ((cpuSecondsOf(running.process.pid) - cpuBefore) * 1000) / (performance.now() - begin);
}
