import { migrate } from "../database/migrate.ts";
import { COMMAND, openDatabase } from "../database/pool.ts";
import { readDatabaseAddress } from "../env.ts";
import { runCommand } from "../run-command.ts";

await runCommand(async () => {
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
