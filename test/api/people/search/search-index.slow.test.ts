import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { find } from "../../../../api/people/search/find.ts";
import { buildSessionFolder } from "../../../../site/private-pages/session-folder.ts";
import { frame } from "../../platform/private-pages/pages.ts";
import { largeShop } from "./large-shop.ts";
import { countBytes, followSearch } from "./opening.ts";
import { searchIndexOf } from "./search-file.ts";

const PRODUCTS = 20_000;
/** What a product may take in the API's memory. */
const MOST_BYTES = 8_000;
/** Of the processor, before others have their turn, and until the index is open. */
const [MOST_MS, MOST_PROCESSOR_MS] = [50, 2_000];

test("the index of 20,000 products is small, opened without keeping others waiting, and gone after the next release", async () => {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-index-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const out = join(folder, ".session");
  const shop = { name: "Shop", locale: "en-GB", currency: "EUR" };
  const release = async (products: number) =>
    buildSessionFolder({ ...{ frame, shop, out }, search: await searchIndexOf(largeShop(products)), assistant: "{}" });
  await release(PRODUCTS);
  const before = await countBytes();
  const open = followSearch(out);

  // Nothing of it stays here, so that it can go.
  const first = await open().then(({ index, ...opening }) => ({
    ...opening,
    slug: index.findSku(`K-${PRODUCTS - 1}-2`)?.product.slug,
    hits: find(index, "coin counter").hits.length,
  }));
  expect(first.slug).toMatch(`k${PRODUCTS - 1}-`);
  expect(first.hits).toBeGreaterThan(PRODUCTS / 10);
  expect(first.longestMs).toBeLessThan(MOST_MS);
  expect(first.processorMs).toBeLessThan(MOST_PROCESSOR_MS);
  expect(((await countBytes()) - before) / PRODUCTS).toBeLessThan(MOST_BYTES);

  await release(1);
  await expect.poll(async () => (await open()).index.size).toBeLessThan(100);
  expect(((await countBytes()) - before) / PRODUCTS).toBeLessThan(MOST_BYTES / 10);
});
