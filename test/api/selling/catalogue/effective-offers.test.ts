import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { takeNumbers } from "../../../../api/platform/database/sequence.ts";
import { readCatalogue } from "../../../../api/selling/catalogue/catalogue-file.ts";
import { followOffers } from "../../../../api/selling/catalogue/effective-offers.ts";
import { importProducts } from "../../../../api/selling/catalogue/import.ts";
import type { Product } from "../../../../api/selling/catalogue/schema.ts";
import { storeShopFacts } from "../../../../api/selling/shop/queries.ts";
import { openMigratedDatabase, startApi } from "../../api.ts";
import { countStatements } from "../../statements.ts";
import { shopFacts } from "../quote/shop.ts";
import { product, variant } from "./catalogue.ts";

const first = new Date("2026-11-01T00:00:00.000Z");
const later = new Date("2026-11-02T00:00:00.000Z");

/** Says how many are free to sell. */
const countStock = (db: Db, sku: string, count: number | null, restock_on: string | null = null) =>
  db.insertInto("stock").values({ sku, count, restock_on }).onDuplicateKeyUpdate({ count, restock_on }).execute();

/** What partners read: of each version its word, and of each product how often it changed. */
async function readProducts(get: (url: string) => Promise<{ json(): { products: Product[] } }>) {
  const { products } = (await get("/api/products")).json();
  const words = products.flatMap(({ variants }) => variants.map(({ sku, availability }) => [sku, availability]));
  return { words: Object.fromEntries(words), sequences: products.map(({ sequence }) => sequence) };
}

test("every word of content/ becomes what follows from what is left", async () => {
  const { db, get } = await startApi();
  await storeShopFacts(db, shopFacts({ few_left: 3 }));
  const later = { availability: "preorder", available_from: "2026-11-21" } as const;
  const said = {
    "in-stock": { availability: "in_stock" },
    waits: { availability: "in_stock", when_sold_out: "backorder" },
    preorder: later,
    backorder: { ...later, availability: "backorder" },
    out: { availability: "out_of_stock" },
  } as const;
  const left = { uncounted: null, many: 4, few: 3, none: 0, owed: -2 };
  const variants = Object.entries(said).flatMap(([word, overrides]) =>
    Object.keys(left).map((name) => variant(`${word}/${name}`, overrides)),
  );
  await importProducts(db, [product("a", { variants })], first);
  for (const word of Object.keys(said))
    for (const [name, count] of Object.entries(left)) await countStock(db, `${word}/${name}`, count, "2099-11-20");
  const { changed, facts } = await followOffers(db);
  expect(changed).toBe(1);
  const { words } = await readProducts(get);
  const all = (word: string, now: readonly string[]) =>
    Object.fromEntries(Object.keys(left).map((name, place) => [`${word}/${name}`, now[place]]));
  const [now, out] = ["in_stock", "out_of_stock"];
  expect(words).toEqual({
    ...all("in-stock", [now, now, now, out, out]),
    ...all("waits", [now, now, now, "backorder", "backorder"]),
    ...all("preorder", ["preorder", now, now, "preorder", "preorder"]),
    ...all("backorder", ["backorder", now, now, "backorder", "backorder"]),
    ...all("out", [out, out, out, out, out]),
  });
  const fact = (availability: string, available_from: string | null, few_left = false) => {
    return { availability, available_from, few_left };
  };
  const factsOf = (word: string, none: object) => ({
    [`${word}/few`]: fact(now, null, true),
    [`${word}/many`]: fact(now, null),
    [`${word}/none`]: none,
    [`${word}/owed`]: none,
  });
  // Neither what isn't counted, nor what content/ takes off sale.
  expect(facts).toEqual({
    ...factsOf("in-stock", fact(out, null)),
    ...factsOf("waits", fact("backorder", "2099-11-20")),
    ...factsOf("preorder", fact("preorder", "2026-11-21")),
    ...factsOf("backorder", fact("backorder", "2026-11-21")),
  });
  // A day that has passed isn't promised.
  await countStock(db, "waits/none", 0, "2026-11-20");
  expect((await followOffers(db)).facts["waits/none"]).toEqual(fact("backorder", null));
});

test("a product's sequence moves once for each real change, whoever writes it", async () => {
  const { db, get } = await startApi();
  const catalogue = [product("a"), product("b")];
  await importProducts(db, catalogue, first);
  await countStock(db, "SKU-a", 1);
  expect(await followOffers(db, later)).toMatchObject({ changed: 0 });
  await countStock(db, "SKU-a", 0);
  expect(await followOffers(db, later)).toMatchObject({ changed: 1 });
  const soldOut = { words: { "SKU-a": "out_of_stock", "SKU-b": "in_stock" }, sequences: [3, 2] };
  expect(await readProducts(get)).toEqual(soldOut);
  expect(await importProducts(db, catalogue)).toMatchObject({ changed: 0, unchanged: 2 });
  expect(await followOffers(db)).toMatchObject({ changed: 0 });
  // The editor writes what is so already.
  const taken = [product("a", { variants: [variant("SKU-a", { availability: "out_of_stock" })] }), product("b")];
  expect(await importProducts(db, taken)).toMatchObject({ changed: 0, unchanged: 2 });
  expect(await readProducts(get)).toEqual(soldOut);
  await importProducts(db, catalogue);
  await countStock(db, "SKU-a", null);
  expect(await followOffers(db)).toMatchObject({ changed: 1, facts: {} });
  expect(await readProducts(get)).toMatchObject({ words: { "SKU-a": "in_stock" }, sequences: [4, 2] });
  expect(await importProducts(db, catalogue)).toMatchObject({ changed: 0, unchanged: 2 });
});

test("a new product is imported with the word that holds, and content's own word is kept beside it", async () => {
  const { db, get } = await startApi();
  await countStock(db, "SKU-a", 0);
  await importProducts(db, [product("a")], first);
  expect(await readProducts(get)).toMatchObject({ words: { "SKU-a": "out_of_stock" } });
  const stored = await db.selectFrom("product_variants").select("availability").execute();
  expect(stored).toEqual([{ availability: "in_stock" }]);
  expect(await followOffers(db)).toMatchObject({ changed: 0 });
  // Sold no more, and what was counted of it doesn't matter.
  await importProducts(db, [product("b")], first);
  expect(await followOffers(db)).toEqual({ changed: 0, facts: {} });
  expect(await db.selectFrom("shown_offers").selectAll().execute()).toEqual([]);
});

test("what an earlier release's import wrote has the words again at the next look", async () => {
  const { db, get } = await startApi();
  await importProducts(db, [product("a")], first);
  const before = await db.selectFrom("products").select(["variants", "content_hash"]).executeTakeFirstOrThrow();
  await countStock(db, "SKU-a", 0);
  await followOffers(db);
  const { last_sequence: sequence } = await takeNumbers(db, "products", { ids: 0, sequences: 1 });
  await db
    .updateTable("products")
    .set({ ...before, sequence })
    .execute();
  expect(await readProducts(get)).toMatchObject({ words: { "SKU-a": "in_stock" } });
  expect(await followOffers(db)).toMatchObject({ changed: 1 });
  expect(await readProducts(get)).toMatchObject({ words: { "SKU-a": "out_of_stock" } });
  expect(await followOffers(db)).toMatchObject({ changed: 0 });
});

test("a look where nothing changed is three short statements, which read no product and write nothing", async () => {
  const { db } = await startApi();
  await importProducts(db, [product("a"), product("b")], first);
  await countStock(db, "SKU-a", 0);
  await followOffers(db);
  const { statements } = await countStatements(() => followOffers(db));
  expect(statements).toHaveLength(3);
  for (const statement of statements) expect(statement).toMatch(/^select .* from `(shop_facts|stock|counters)`/);
  for (const statement of statements) expect(statement).not.toContain("products`.");
});

test("the command writes the facts by SKU, the same bytes everywhere, and only what changed", async () => {
  const { db, url } = await openMigratedDatabase();
  const folder = await mkdtemp(join(tmpdir(), "stock-facts-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await importProducts(db, [product("b"), product("a")], first);
  await countStock(db, "SKU-b", 0);
  await countStock(db, "SKU-a", 5);
  const run = async (file: string) => {
    const command = join(import.meta.dirname, "../../../../api/commands/stock-facts.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [command, join(folder, file)], {
      env: { DATABASE_URL: url },
    });
    return stdout;
  };
  expect(await run("one.json")).toBe("1 products changed.\n");
  const text = await readFile(join(folder, "one.json"), "utf8");
  expect(text).toBe(`{
"SKU-a": {"availability":"in_stock","available_from":null,"few_left":false},
"SKU-b": {"availability":"out_of_stock","available_from":null,"few_left":false}
}
`);
  const { ino } = await stat(join(folder, "one.json"));
  expect(await run("one.json")).toBe("0 products changed.\n");
  expect((await stat(join(folder, "one.json"))).ino).toBe(ino);
  await run("two.json");
  expect(await readFile(join(folder, "two.json"), "utf8")).toBe(text);
});

test("the import of a build that was made with facts puts content's own words and prices back", async () => {
  const { db, get } = await startApi();
  await importProducts(db, [product("a")], first);
  await countStock(db, "SKU-a", 0);
  await followOffers(db);
  const folder = await mkdtemp(join(tmpdir(), "stock-words-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, ".session"));
  const shown = product("a", { variants: [variant("SKU-a", { availability: "out_of_stock", price: "150.00" })] });
  await writeFile(join(folder, "products.json"), JSON.stringify({ products: [shown] }));
  const words = { "SKU-a": { availability: "in_stock", available_from: null, price: "189.00" } };
  await writeFile(join(folder, ".session/content-offers.json"), JSON.stringify(words));
  const catalogue = await readCatalogue(join(folder, "products.json"));
  expect(catalogue).toEqual([product("a")]);
  expect(await importProducts(db, catalogue)).toMatchObject({ unchanged: 1 });
  await countStock(db, "SKU-a", 2);
  await followOffers(db);
  expect(await readProducts(get)).toMatchObject({ words: { "SKU-a": "in_stock" } });
  await writeFile(join(folder, ".session/content-offers.json"), JSON.stringify({ "SKU-a": { availability: "gone" } }));
  await expect(readCatalogue(join(folder, "products.json"))).rejects.toThrow("content-offers.json can't be imported");
});
