import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildForStart } from "../built-shops.ts";
import { byDepth } from "../depth.ts";
import { runRelease } from "../end-to-end/release-process.ts";
import { type ShopProcess, startShop, stopShops } from "../end-to-end/shop-process.ts";
import { copyWithContent, validContent } from "../site/content-check/content-tree.ts";
import { startTwoApis, type TwoApis } from "./two-apis.ts";
import { sendVisitors } from "./visitors.ts";

const RELEASES = byDepth({ usual: 4, deep: 10 });
const RESTARTS = RELEASES / 2;
const REQUESTS = byDepth({ usual: 8_000, deep: 100_000 });

let workspace: string;
let shop: ShopProcess;
let apis: TwoApis;

beforeAll(async () => {
  workspace = copyWithContent();
  await buildForStart(workspace);
  shop = await startShop(workspace, { RATE_LIMIT_PER_MINUTE: "0" });
  apis = await startTwoApis(workspace, shop);
});
afterAll(async () => {
  await apis.stop();
  await stopShops();
  rmSync(workspace, { recursive: true, force: true });
});

/** Every release has another price and another style sheet; one in the middle renames a page. */
function prepareRelease(number: number): void {
  const product = "products/barcode-scanners/kestrel-c2.md";
  const text = (validContent[product] ?? "").replace("189.00", `${200 + number}.00`);
  writeFileSync(join(workspace, "content", product), text);
  const sheet = join(workspace, "site/src/styles/base.css");
  writeFileSync(sheet, `${readFileSync(sheet, "utf8")}\n.release-${number} { color: red; }\n`);
  if (number !== RELEASES / 2) return;
  const [about, aboutUs] = ["about", "about-us"].map((name) => join(workspace, `content/pages/${name}.md`));
  if (!about || !aboutUs) return;
  writeFileSync(about, readFileSync(about, "utf8").replace("updated:", "formerly: [about]\nupdated:"));
  renameSync(about, aboutUs);
}

test(`no request fails and no page lacks its style sheet during ${RELEASES} releases, a renamed page and ${RESTARTS} restarts of the API`, {
  timeout: 1_200_000,
}, async () => {
  const since = performance.now();
  const paths = ["/", "/products/kestrel-c2", "/about", "/categories/barcode-scanners", "/products/osprey", "/guides"];
  let number = 1;
  const visitors = sendVisitors(16, shop, paths, () => (REQUESTS * number) / RELEASES);
  for (; number <= RELEASES; number += 1) {
    prepareRelease(number);
    const restart = number <= RESTARTS ? apis.restart(number % 2 === 0 ? 0 : 1) : undefined;
    const [code, output] = await runRelease(workspace, shop);
    expect([code, output]).toEqual([0, expect.stringContaining(`Release ${number} is live.`)]);
    await restart;
  }
  // nginx serves the last release within a second.
  const isEnough = () => visitors.requests() >= REQUESTS && visitors.sheets.size > RELEASES;
  while (!isEnough() && visitors.failures.length === 0) await sleep(100);
  await visitors.leave();
  const minutes = ((performance.now() - since) / 60_000).toFixed(1);
  console.log(
    `${visitors.failures.length} of ${visitors.requests()} requests failed, ${visitors.unstyled.length} pages without their style sheet, during ${RELEASES} releases, one renamed page and ${RESTARTS} restarts of the API, in ${minutes} minutes`,
  );
  expect([visitors.failures.slice(0, 20), visitors.unstyled.slice(0, 20)]).toEqual([[], []]);
  expect(visitors.requests()).toBeGreaterThanOrEqual(REQUESTS);
  expect(visitors.sheets.size).toBe(RELEASES + 1);
  const moved = await fetch(`${shop.url}/about`, { redirect: "manual" });
  expect([moved.status, moved.headers.get("location")]).toEqual([301, "/about-us"]);
  for (const sheet of [...visitors.sheets].slice(-3)) expect((await fetch(`${shop.url}${sheet}`)).status).toBe(200);
  const began = performance.now();
  expect(await runRelease(workspace, shop, "rollback")).toEqual([
    0,
    expect.stringContaining(`release ${RELEASES - 1} shown`),
  ]);
  console.log(`Rollback in ${((performance.now() - began) / 1000).toFixed(1)} s`);
});
