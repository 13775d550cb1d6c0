import { readDatabaseAddress } from "../env.ts";
import { migrate } from "../platform/database/migrate.ts";
import { COMMAND, openDatabase } from "../platform/database/pool.ts";
import { readArguments } from "../read-arguments.ts";
import { runCommand } from "../run-command.ts";

const USAGE = `Usage: npm run migrate

Brings the tables in DATABASE_URL up to date. Run it at every upgrade, before the API.`;

await runCommand(async () => {
  readArguments(USAGE, {});
  const db = openDatabase(readDatabaseAddress(process.env), { timeouts: COMMAND });
  try {
    const applied = await migrate(db, (holder) =>
      console.log(`The migration lock is held by ${holder}; waiting for it.`),
    );
    for (const name of applied) console.log(`Applied ${name}.`);
    console.log(`${applied.length > 0 ? `${applied.length} migrations applied; t` : "T"}he database is up to date.`);
  } finally {
    await db.destroy();
  }
});
