import { COMMAND, openDatabase } from "../database/pool.ts";
import { addDemoOrders } from "../demo/orders.ts";
import { runCommand } from "../run-command.ts";

/** Only ever into the private database, which is on a socket: DATABASE_URL is not looked at. */
await runCommand(async () => {
  const socketPath = /^--socket=(.+)$/.exec(process.argv[2] ?? "")?.[1];
  if (!socketPath) throw new Error("Say where the private database listens: api/commands/demo-orders.ts --socket=PATH");
  const address = { host: "localhost", port: 0, user: "root", password: "", database: "twinfront", socketPath };
  const db = openDatabase(address, { timeouts: COMMAND });
  try {
    const added = await addDemoOrders(db);
    console.log(added > 0 ? `Added ${added} demo orders.` : "There are orders already; added none.");
  } finally {
    await db.destroy();
  }
});
