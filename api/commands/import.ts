import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { readCatalogue } from "../catalogue/catalogue-file.ts";
import { importProducts } from "../catalogue/import.ts";
import { COMMAND, openDatabase } from "../database/pool.ts";
import { inTransaction } from "../database/transaction.ts";
import { readDatabaseAddress } from "../env.ts";
import { runCommand } from "../run-command.ts";
import { readShopFactsFile } from "../shop/facts-file.ts";
import { storeShopFacts } from "../shop/queries.ts";

/** Rolls a trial back. */
class TrialEnded extends Error {}

await runCommand(async () => {
  const address = readDatabaseAddress(process.env);
  const { values, positionals } = parseArgs({ options: { trial: { type: "boolean" } }, allowPositionals: true });
  const [productsFile = "site/dist/products.json"] = positionals;
  const [, shopFile = join(dirname(productsFile), ".session", "store.json")] = positionals;
  const catalogue = await readCatalogue(productsFile);
  const shop = await readShopFactsFile(shopFile);
  const db = openDatabase(address, { timeouts: COMMAND });
  try {
    let printed = "";
    const importing = inTransaction(db, async (transaction) => {
      const { added, changed, archived, unchanged } = await importProducts(transaction, catalogue);
      await storeShopFacts(transaction, shop);
      printed = `${added} added, ${changed} changed, ${archived} archived, ${unchanged} unchanged.`;
      if (values.trial) throw new TrialEnded();
    });
    await importing.catch((error: unknown) => {
      if (!(error instanceof TrialEnded)) throw error;
    });
    console.log(`Products${values.trial ? ", rolled back" : ""}: ${printed}`);
  } finally {
    await db.destroy();
  }
});
