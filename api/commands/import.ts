// `npm run import`: what a build says of products and shop → tables. `--hold` prints what would change, and commits only after
// a line on its standard input; without one, all is as it was.
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { readDatabaseAddress } from "../env.ts";
import { COMMAND, openDatabase } from "../platform/database/pool.ts";
import { inTransaction } from "../platform/database/transaction.ts";
import { readArguments } from "../read-arguments.ts";
import { runCommand } from "../run-command.ts";
import { readCatalogue } from "../selling/catalogue/catalogue-file.ts";
import { importProducts } from "../selling/catalogue/import.ts";
import { readShopFactsFile } from "../selling/shop/facts-file.ts";
import { storeShopFacts } from "../selling/shop/queries.ts";

const USAGE = `Usage: npm run import

Takes over what the last build says of products and shop into the tables in DATABASE_URL. Run it after every build.

  npm run import -- PRODUCTS [SHOP]   reads another build's files: products.json, and .session/store.json beside it
  npm run import -- --hold [FILES]    prints what would change, and commits only after a line on its standard input`;

/** Rolls an import back that nobody has confirmed. */
class NotConfirmed extends Error {}

/** Whether a line comes before the end of the standard input. */
async function readLine(): Promise<boolean> {
  for await (const _line of createInterface({ input: process.stdin })) return true;
  return false;
}

await runCommand(async () => {
  const { values, positionals } = readArguments(USAGE, { hold: { type: "boolean" } }, [0, 1, 2]);
  const address = readDatabaseAddress(process.env);
  const [productsFile = "site/dist/products.json"] = positionals;
  const [, shopFile = join(dirname(productsFile), ".session", "store.json")] = positionals;
  const catalogue = await readCatalogue(productsFile, join(dirname(shopFile), "content-offers.json"));
  const shop = await readShopFactsFile(shopFile);
  const db = openDatabase(address, { timeouts: COMMAND });
  try {
    let printed = "";
    let isConfirmed = !values.hold;
    const importing = inTransaction(db, async (transaction) => {
      // They say whose prices are in force.
      await storeShopFacts(transaction, shop);
      const { added, changed, archived, unchanged } = await importProducts(transaction, catalogue);
      printed = `${added} added, ${changed} changed, ${archived} archived, ${unchanged} unchanged.`;
      // A retry, after a conflict at COMMIT, doesn't ask again.
      if (isConfirmed) return;
      console.log(`Products, not yet committed: ${printed}`);
      isConfirmed = await readLine();
      if (!isConfirmed) throw new NotConfirmed();
    });
    await importing.catch((error: unknown) => {
      if (!(error instanceof NotConfirmed)) throw error;
    });
    console.log(`Products${isConfirmed ? "" : ", rolled back"}: ${printed}`);
  } finally {
    await db.destroy();
  }
});
