import { createHash, randomBytes } from "node:crypto";
import { days } from "../../contract/duration.ts";
import { ago, now } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";

/** How long a link in a mail works. */
export const ORDER_KEY_KEPT_MS = days(90);

/** Makes a key that opens an order's page. Only its hash is stored, so each mail has its own. */
export async function mintOrderKey(db: Db, orderId: number): Promise<string> {
  const key = randomBytes(32).toString("base64url");
  await db
    .insertInto("order_keys")
    .values({ key_hash: hash(key), order_id: orderId, created_at: now() })
    .execute();
  return key;
}

/** The order that a key opens; undefined for an unknown or an expired key. */
export async function findKeyOrder(db: Db, key: string): Promise<{ id: number; number: string } | undefined> {
  return db
    .selectFrom("order_keys")
    .innerJoin("orders", "orders.id", "order_keys.order_id")
    .select(["orders.id", "orders.number"])
    .where("key_hash", "=", hash(key))
    .where("order_keys.created_at", ">", ago(ORDER_KEY_KEPT_MS))
    .executeTakeFirst();
}

const hash = (key: string) => createHash("sha256").update(key).digest("hex");
