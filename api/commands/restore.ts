import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDatabaseAddress } from "../env.ts";
import { continueNumbers, decideHeld, type Held, holdBack } from "../operation/backup/after-restore.ts";
import { checkDump, loadDump, RestoreError, refuseUnlessEmpty } from "../operation/backup/load.ts";
import { dumpMoment, hasServerFiles, isMoment, type Moment } from "../operation/backup/point-in-time.ts";
import { COMMAND, type Db, openDatabase } from "../platform/database/pool.ts";
import { readArguments } from "../read-arguments.ts";
import { runCommand } from "../run-command.ts";

const USAGE = `Usage: npm run restore -- FOLDER, such as: npm run restore -- /var/backups/twinfront/2026-11-23T02-00-00Z

Restores a backup into the empty database in DATABASE_URL. Mails and deliveries that waited in it are held back until:

  npm run restore -- --send   sends them
  npm run restore -- --drop   gives them up

A backup that was made with --point-in-time also needs the folder of the server's binary log, which is followed to its
end, or until a moment:

  npm run restore -- FOLDER --binlogs /var/log/mysql
  npm run restore -- FOLDER --binlogs /var/log/mysql --until 2026-11-23T10:15:00Z
  npm run restore -- FOLDER --binlogs /var/log/mysql --until mariadb-bin.000042:4711`;

await runCommand(async () => {
  const { folder, moment, decision } = readWish();
  const db = openDatabase(readDatabaseAddress(process.env), { timeouts: COMMAND });
  try {
    await (decision ? decide(db, decision) : restore(db, folder, moment));
  } finally {
    await db.destroy();
  }
});

interface Wish {
  folder: string;
  moment: Moment | undefined;
  decision: "send" | "drop" | undefined;
}

/** Throws an error with the usage unless the arguments go together. */
function readWish(): Wish {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const options = { binlogs: text, until: text, send: flag, drop: flag };
  const { values, positionals } = readArguments(USAGE, options, [0, 1]);
  const { binlogs, until } = values;
  const [folder] = positionals;
  const given = Object.keys(values).sort().join();
  const isDecision = given === "send" || given === "drop";
  const restores = ["", "binlogs", "binlogs,until"].includes(given) && (until === undefined || isMoment(until));
  if (folder === undefined ? !isDecision : !restores) throw new Error(USAGE);
  return {
    folder: folder ?? "",
    moment: binlogs === undefined ? undefined : { binlogs, until },
    decision: isDecision ? given : undefined,
  };
}

async function restore(db: Db, folder: string, moment: Moment | undefined): Promise<void> {
  const stopping = new AbortController();
  // However often: under npm, one Ctrl-C arrives twice.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stopping.abort());
  const { signal } = stopping;
  if (!hasServerFiles(folder)) {
    if (moment)
      throw new RestoreError("--binlogs is for backups that were made with --point-in-time. This one is a dump.");
    return load(db, join(folder, "database.sql.gz"), signal);
  }
  if (!moment)
    throw new RestoreError(
      "This backup was made with --point-in-time: add --binlogs and the folder of the binary log.",
    );
  await refuseUnlessEmpty(db);
  const scratch = await mkdtemp(join(tmpdir(), "twinfront-restore-"));
  try {
    const file = join(scratch, "database.sql.gz");
    await dumpMoment(folder, moment, { scratch, file, signal });
    await load(db, file, signal);
  } catch (error) {
    const isStopped = signal.aborted && !(error instanceof RestoreError);
    throw isStopped ? new RestoreError("Stopped. The database is empty.") : error;
  } finally {
    await rm(scratch, { recursive: true });
  }
}

async function load(db: Db, file: string, signal: AbortSignal): Promise<void> {
  const time = await checkDump(file);
  let held: Held = { mails: 0, deliveries: 0 };
  const finish = async (connection: Db) => {
    await continueNumbers(connection);
    held = await holdBack(connection);
  };
  await loadDump(db, file, finish, signal);
  const { last_id } = await db
    .selectFrom("counters")
    .select("last_id")
    .where("name", "=", "orders")
    .executeTakeFirstOrThrow();
  console.log(`Restored the state of ${time}. The next order has the id ${last_id + 1}.`);
  console.log("Partners who follow changed_after read every order and product once more.");
  if (held.mails + held.deliveries > 0)
    console.log(`Held back: ${describe(held)}. npm run restore -- --send sends them, --drop gives them up.`);
  console.log(
    "Next: npm run migrate, npm run import. Before the API starts, read “Backup” in nginx/production/README.md.",
  );
}

async function decide(db: Db, decision: "send" | "drop"): Promise<void> {
  const held = await decideHeld(db, decision);
  console.log(`${decision === "send" ? "To be sent now" : "Given up"}: ${describe(held)}.`);
}

function describe({ mails, deliveries }: Held): string {
  return `mails: ${mails}, deliveries: ${deliveries}`;
}
