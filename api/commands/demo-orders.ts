import { addDemoOrders } from "../operation/demo/orders.ts";
import { COMMAND, openDatabase } from "../platform/database/pool.ts";
import { runCommand } from "../run-command.ts";

/** Writes to the private database alone, by its socket, and ignores DATABASE_URL. */
await runCommand(async () => {
  const socketPath = /^--socket=(.+)$/.exec(process.argv[2] ?? "")?.[1];
  if (!socketPath) throw new Error("Name the private database's socket: api/commands/demo-orders.ts --socket=PATH");
  const address = { host: "localhost", port: 0, user: "root", password: "", database: "twinfront", socketPath };
  const db = openDatabase(address, { timeouts: COMMAND });
  try {
    const added = await addDemoOrders(db);
    console.log(added > 0 ? `Added ${added} demo orders.` : "There are orders already; added none.");
  } finally {
    await db.destroy();
  }
});
