import { readCatalogue } from "../catalogue/catalogue-file.ts";
import { importProducts } from "../catalogue/import.ts";
import { COMMAND, openDatabase } from "../database/pool.ts";
import { readDatabaseAddress } from "../env.ts";
import { runCommand } from "../run-command.ts";

await runCommand(async () => {
  const address = readDatabaseAddress(process.env);
  const catalogue = await readCatalogue(process.argv[2] ?? "site/dist/products.json");
  const db = openDatabase(address, { timeouts: COMMAND });
  try {
    const { added, changed, archived, unchanged } = await importProducts(db, catalogue);
    console.log(`Products: ${added} added, ${changed} changed, ${archived} archived, ${unchanged} unchanged.`);
  } finally {
    await db.destroy();
  }
});
