import { dirname, join } from "node:path";
import { readCatalogue } from "../catalogue/catalogue-file.ts";
import { importProducts } from "../catalogue/import.ts";
import { COMMAND, openDatabase } from "../database/pool.ts";
import { inTransaction } from "../database/transaction.ts";
import { readDatabaseAddress } from "../env.ts";
import { runCommand } from "../run-command.ts";
import { readShopFactsFile } from "../shop/facts-file.ts";
import { storeShopFacts } from "../shop/queries.ts";

await runCommand(async () => {
  const address = readDatabaseAddress(process.env);
  const [, , productsFile = "site/dist/products.json", ...others] = process.argv;
  const [shopFile = join(dirname(productsFile), ".session", "store.json")] = others;
  const catalogue = await readCatalogue(productsFile);
  const shop = await readShopFactsFile(shopFile);
  const db = openDatabase(address, { timeouts: COMMAND });
  try {
    const { added, changed, archived, unchanged } = await inTransaction(db, async (transaction) => {
      const result = await importProducts(transaction, catalogue);
      await storeShopFacts(transaction, shop);
      return result;
    });
    console.log(`Products: ${added} added, ${changed} changed, ${archived} archived, ${unchanged} unchanged.`);
  } finally {
    await db.destroy();
  }
});
