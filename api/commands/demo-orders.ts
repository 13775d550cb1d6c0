import { addDemoOrders } from "../operation/demo/orders.ts";
import { COMMAND, openDatabase } from "../platform/database/pool.ts";
import { readArguments } from "../read-arguments.ts";
import { runCommand } from "../run-command.ts";

const USAGE = `Usage: node api/commands/demo-orders.ts SOCKET

Adds demo orders to the private database that listens on SOCKET, unless it has orders.`;

/** Writes to the private database alone, by its socket, and ignores DATABASE_URL. */
await runCommand(async () => {
  const { positionals } = readArguments(USAGE, {}, [1]);
  const [socketPath] = positionals;
  const address = { host: "localhost", port: 0, user: "root", password: "", database: "twinfront", socketPath };
  const db = openDatabase(address, { timeouts: COMMAND });
  try {
    const added = await addDemoOrders(db);
    console.log(added > 0 ? `Added ${added} demo orders.` : "There are orders already; added none.");
  } finally {
    await db.destroy();
  }
});
