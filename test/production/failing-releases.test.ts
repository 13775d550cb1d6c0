import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { buildForStart } from "../built-shops.ts";
import { runRelease, startRelease } from "../end-to-end/release-process.ts";
import { type ShopProcess, startShop, stopShops } from "../end-to-end/shop-process.ts";
import { copyWithContent, validContent } from "../site/content-check/content-tree.ts";

let workspace: string;
let shop: ShopProcess;
const product = "content/products/barcode-scanners/kestrel-c2.md";
const text = validContent["products/barcode-scanners/kestrel-c2.md"] ?? "";
const changed = new Map<string, string>();

beforeAll(async () => {
  workspace = copyWithContent();
  await buildForStart(workspace);
  shop = await startShop(workspace, { RATE_LIMIT_PER_MINUTE: "0" });
  expect(await runRelease(workspace, shop)).toEqual([0, expect.stringContaining("Release 1 is live.")]);
});
// The next test starts from the same project.
afterEach(() => {
  for (const [file, before] of changed) {
    if (before === "") rmSync(join(workspace, file));
    else writeFileSync(join(workspace, file), before);
  }
  changed.clear();
});
afterAll(async () => {
  await stopShops();
  rmSync(workspace, { recursive: true, force: true });
});

function change(file: string, edit: (before: string) => string): void {
  const path = join(workspace, file);
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (!changed.has(file)) changed.set(file, before);
  writeFileSync(path, edit(before));
}

const setPrice = (price: string) => change(product, () => text.replace("189.00", price));

/** What visitors and partners get: the site's folder and the API's products, with or without what pollers follow. */
async function observe(keepSequences = true): Promise<unknown> {
  const answer = await fetch(`${shop.url}/api/products`, { headers: { authorization: `Bearer ${shop.token}` } });
  const { products } = (await answer.json()) as { products: Record<string, unknown>[] };
  const rows = keepSequences ? products : products.map(({ sequence: _, updated_at: __, ...rest }) => rest);
  return { site: realpathSync(join(workspace, "site/dist")), page: await pageOf(shop.url), products: rows };
}

const pageOf = async (url: string) => (await fetch(`${url}/products/kestrel-c2.md`)).text();
const releases = () => readdirSync(join(workspace, ".data/releases")).sort();

test("a failed migration leaves pages and catalogue as they were", async () => {
  const before = await observe();
  setPrice("201.00");
  change(
    "api/platform/database/migrations/2099-01-01-01-broken.ts",
    () => 'export async function up(): Promise<void> {\n  throw new Error("broken on purpose");\n}\n',
  );
  expect(await runRelease(workspace, shop)).toEqual([1, expect.stringContaining("broken on purpose")]);
  expect([await observe(), releases()]).toEqual([before, ["1", "current"]]);
});

test("a failed import leaves pages and catalogue as they were", async () => {
  const before = await observe();
  setPrice("202.00");
  change("api/selling/catalogue/variants.ts", (code) =>
    code.replace(
      /(export (?:async )?function storeVariants\([\s\S]*?\{\n)/,
      '$1  throw new Error("variants are broken");\n',
    ),
  );
  expect(await runRelease(workspace, shop)).toEqual([1, expect.stringContaining("variants are broken")]);
  expect([await observe(), releases()]).toEqual([before, ["1", "current"]]);
});

test("a release that visitors don't get as it was built goes back, prices too", async () => {
  const before = await observe(false);
  setPrice("203.00");
  const elsewhere = createServer((_, answer) => answer.writeHead(200).end("another shop")).listen(0, "127.0.0.1");
  await once(elsewhere, "listening");
  const { port } = elsewhere.address() as AddressInfo;
  const [code, output] = await runRelease(workspace, { url: `http://127.0.0.1:${port}` });
  elsewhere.close();
  expect([code, output]).toEqual([1, expect.stringContaining("answers with another build's index.html")]);
  expect(output).toContain("The shop is as it was before this release.");
  expect([await observe(false), releases()]).toEqual([before, ["1", "current"]]);
});

test("a release killed at any step is no obstacle to the next, and visitors always get pages", async () => {
  const prices = ["204.00", "205.00", "206.00", "207.00"];
  for (const [index, step] of ["packages linked", "HTML and Markdown", "nginx of their own", "up to date"].entries()) {
    setPrice(prices[index] ?? "");
    await startRelease(workspace, shop).killAfter(step);
    expect(await pageOf(shop.url)).toContain("Kestrel C2 cordless scanner");
  }
  setPrice("208.00");
  const [code, output] = await runRelease(workspace, shop);
  expect([code, output]).toEqual([0, expect.stringMatching(/Release \d+ is live\./)]);
  const [number = ""] = /(?<=Release )\d+(?= is live)/.exec(output) ?? [];
  expect(readlinkSync(join(workspace, ".data/releases/current"))).toBe(number);
  expect(releases()).toEqual(["1", number, "current"]);
  expect(await observe()).toMatchObject({
    page: expect.stringContaining("208.00"),
    products: expect.arrayContaining([
      expect.objectContaining({ variants: [expect.objectContaining({ price: "208.00" })] }),
    ]),
  });
});
