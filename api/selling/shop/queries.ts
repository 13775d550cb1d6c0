import { isDeepStrictEqual } from "node:util";
import { Compile } from "typebox/schema";
import { ShopFacts } from "../../contract/built-files/store.ts";
import { now, readJson, writeJson } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";

/** Nothing can be sold: the shop's facts weren't imported, or by a release whose facts had another shape. */
class NoShopFacts extends Error {
  override readonly name = "NoShopFacts";
  /** The status of the answer, as Fastify reads it. */
  readonly statusCode = 503;
  override readonly message = "The shop's facts aren't imported. Run: npm run import.";
}

const facts = Compile(ShopFacts);

/** The same text gives the same object, since every private page reads it. */
let last: { text: string; shop: ShopFacts } | undefined;

/** The shop's facts as they were last imported. Throws an error with the status 503 if there are none. */
export async function readShopFacts(db: Db): Promise<ShopFacts> {
  const shop = await findShopFacts(db);
  if (!shop) throw new NoShopFacts();
  return shop;
}

/** The shop's facts as they were last imported; undefined if there are none. */
export async function findShopFacts(db: Db): Promise<ShopFacts | undefined> {
  const row = await db.selectFrom("shop_facts").select("facts").executeTakeFirst();
  if (row && row.facts === last?.text) return last.shop;
  const shop = row && readJson(row.facts);
  if (!row || !facts.Check(shop)) return undefined;
  last = { text: row.facts, shop };
  return shop;
}

/** Stores the shop's facts, unless they are the stored ones. */
export async function storeShopFacts(db: Db, shop: ShopFacts): Promise<void> {
  const row = await db.selectFrom("shop_facts").select("facts").executeTakeFirst();
  // MySQL sorts the keys of stored JSON.
  if (row && isDeepStrictEqual(readJson(row.facts), shop)) return;
  const values = { facts: writeJson<unknown>(shop), imported_at: now() };
  await db
    .insertInto("shop_facts")
    .values({ id: 1, ...values })
    .onDuplicateKeyUpdate(values)
    .execute();
}
