import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { sellsOnline } from "../../../api/contract/ways-to-pay.ts";
import { parseShop } from "../../../site/content-schema/shop.ts";
import { shopFacts } from "../../../site/private-pages/store-facts.ts";
import { shops } from "../../workspace.ts";

/** Not a literal, because TypeScript would follow it to what only Vite resolves. */
const ORDERING = join(import.meta.dirname, "../../../site/src/shop/ordering.ts");

test.each([
  ["shipping and transfer", true, [], false],
  ["no shipping", false, ["shipping"], true],
  ["no payment", false, ["payment"], false],
  ["cards alone", true, ["payment"], true],
])("a shop with %s has links to its basket exactly if its basket sells: %s", async (_, sells, without, takesCards) => {
  const shop = parseShop(readFileSync(join(shops.demo, "store.yaml"), "utf8"));
  for (const field of without) Reflect.deleteProperty(shop, field);
  vi.resetModules();
  vi.doMock("../../../site/src/settings/own-words.ts", () => ({ ownWords: {} }));
  vi.doMock("../../../site/src/settings/shop.ts", () => ({ shop, takesCards }));
  const { sellsOnline: siteSells } = await import(ORDERING);
  expect([siteSells, sellsOnline(shopFacts(shop, takesCards) as never)]).toEqual([sells, sells]);
});
