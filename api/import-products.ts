import { COMMAND, openDatabase } from "./database.ts";
import { readDatabaseAddress } from "./env.ts";
import { readCatalogue } from "./products/catalogue-file.ts";
import { importProducts } from "./products/import.ts";
import { runScript } from "./script.ts";

await runScript(async () => {
  const address = readDatabaseAddress(process.env);
  const catalogue = await readCatalogue(process.argv[2] ?? "site/dist/products.json");
  const db = openDatabase(address, { patience: COMMAND });
  try {
    const { added, changed, archived, unchanged } = await importProducts(db, catalogue);
    console.log(`Products: ${added} added, ${changed} changed, ${archived} archived, ${unchanged} unchanged.`);
  } finally {
    await db.destroy();
  }
});
