import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { importProducts } from "../../../../api/selling/catalogue/import.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { storeShopFacts } from "../../../../api/selling/shop/queries.ts";
import { openMigratedDatabase } from "../../api.ts";
import { run } from "../../server-process.ts";
import { product } from "../catalogue/catalogue.ts";
import { newLine, newOrder } from "../orders/new-order.ts";
import { shopFacts } from "../quote/shop.ts";

const buyer = { email: "ada@example.com", first_name: null, last_name: null, company: null, phone: null, vat_id: null };
const { transfer } = shopFacts();
const counting = shopFacts({ transfer: transfer && { ...transfer, cancel_after_days: 21 } });

/** A shop with one version, X-a, and `npm run stock`. */
async function start() {
  const { db, url } = await openMigratedDatabase();
  await storeShopFacts(db, counting);
  await importProducts(db, [product("a")]);
  const stock = async (...args: string[]) => {
    const { output, ended } = run("commands/stock.ts", { DATABASE_URL: url }, ...args);
    return [await ended, output.stdout + output.stderr];
  };
  return { db, stock };
}

test("a shop without an ERP counts what is on the shelf, with what is ordered and not sent, by SKU and by file", async () => {
  const { db, stock } = await start();
  const folder = mkdtempSync(join(tmpdir(), "twinfront-stock-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "pieces.csv");
  expect(await stock("show")).toEqual([0, "Nothing is counted yet: npm run stock -- set SKU PIECES\n"]);
  const line = newLine({ sku: "X-a", quantity: 2, unit_price: "10" });
  const { id } = await placeOrder(db, newOrder({ buyer, lines: [line] }));
  await changeOrder(db, id, { status: "processing" });
  const counted = "X-a: 12 free to sell (14 on the shelf, 2 of them ordered and not sent).\n";
  expect(await stock("set", "X-a", "14")).toEqual([0, counted]);
  expect(await stock("show", "X-a")).toEqual([0, counted]);
  await changeOrder(db, id, { status: "cancelled" });
  expect(await stock("show")).toEqual([0, "X-a: 14 free to sell (14 on the shelf).\n"]);
  writeFileSync(file, "\uFEFFsku;pieces\r\nX-a;3\r\nX-z;1\r\n");
  expect(await stock("read", file)).toEqual([
    1,
    "X-a: 3 free to sell (3 on the shelf).\nX-z is left: no version has this SKU.\n",
  ]);
  expect(await stock("set", "X-a", "none")).toEqual([0, "X-a isn't counted.\n"]);
});

test("the command refuses what isn't a count, and to count for an ERP, and stores nothing", async () => {
  const { db, stock } = await start();
  expect(await stock("set", "X-a", "1.5")).toEqual([
    1,
    "Write the pieces as a whole number from 0 to 1000000, or none. You wrote “1.5”.\n",
  ]);
  await storeShopFacts(db, { ...counting, erp: { owns: ["stock"], books_placed: false } });
  expect(await stock("set", "X-a", "1")).toEqual([1, expect.stringContaining("`erp: owns` in store.yaml says so")]);
  await storeShopFacts(db, shopFacts());
  expect(await stock("set", "X-a", "1")).toEqual([1, expect.stringContaining("`cancel_after_days`")]);
  expect(await stock("show")).toEqual([0, expect.stringContaining("Nothing is counted yet")]);
});
