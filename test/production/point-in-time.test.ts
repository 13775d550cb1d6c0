import { copyFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, createConnection, type RowDataPacket } from "mysql2/promise";
import { expect, onTestFinished, test } from "vitest";
import { readDatabaseAddress } from "../../api/env.ts";
import { type Db, openDatabase } from "../../api/platform/database/pool.ts";
import { changeOrder } from "../../api/selling/orders/change-order.ts";
import { privateDatabaseAddress, startPrivateDatabase } from "../../nginx/local/private-database.ts";
import { openMigratedDatabase } from "../api/api.ts";
import { makeFolder, startRestore } from "../api/operation/backup/backup-shop.ts";
import { place, pollThroughLoss } from "../api/operation/backup/partner.ts";
import { run } from "../api/server-process.ts";
import { debianPrograms } from "../debian-program.ts";
import { makeDatabaseFolder, stopDatabase } from "../global-setup.ts";

const tools = debianPrograms("mariadb-backup", "mariadb-client");

/** A shop's MariaDB with its binary log, and the commands of its operator. */
async function startServer() {
  const folder = makeDatabaseFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const server = await startPrivateDatabase(folder, ["--log-bin=mariadb-bin", "--sync-binlog=1"]);
  onTestFinished(() => stopDatabase(server));
  const { url, socketPath } = privateDatabaseAddress(folder);
  const root = await createConnection({ socketPath, user: "root" });
  onTestFinished(() => root.end());
  const { db } = await openMigratedDatabase(url);
  return { db, url, root, binlogs: join(folder, "data", "mariadb") };
}

async function backUp(url: string): Promise<string> {
  const into = await makeFolder();
  const { output, ended } = run("commands/backup.ts", { DATABASE_URL: url, ...tools?.env }, "--point-in-time", into);
  expect([await ended, output.stderr]).toEqual([0, ""]);
  const [name = "", ...more] = await readdir(into);
  expect(more).toEqual([]);
  return join(into, name);
}

/** Restores into a new database beside the old one: `npm run restore` and the database. */
async function restoreInto(name: string, { root, url }: { root: Connection; url: string }, ...args: string[]) {
  await root.query(`create database ${name}`);
  const target = new URL(url);
  target.pathname = `/${name}`;
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: target.href }));
  onTestFinished(() => db.destroy());
  return { db, result: await startRestore(target.href, args, tools?.env).result };
}

/** The end of the binary log now, as `--until` takes it. */
async function endOfLog(root: Connection): Promise<string> {
  const [[row]] = await root.query<RowDataPacket[]>("show master status");
  return `${row?.["File"]}:${row?.["Position"]}`;
}

const notesOf = async (db: Db) =>
  (await db.selectFrom("orders").select("note").orderBy("id").execute()).map(({ note }) => note);

test.skipIf(!tools)(
  "partners that poll through a restore to a moment between two backups miss nothing, and see no id and no version twice",
  async () => {
    const shop = await startServer();
    let [backup, moment] = ["", ""];
    await pollThroughLoss({
      db: shop.db,
      async backUp() {
        backup = await backUp(shop.url);
        for (let file = 0; file < 3; file += 1) {
          await place(shop.db, 10);
          await shop.root.query("flush binary logs");
        }
        await changeOrder(shop.db, 2, { note: "the last before the moment" });
        moment = await endOfLog(shop.root);
      },
      async restore() {
        const { db, result } = await restoreInto(
          "restored",
          shop,
          backup,
          "--binlogs",
          shop.binlogs,
          "--until",
          moment,
        );
        expect(result).toEqual([
          0,
          expect.stringContaining(`Restored the state of ${moment}. The next order has the id 1000001.`),
          "",
        ]);
        expect((await notesOf(db))[1]).toBe("the last before the moment");
        return db;
      },
    });
  },
);

test.skipIf(!tools)(
  "a backup is restored to a time, or to the end of the binary log, and never to less than was asked for",
  async () => {
    const shop = await startServer();
    const early = await endOfLog(shop.root);
    await place(shop.db, 1);
    const backup = await backUp(shop.url);
    await place(shop.db, 3);
    const moment = new Date(Math.ceil(Date.now() / 1_000) * 1_000);
    await sleep(moment.getTime() - Date.now() + 1); // mariadb-binlog knows whole seconds
    await shop.root.query("create user somebody@localhost identified by 'else'");
    await shop.root.query("flush binary logs");
    await place(shop.db, 2);
    const restored = async (name: string, ...args: string[]) => {
      const { db, result } = await restoreInto(name, shop, backup, ...args);
      const [code, , stderr] = result;
      return code === 0 ? (await db.selectFrom("orders").select("id").execute()).length : stderr;
    };
    const until = `${moment.toISOString().slice(0, 19)}Z`;
    expect(await restored("to_a_time", "--binlogs", shop.binlogs, "--until", until)).toBe(4);
    expect(await restored("to_the_end", "--binlogs", shop.binlogs)).toBe(6);

    const tooEarly = expect.stringMatching(/^This backup has the state of .*: restore an earlier one\.\n$/);
    expect(await restored("position_too_early", "--binlogs", shop.binlogs, "--until", early)).toEqual(tooEarly);
    expect(await restored("time_too_early", "--binlogs", shop.binlogs, "--until", "2026-01-01T00:00:00Z")).toEqual(
      tooEarly,
    );
    const missing = expect.stringMatching(
      /^The binary log in .* isn't complete: it needs all of it from mariadb-bin\.\d+ to .*\.\n$/,
    );
    const shipped = await makeFolder();
    expect(await restored("no_log", "--binlogs", shipped)).toEqual(missing);
    const [first = "", ...others] = (await readdir(shop.binlogs))
      .filter((name) => /^mariadb-bin\.\d/.test(name))
      .sort();
    for (const name of others) await copyFile(join(shop.binlogs, name), join(shipped, name));
    expect(await restored("log_without_first", "--binlogs", shipped)).toEqual(missing);
    await copyFile(join(shop.binlogs, first), join(shipped, first));
    expect(await restored("shipped", "--binlogs", shipped)).toBe(6);
    const later = (await endOfLog(shop.root)).replace(/\d+$/, (position) => String(Number(position) + 1));
    expect(await restored("position_too_late", "--binlogs", shipped, "--until", later)).toEqual(missing);
    expect(await restored("without_log")).toMatch(/^This backup was made with --point-in-time: add --binlogs/);
  },
);
