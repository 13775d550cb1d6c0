import { seededRandom } from "../../../api/operation/demo/random.ts";
import { killChildren } from "../../../nginx/local/child-process.ts";
import { step } from "../../../nginx/local/report.ts";
import { ensureSystemPackages } from "../../../nginx/local/system-packages.ts";
import { addCleanup } from "../../cleanup.ts";
import { interleave, ROUNDS } from "../rounds.ts";
import type { Findings } from "../table.ts";
import { timeSaves } from "./dev-saves.ts";
import {
  addSentence,
  buildAfterChanges,
  buildAll,
  buildChanged,
  buildFaces,
  buildHtml,
  changePicture,
  changeTagline,
  differencesOf,
  raisePrice,
  startSite,
} from "./own-builds.ts";
import { prepareEleventy, prepareHugo } from "./peers.ts";
import { type Builder, countProducts, drawGrowth, rowOfChanges, rowsOfLarge, sideName, toRows } from "./rows.ts";
import { copyShop, makeShop, type Shop } from "./shop.ts";
import type { Usage } from "./usage.ts";

type Sides = Record<string, () => Promise<Usage>>;

/** Numbers of products, ascending. */
const SIZES = [1_000, 3_000, 10_000];

/** Measures the site's build: both faces, growth, one change, saves in the dev server, Hugo and Eleventy. */
export async function benchBuild(): Promise<Findings> {
  ensureSystemPackages(["hugo"]);
  const { sides, largest } = await step("shops", async () => ({
    summary: countProducts(SIZES.reduce((sum, products) => sum + products, 0)),
    value: prepareSides(),
  }));
  // Added after the folders, so that processes end before their folders are removed.
  addCleanup(killChildren);
  const usages = await interleave(sides);
  const starts = await startUnchanged(largest);
  const saves = await timeSaves(largest);
  const measured = { sizes: SIZES, usages, starts, saves };
  return { rows: toRows(measured), plots: drawGrowth(measured) };
}

/** Compares `npm run build` of 50,000 products with one of 10,000, once. */
export async function benchLarge(): Promise<Findings> {
  addCleanup(killChildren);
  const [small, large] = [10_000, 50_000].map(makeShop) as [Shop, Shop];
  const build = (shop: Shop) => report("all", countProducts(shop.products), () => buildAll(shop));
  return { rows: rowsOfLarge(large.products, await build(large), small.products, await build(small)) };
}

/** Compares what quick builds of 10,000 products have after 20 random changes with a build of the same content from nothing. */
export async function benchChanges(): Promise<Findings> {
  addCleanup(killChildren);
  const shop = makeShop(10_000);
  await report("all", countProducts(shop.products), () => buildAll(shop));
  const random = seededRandom(20);
  for (let changed = 5; changed <= 20; changed += 5)
    await report("quick", `${changed} changes`, () => buildAfterChanges(shop, 5, random));
  const fresh = copyShop(shop);
  await report("all", "the same content", () => buildAll(fresh));
  const different = await differencesOf(shop, fresh);
  if (different.length > 0) console.error(`These files differ:\n${different.join("\n")}`);
  return { rows: [rowOfChanges(different.length)] };
}

/** The sides of a round; `largest` is the shop that `npm run build` builds. */
function prepareSides(): { sides: Sides; largest: Shop } {
  const sides: Sides = {};
  const add = (builder: Builder, { products }: Shop, build: () => Promise<Usage>) => {
    sides[sideName(builder, products)] = () => report(builder, countProducts(products), build);
  };
  for (const products of SIZES) {
    const shop = makeShop(products);
    add("html", shop, () => buildHtml(shop));
    add("faces", shop, () => buildFaces(shop));
    add("hugo", shop, prepareHugo(shop));
    add("eleventy", shop, prepareEleventy(shop));
  }
  // A separate copy, because a change builds on the caches of the full build before it.
  const largest = makeShop(Math.max(...SIZES));
  add("all", largest, () => buildAll(largest));
  add("price", largest, () => buildChanged(largest, raisePrice));
  add("text", largest, () => buildChanged(largest, addSentence));
  add("picture", largest, () => buildChanged(largest, changePicture));
  add("setting", largest, () => buildChanged(largest, changeTagline));
  return { sides, largest };
}

/** The first `npm start` builds, because it has no record of its input yet. */
async function startUnchanged(shop: Shop): Promise<Usage[]> {
  await report("start", "builds once more, not measured", () => startSite(shop, "builds"));
  const starts: Usage[] = [];
  while (starts.length < ROUNDS) starts.push(await report("start", "nothing changed", () => startSite(shop, "skips")));
  return starts;
}

/** Runs a build, and prints its usage as a line of progress. */
const report = (name: string, what: string, build: () => Promise<Usage>): Promise<Usage> =>
  step(name, async () => {
    const value = await build();
    const { cpuSeconds, peakMb } = value;
    return { summary: `${what}, ${cpuSeconds.toFixed(1)} s CPU, ${Math.round(peakMb)} MB`, value };
  });
