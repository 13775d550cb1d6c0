import { Compile } from "typebox/schema";
import { ShopFacts } from "../../contract/built-files/store.ts";
import { brokenFile, describeMismatches, readBuiltFile } from "../../platform/private-pages/built-file.ts";

const facts = Compile(ShopFacts);

/** Reads and validates store.json. Throws BuiltFileError with every problem. */
export async function readShopFactsFile(path: string): Promise<ShopFacts> {
  const value = await readBuiltFile(path);
  if (!facts.Check(value)) throw brokenFile(path, describeMismatches(facts.Errors(value)[1], "the shop"));
  return value;
}
