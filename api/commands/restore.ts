import { join } from "node:path";
import { continueNumbers, decideHeld, type Held, holdBack } from "../backup/after-restore.ts";
import { checkDump, loadDump } from "../backup/load.ts";
import { COMMAND, type Db, openDatabase } from "../database/pool.ts";
import { readDatabaseAddress } from "../env.ts";
import { runCommand } from "../run-command.ts";

const USAGE = `Usage: npm run restore -- FOLDER, such as: npm run restore -- /var/backups/twinfront/2026-11-23T02-00-00Z

Restores a backup into the empty database in DATABASE_URL. Mails and deliveries that waited in it are held back until:

  npm run restore -- --send   sends them
  npm run restore -- --drop   gives them up`;

await runCommand(async () => {
  const [given = "", ...more] = process.argv.slice(2);
  const isDecision = given === "--send" || given === "--drop";
  if (given === "" || (given.startsWith("-") && !isDecision) || more.length > 0) throw new Error(USAGE);
  const db = openDatabase(readDatabaseAddress(process.env), { timeouts: COMMAND });
  try {
    await (isDecision ? decide(db, given === "--send" ? "send" : "drop") : restore(db, join(given, "database.sql.gz")));
  } finally {
    await db.destroy();
  }
});

async function restore(db: Db, file: string): Promise<void> {
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopping.abort());
  const time = await checkDump(file);
  let held: Held = { mails: 0, deliveries: 0 };
  const finish = async (connection: Db) => {
    await continueNumbers(connection);
    held = await holdBack(connection);
  };
  await loadDump(db, file, finish, stopping.signal);
  const { last_id } = await db
    .selectFrom("counters")
    .select("last_id")
    .where("name", "=", "orders")
    .executeTakeFirstOrThrow();
  console.log(`Restored the state of ${time}. The next order has the id ${last_id + 1}.`);
  console.log("Partners who follow changed_after read every order and product once more.");
  if (held.mails + held.deliveries > 0)
    console.log(`Held back: ${describe(held)}. npm run restore -- --send sends them, --drop gives them up.`);
  console.log("Next: npm run migrate, npm run import. Before the API starts, read “Backup” in README.md.");
}

async function decide(db: Db, decision: "send" | "drop"): Promise<void> {
  const held = await decideHeld(db, decision);
  console.log(`${decision === "send" ? "To be sent now" : "Given up"}: ${describe(held)}.`);
}

function describe({ mails, deliveries }: Held): string {
  return `mails: ${mails}, deliveries: ${deliveries}`;
}
