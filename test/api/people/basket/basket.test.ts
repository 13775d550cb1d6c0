import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import {
  addToBasket,
  BasketChanged,
  BasketFull,
  readBasket,
  setQuantities,
  subtractFromBasket,
} from "../../../../api/people/basket/queries.ts";
import { now } from "../../../../api/platform/database/columns.ts";
import { type Db, openDatabase } from "../../../../api/platform/database/pool.ts";
import { inTransaction } from "../../../../api/platform/database/transaction.ts";
import type { Variant } from "../../../../api/selling/catalogue/variants.ts";
import { openMigratedDatabase, openTestDatabase, PATIENT } from "../../api.ts";
import { storeVariants } from "./variants.ts";

async function openSession(db: Db): Promise<number> {
  const values = { token_hash: crypto.randomUUID(), created_at: now(), used_at: now() };
  const { insertId } = await db.insertInto("sessions").values(values).executeTakeFirstOrThrow();
  return Number(insertId);
}

/** A database with a basket and these versions for sale. */
async function startBasket(...skus: string[]) {
  const db = await openTestDatabase();
  const variants = await storeVariants(db, ...skus.map((sku) => ({ sku })));
  return { db, session: await openSession(db), variants };
}

const quantities = async (db: Db, session: number) =>
  Object.fromEntries((await readBasket(db, session)).map(({ sku, quantity }) => [sku, quantity]));

const pieces = (variants: readonly Variant[], quantity: number) => variants.map((variant) => ({ variant, quantity }));

test("a basket keeps its lines in the order in which they were added", async () => {
  const { db, session, variants } = await startBasket("B", "A");
  for (const variant of variants) await addToBasket(db, session, pieces([variant], 2));
  expect(await readBasket(db, session)).toMatchObject([
    { sku: "B", quantity: 2, seen_price: "189.0000", variant: { availability: "in_stock" } },
    { sku: "A", quantity: 2 },
  ]);
});

test("two baskets have nothing to do with each other", async () => {
  const { db, session, variants } = await startBasket("A");
  const other = await openSession(db);
  await addToBasket(db, session, pieces(variants, 1));
  await addToBasket(db, other, pieces(variants, 5));
  await setQuantities(db, session, [{ sku: "A", quantity: 0 }]);
  expect([await quantities(db, session), await quantities(db, other)]).toEqual([{}, { A: 5 }]);
});

test("pieces added 20 times at once by two processes all count", async () => {
  const { db, url } = await openMigratedDatabase();
  const otherProcess = openDatabase(readDatabaseAddress({ DATABASE_URL: url }), { timeouts: PATIENT });
  const variants = await storeVariants(db, { sku: "A" }, { sku: "B" });
  const session = await openSession(db);
  const reversed = variants.toReversed();
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      await Promise.all([
        addToBasket(db, session, pieces(variants, 1)),
        addToBasket(otherProcess, session, pieces(reversed, 1)),
      ]);
    }),
  );
  await otherProcess.destroy();
  expect(await quantities(db, session)).toEqual({ A: 20, B: 20 });
});

test("more than 999 pieces of a version become 999", async () => {
  const { db, session, variants } = await startBasket("A");
  await addToBasket(db, session, pieces(variants, 999));
  await addToBasket(db, session, pieces(variants, 1));
  expect(await quantities(db, session)).toEqual({ A: 999 });
});

test("the 101st line is refused together with all that comes with it, also when two tabs add at once", async () => {
  const skus = Array.from({ length: 103 }, (_, index) => `S${index}`);
  const { db, session, variants } = await startBasket(...skus);
  await addToBasket(db, session, pieces(variants.slice(0, 99), 1));
  await expect(addToBasket(db, session, pieces(variants.slice(99, 101), 1))).rejects.toThrow(BasketFull);
  expect(Object.keys(await quantities(db, session))).toHaveLength(99);
  // One tab's transaction is still open when the other adds.
  const tab = await db.startTransaction().execute();
  await addToBasket(tab, session, pieces(variants.slice(101, 102), 1));
  const other = Promise.allSettled([addToBasket(db, session, pieces(variants.slice(102), 1))]);
  await Promise.race([other, sleep(300)]);
  await tab.commit().execute();
  expect(await other).toMatchObject([{ status: "rejected" }]);
  expect(Object.keys(await quantities(db, session))).toHaveLength(100);
});

test("a changed line remembers the price of that day, and others keep the price they were added at", async () => {
  const { db, session, variants } = await startBasket("A", "B");
  await addToBasket(db, session, pieces(variants, 1));
  await db.updateTable("product_variants").set({ price: "199.00" }).execute();
  await setQuantities(db, session, [{ sku: "A", quantity: 2 }]);
  const lines = await readBasket(db, session);
  expect(lines.map(({ seen_price }) => seen_price)).toEqual(["199.0000", "189.0000"]);
});

test("setting the quantity of a line that another tab has removed doesn't bring it back", async () => {
  const { db, session, variants } = await startBasket("A");
  await addToBasket(db, session, pieces(variants, 1));
  await setQuantities(db, session, [{ sku: "A", quantity: 0 }]);
  await setQuantities(db, session, [{ sku: "A", quantity: 3 }]);
  expect(await quantities(db, session)).toEqual({});
});

test("what was ordered leaves the basket, and what was added meanwhile stays", async () => {
  const { db, session, variants } = await startBasket("A", "B", "C");
  await addToBasket(db, session, pieces(variants, 2));
  await addToBasket(db, session, pieces(variants.slice(0, 1), 3));
  const ordered = [
    { sku: "A", quantity: 2 },
    { sku: "B", quantity: 2 },
  ];
  await inTransaction(db, (transaction) => subtractFromBasket(transaction, session, ordered));
  expect(await quantities(db, session)).toEqual({ A: 3, C: 2 });
});

test("an order of more than the basket holds by now takes nothing out of it", async () => {
  const { db, session, variants } = await startBasket("A", "B");
  await addToBasket(db, session, pieces(variants, 2));
  for (const less of [1, 0]) {
    await setQuantities(db, session, [{ sku: "B", quantity: less }]);
    const ordered = [
      { sku: "A", quantity: 2 },
      { sku: "B", quantity: 2 },
    ];
    const subtracting = inTransaction(db, (transaction) => subtractFromBasket(transaction, session, ordered));
    await expect(subtracting).rejects.toThrow(BasketChanged);
    expect(await quantities(db, session)).toMatchObject({ A: 2 });
  }
});

test("a SKU that the catalogue doesn't know any more stays in the basket, without a version", async () => {
  const { db, session, variants } = await startBasket("A");
  await addToBasket(db, session, pieces(variants, 2));
  await db.deleteFrom("product_variants").execute();
  expect(await readBasket(db, session)).toEqual([
    { sku: "A", quantity: 2, seen_price: "189.0000", variant: undefined },
  ]);
  await setQuantities(db, session, [{ sku: "A", quantity: 1 }]);
  expect(await quantities(db, session)).toEqual({ A: 1 });
});
