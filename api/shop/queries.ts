import { Compile } from "typebox/compile";
import { readJson } from "../database/columns.ts";
import type { Db } from "../database/pool.ts";
import { ShopFacts } from "./facts.ts";

/** Nothing can be sold: the shop's facts weren't imported, or by a release whose facts had another shape. */
export class NoShopFacts extends Error {
  override readonly name = "NoShopFacts";
  override readonly message = "The shop's facts aren't imported. Run: npm run import.";
}

const facts = Compile(ShopFacts);

/** The shop's facts as they were last imported. Throws NoShopFacts. */
export async function readShopFacts(db: Db): Promise<ShopFacts> {
  const row = await db.selectFrom("shop_facts").select("facts").executeTakeFirst();
  const stored = row && readJson(row.facts);
  if (!facts.Check(stored)) throw new NoShopFacts();
  return stored;
}
