import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { findVariants } from "../../../../api/selling/catalogue/variants.ts";
import { readShopFactsFile } from "../../../../api/selling/shop/facts-file.ts";
import { readShopFacts, storeShopFacts } from "../../../../api/selling/shop/queries.ts";
import { parseShop } from "../../../../site/content-schema/shop.ts";
import { shopFacts as factsOf } from "../../../../site/private-pages/store-facts.ts";
import { shops } from "../../../workspace.ts";
import { openMigratedDatabase, openTestDatabase } from "../../api.ts";
import { product } from "../catalogue/catalogue.ts";
import { shopFacts } from "../quote/shop.ts";

/** A build's two files for the API. */
async function writeBuild(products: unknown, store: unknown) {
  const folder = await mkdtemp(join(tmpdir(), "twinfront-build-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, ".session"));
  await writeFile(join(folder, "products.json"), JSON.stringify({ products }));
  await writeFile(join(folder, ".session/store.json"), JSON.stringify(store));
  return { productsFile: join(folder, "products.json"), shopFile: join(folder, ".session/store.json") };
}

test.each(Object.entries(shops))(
  "the facts that the site writes of the shop “%s” can be imported",
  async (_name, shop) => {
    const facts = factsOf(parseShop(await readFile(join(shop, "store.yaml"), "utf8")), true);
    const { shopFile } = await writeBuild([], facts);
    expect(await readShopFactsFile(shopFile)).toEqual(facts);
  },
);

test("facts that don't fit are refused, each with its place", async () => {
  const { tax, ...rest } = shopFacts();
  const { shopFile } = await writeBuild([], { ...rest, colour: "red", tax: { ...tax, home: "nl" } });
  const error = await readShopFactsFile(shopFile).catch(({ message }) => message);
  expect(error).toContain(`${shopFile} can't be imported:\n`);
  expect(error).toContain("  - /colour isn't a field of the shop.");
  expect(error).toContain("  - /tax/home must match pattern");
  await expect(readShopFactsFile("/nowhere/store.json")).rejects.toThrow(
    "/nowhere/store.json: The file doesn't exist. Build the site first: npm run build.",
  );
});

test("facts are stored once, and only a change is written", async () => {
  const db = await openTestDatabase();
  await expect(readShopFacts(db)).rejects.toThrow("The shop's facts aren't imported. Run: npm run import.");
  await storeShopFacts(db, shopFacts());
  expect(await readShopFacts(db)).toEqual(shopFacts());
  const long = new Date("2020-01-01T00:00:00.000Z");
  await db.updateTable("shop_facts").set({ imported_at: long }).execute();
  await storeShopFacts(db, shopFacts());
  expect(await db.selectFrom("shop_facts").select("imported_at").execute()).toEqual([
    { imported_at: "2020-01-01 00:00:00.000" },
  ]);
  await storeShopFacts(db, shopFacts({ name: "Otherwell" }));
  expect((await readShopFacts(db)).name).toBe("Otherwell");
  expect(await db.selectFrom("shop_facts").select("imported_at").execute()).not.toEqual([
    { imported_at: "2020-01-01 00:00:00.000" },
  ]);
});

test("facts of another release's shape count as missing", async () => {
  const db = await openTestDatabase();
  await storeShopFacts(db, shopFacts());
  await db
    .updateTable("shop_facts")
    .set({ facts: JSON.stringify({ name: "Counterwell" }) as never })
    .execute();
  await expect(readShopFacts(db)).rejects.toMatchObject({ statusCode: 503 });
});

const IMPORT = join(import.meta.dirname, "../../../../api/commands/import.ts");

test("npm run import takes the catalogue and the shop's facts beside it, or neither of them", async () => {
  const { db, url } = await openMigratedDatabase();
  const run = (...files: string[]) =>
    promisify(execFile)(process.execPath, [IMPORT, ...files], { env: { ...process.env, DATABASE_URL: url } });
  const { productsFile, shopFile } = await writeBuild([product("a")], shopFacts());
  expect((await run(productsFile)).stdout).toBe("Products: 1 added, 0 changed, 0 archived, 0 unchanged.\n");
  expect(await readShopFacts(db)).toEqual(shopFacts());
  expect((await findVariants(db, ["SKU-a"])).size).toBe(1);
  expect((await run(productsFile, shopFile)).stdout).toBe("Products: 0 added, 0 changed, 0 archived, 1 unchanged.\n");

  const broken = await writeBuild([product("a"), product("b")], {});
  await expect(run(broken.productsFile)).rejects.toThrow("can't be imported");
  expect((await findVariants(db, ["SKU-b"])).size).toBe(0);
});

test("npm run import -- --hold says what would change, and commits it only after a line on its standard input", async () => {
  const { db, url } = await openMigratedDatabase();
  const { productsFile } = await writeBuild([product("a")], shopFacts());
  const findings = async (answer: string) => {
    const child = spawn(process.execPath, [IMPORT, "--hold", productsFile], {
      env: { ...process.env, DATABASE_URL: url },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = child.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
    const { value: held } = await lines.next();
    const before = (await findVariants(db, ["SKU-a"])).size;
    child.stdin.end(answer);
    const { value: ended } = await lines.next();
    return [held, before, ended, (await findVariants(db, ["SKU-a"])).size];
  };
  const counts = "1 added, 0 changed, 0 archived, 0 unchanged.\n";
  const held = `Products, not yet committed: ${counts}`;
  expect(await findings("")).toEqual([held, 0, `Products, rolled back: ${counts}`, 0]);
  expect(await findings("\n")).toEqual([held, 0, `Products: ${counts}`, 1]);
});
