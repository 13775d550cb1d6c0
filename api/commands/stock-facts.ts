// Run by `npm run refresh`: brings products up to date with what is left of them and the ERP's prices, and writes what pages
// say of it.
import { readFile, rename, writeFile } from "node:fs/promises";
import { readDatabaseAddress } from "../env.ts";
import { COMMAND, openDatabase } from "../platform/database/pool.ts";
import { readArguments } from "../read-arguments.ts";
import { runCommand } from "../run-command.ts";
import { followOffers, type OfferFact } from "../selling/catalogue/effective-offers.ts";

const USAGE = `Usage: stock-facts.ts FILE

Brings products up to date with what is left of them and with the prices of the partner's ERP, and writes to FILE, unless
that is what it says, what pages say of each version that is counted or priced by it:
{"SKU": {"availability": "backorder", "available_from": "2030-12-07", "few_left": false, "price": "189.00", "currency": "EUR"}}.`;

await runCommand(async () => {
  const [file = ""] = readArguments(USAGE, {}, [1]).positionals;
  const db = openDatabase(readDatabaseAddress(process.env), { timeouts: COMMAND });
  try {
    const { changed, facts } = await followOffers(db);
    await write(file, facts);
    console.log(`${changed} products changed.`);
  } finally {
    await db.destroy();
  }
});

/** A line for each version, so that the same facts are the same bytes everywhere. */
async function write(file: string, facts: Readonly<Record<string, OfferFact>>): Promise<void> {
  const lines = Object.entries(facts).map(([sku, fact]) => `${JSON.stringify(sku)}: ${JSON.stringify(fact)}`);
  const text = `{\n${lines.sort().join(",\n")}\n}\n`;
  const before = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (text === before) return;
  const unfinished = `${file}.next`;
  await writeFile(unfinished, text, { flush: true });
  await rename(unfinished, file);
}
