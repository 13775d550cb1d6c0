import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { RowDataPacket } from "mysql2";
import { expect, onTestFinished, test } from "vitest";
import { dumpDatabase } from "../../../../api/operation/backup/dump.ts";
import { checkDump } from "../../../../api/operation/backup/load.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { takeNumbers } from "../../../../api/platform/database/sequence.ts";
import { findDue } from "../../../../api/platform/outbox/delivery-lease.ts";
import { findDueMails, queueMail } from "../../../../api/selling/mail/queue.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { MOST_DOCUMENT_BYTES } from "../../../../api/selling/orders/record-invoice.ts";
import { findFreePort } from "../../../../nginx/local/ports.ts";
import { connectToServer } from "../../../database.ts";
import { openMigratedDatabase } from "../../api.ts";
import { queueOrders } from "../../partners/erp/deliveries.ts";
import { pdfOf } from "../../partners/orders/documents.ts";
import { actByCommand } from "../../selling/orders/act-by-command.ts";
import { newLine, newOrder } from "../../selling/orders/new-order.ts";
import { run, until } from "../../server-process.ts";
import { withWorkBetween } from "../../statements.ts";
import { makeBackup, makeFolder, openEmptyDatabase, startRestore, tablesOf } from "./backup-shop.ts";

const root = join(import.meta.dirname, "../../../..");
const HEADER = "-- Twinfront backup, format 1, state of 2026-11-23T02:00:00.000Z";

const nobodyElse = { first_name: null, last_name: null, company: null, phone: null, vat_id: null };
const customer = { id: 1, email: "ada@example.com", ...nobodyElse };

/** A folder with a dump of these lines. */
async function writeBackup(...lines: string[]): Promise<string> {
  const folder = await makeFolder();
  await writeFile(join(folder, "database.sql.gz"), gzipSync(`${[HEADER, ...lines, "-- complete"].join("\n")}\n`));
  return folder;
}

/** All rows of all tables, without what a restore changes on purpose. */
async function contentsOf(db: Db): Promise<Record<string, unknown[]>> {
  const contents: Record<string, unknown[]> = {};
  for (const table of await tablesOf(db)) {
    if (["migration_lock", "counters", "stock_ledger"].includes(table)) continue;
    const rows = await db.withTables<Record<string, Record<string, unknown>>>().selectFrom(table).selectAll().execute();
    const kept = rows.map(({ sequence, ledgered, version, next_attempt_at, ...row }) => JSON.stringify(row));
    contents[table] = kept.sort();
  }
  return contents;
}

test("a restored database has every row to the last byte, and can be backed up and restored again", async () => {
  const { db } = await openMigratedDatabase();
  const hostile = "a'b\"c\\d\ne\r\0\u001a?:x\u2028\u2029\u{1F9FE}; -- complete\n%_`";
  await placeOrder(
    db,
    newOrder({
      customer,
      note: hostile,
      lines: [newLine({ name: hostile, unit_price: "0.1234" }), newLine()],
    }),
  );
  await queueOrders(db, 3);
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  await db.updateTable("deliveries").set({ body: bytes }).where("id", "=", 1).execute();
  // The largest, and one of all bytes.
  for (const [number, pdf] of [
    ["RE-1", Buffer.alloc(MOST_DOCUMENT_BYTES, "%PDF-\n\0")],
    ["RE-2", pdfOf(hostile)],
  ] as const) {
    const invoice = { number, kind: "invoice", issued_on: "2026-10-19", total: "1", currency: "EUR" } as const;
    await actByCommand(db, "A-1001", { name: "invoiced", ...invoice, pdf, xml: null }, async () => {});
  }
  const target = await openEmptyDatabase();
  expect(await target.restore(await makeBackup(db)).result).toEqual([0, expect.any(String), ""]);
  const contents = await contentsOf(target.db);
  expect(contents).toEqual(await contentsOf(db));
  expect([contents["orders"], contents["invoices"]].map((rows) => rows?.length)).toEqual([4, 2]);
  const again = await openEmptyDatabase();
  const [code, stdout] = await again.restore(await makeBackup(target.db)).result;
  expect([code, stdout]).toEqual([0, expect.stringContaining("The next order has the id 2000001.")]);
});

test("a backup made while orders with lines and payments come in has the state of its begin, whose sums agree", async () => {
  const { db } = await openMigratedDatabase();
  const place = () =>
    placeOrder(db, newOrder({ payments: [{ method: "card", reference: "pi_1", amount: "189", status: "paid" }] }));
  await place();
  const before = await contentsOf(db);
  let statements = 0;
  const waiting: Promise<unknown>[] = [];
  // The first statement keeps others from placing until the second has made the snapshot.
  const busy = withWorkBetween(db, async () => {
    statements += 1;
    const placing = place();
    if (statements <= 2) waiting.push(placing);
    else await placing;
  });
  const target = await openEmptyDatabase();
  expect(await target.restore(await makeBackup(busy)).result).toEqual([0, expect.any(String), ""]);
  await Promise.all(waiting);
  expect(statements).toBeGreaterThan(40);
  expect(await contentsOf(target.db)).toEqual(before);
});

test("a backup that waits for an import keeps nobody from ordering", async () => {
  const { db, url } = await openMigratedDatabase();
  const file = join(await makeFolder(), "database.sql.gz");
  const importing = await db.startTransaction().execute();
  await takeNumbers(importing, "products", { ids: 0, sequences: 0 });
  const dumping = dumpDatabase(db, file);
  const other = await connectToServer();
  onTestFinished(() => other.end());
  const name = new URL(url).pathname.slice(1);
  await until(
    async () => (await other.query<RowDataPacket[]>("show processlist"))[0],
    (list) => list.some(({ db, Info }) => db === name && /counters.*for update/.test(Info ?? "")),
  );
  expect(await placeOrder(db, newOrder())).toMatchObject({ id: 1 });
  await importing.rollback().execute();
  await dumping;
});

test("a backup has the database, the repository and the names of the settings, never a value, for its owner alone", async () => {
  const { url } = await openMigratedDatabase();
  const into = await makeFolder();
  const { output, ended } = run("commands/backup.ts", { DATABASE_URL: url }, into);
  expect([await ended, output.stderr]).toEqual([0, ""]);
  const [name = "", ...more] = await readdir(into);
  expect(more).toEqual([]);
  const inBackup = (file: string) => join(into, name, file);
  expect(await readFile(inBackup("settings.txt"), "utf8")).toBe("DATABASE_URL\n");
  const modes = [".", "database.sql.gz"].map(async (file) => (await stat(inBackup(file))).mode & 0o777);
  expect(await Promise.all(modes)).toEqual([0o700, 0o600]);
  const dump = gunzipSync(await readFile(inBackup("database.sql.gz"))).toString();
  expect(dump).toMatch(/^-- Twinfront backup.*\n/);
  expect(dump).not.toContain(url);
  if (!existsSync(join(root, ".git"))) return; // a copy of the project
  const git = (...args: string[]) => execFileSync("git", ["-C", root, ...args], { encoding: "utf8" });
  const heads = git("bundle", "list-heads", inBackup("repository.bundle"));
  expect(heads).toContain(git("rev-parse", "HEAD").trim());
});

test("a backup has what editors have written, published or not", async () => {
  const { url } = await openMigratedDatabase();
  const [into, repository] = [await makeFolder(), join(await makeFolder(), "content.git")];
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" });
  git("init", "--quiet", "--bare", repository);
  const author = ["-c", "user.name=Ann", "-c", "user.email=ann@shop.example"];
  const tree = git("-C", repository, "hash-object", "-t", "tree", "-w", "/dev/null").trim();
  const commit = git("-C", repository, ...author, "commit-tree", "-m", "A draft", tree).trim();
  git("-C", repository, "update-ref", "refs/heads/drafts", commit);
  const { output, ended } = run("commands/backup.ts", { DATABASE_URL: url, CONTENT_REPOSITORY: repository }, into);
  expect([await ended, output.stderr]).toEqual([0, ""]);
  expect(output.stdout).toContain("what editors have written, the names of the settings.");
  const [name = ""] = await readdir(into);
  expect(git("bundle", "list-heads", join(into, name, "content.bundle"))).toBe(`${commit} refs/heads/drafts\n`);
});

test("a backup runs no command that the configuration of the editors' repository names", async () => {
  const { url } = await openMigratedDatabase();
  const folder = await makeFolder();
  const [work, repository] = [join(folder, "work"), join(folder, "content.git")];
  const proof = join(folder, "proof");
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" });
  git("init", "--quiet", work);
  await writeFile(join(work, "page.md"), "A page.\n");
  git("-C", work, "add", ".");
  git("-C", work, "-c", "user.name=Ann", "-c", "user.email=ann@shop.example", "commit", "--quiet", "-m", "A page");
  git("clone", "--quiet", "--bare", work, repository);
  // A missing object is asked for at the remote, by a command.
  const page = git("-C", repository, "rev-parse", "HEAD:page.md").trim();
  await rm(join(repository, "objects", page.slice(0, 2), page.slice(2)));
  for (const [name, value] of [
    ["core.repositoryFormatVersion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.promisor", "true"],
    ["remote.origin.url", "ssh://shop.example/content.git"],
    ["core.sshCommand", `touch ${proof}; false`],
  ] as const)
    git("-C", repository, "config", name, value);
  const into = await makeFolder();
  const { output, ended } = run("commands/backup.ts", { DATABASE_URL: url, CONTENT_REPOSITORY: repository }, into);
  expect([await ended, existsSync(proof), await readdir(into)]).toEqual([1, false, []]);
  expect(output.stderr).toContain(`git couldn't copy ${repository}: `);
});

test("mails and deliveries that waited in a backup wait for the operator's word, and new ones don't", async () => {
  const { db } = await openMigratedDatabase();
  await queueOrders(db, 2);
  await queueMail(db, 1, "order_received");
  await queueMail(db, 1, "order_link");
  const backup = await makeBackup(db);
  const [sending, dropping] = [await openEmptyDatabase(), await openEmptyDatabase()];
  for (const { db: restored, restore } of [sending, dropping]) {
    const [code, stdout] = await restore(backup).result;
    expect([code, stdout]).toEqual([0, expect.stringContaining("Held back: mails: 2, deliveries: 2.")]);
    expect([await findDue(restored, 9), await findDueMails(restored, 9)]).toEqual([[], []]);
    await queueMail(restored, 2, "order_received");
    await queueMail(restored, 1, "order_link"); // asked for again
    expect(await findDueMails(restored, 9)).toHaveLength(2);
  }
  expect(await sending.restore("--send").result).toEqual([0, "To be sent now: mails: 1, deliveries: 2.\n", ""]);
  expect([(await findDue(sending.db, 9)).length, (await findDueMails(sending.db, 9)).length]).toEqual([2, 3]);
  expect(await dropping.restore("--drop").result).toEqual([0, "Given up: mails: 1, deliveries: 2.\n", ""]);
  expect([(await findDue(dropping.db, 9)).length, (await findDueMails(dropping.db, 9)).length]).toEqual([0, 2]);
  expect(await dropping.restore("--send").result).toEqual([0, "To be sent now: mails: 0, deliveries: 0.\n", ""]);
});

test("a restore into a database with tables, and so a second one, is refused and changes nothing", async () => {
  const { db, url } = await openMigratedDatabase();
  await placeOrder(db, newOrder());
  const backup = await makeBackup(db);
  await changeOrder(db, 1, { note: "newer than the backup" });
  const refused = "The database in DATABASE_URL isn't empty. Create a new one and restore into that.\n";
  expect(await startRestore(url, [backup]).result).toEqual([1, "", refused]);
  expect((await db.selectFrom("orders").select(["id", "note"]).execute())[0]?.note).toBe("newer than the backup");
  const target = await openEmptyDatabase();
  expect((await target.restore(backup).result)[0]).toBe(0);
  expect(await target.restore(backup).result).toEqual([1, "", refused]);
});

test("a backup that is cut off anywhere, damaged, missing or something else is refused before the database is touched", async () => {
  const { db: source } = await openMigratedDatabase();
  const { db, restore } = await openEmptyDatabase();
  const backup = await makeBackup(source);
  const file = join(backup, "database.sql.gz");
  const whole = await readFile(file);
  const cutOff = "is cut off or damaged: take another backup. The database wasn't touched.";
  for (const length of [whole.length - 1, whole.length - 9, Math.floor(whole.length / 2), 1, 0]) {
    await writeFile(file, whole.subarray(0, length));
    await expect(checkDump(file)).rejects.toThrow(cutOff);
  }
  expect(await restore(backup).result).toEqual([1, "", `${file} ${cutOff}\n`]);
  await writeFile(file, whole.with(whole.length >> 1, (whole[whole.length >> 1] ?? 0) ^ 255));
  await expect(checkDump(file)).rejects.toThrow(cutOff);
  const lines = gunzipSync(whole).toString().split("\n");
  await writeFile(file, gzipSync(`${lines.slice(0, -2).join("\n")}\n`)); // complete as a gzip file
  await expect(checkDump(file)).rejects.toThrow(cutOff);
  await writeFile(file, gzipSync("create table a (b int);\n"));
  await expect(checkDump(file)).rejects.toThrow("isn't a backup of this shop");
  await expect(checkDump(join(backup, "missing"))).rejects.toThrow(/^There is no backup here: .+ is missing/);
  expect(await tablesOf(db)).toEqual([]);
});

test("Ctrl-C or a failing statement leaves the database empty, and the restore can begin again", async () => {
  const { db, url, restore } = await openEmptyDatabase();
  const slow = await writeBackup("create table a (id int primary key);", ...Array(200).fill("do sleep(0.1);"));
  const { child, result } = restore(slow);
  await until(
    () => tablesOf(db),
    (tables) => tables.includes("a"),
  );
  const other = await connectToServer();
  onTestFinished(() => other.end());
  await other.query(`lock tables ${new URL(url).pathname.slice(1)}.a read`); // so it doesn't end before the second signal
  child.kill("SIGINT");
  await until(
    async () => (await other.query<RowDataPacket[]>("show processlist"))[0],
    (list) => list.some(({ Info }) => Info === "drop table `a`"),
  );
  child.kill("SIGINT"); // one Ctrl-C arrives twice: from the terminal and from npm
  await other.query("unlock tables");
  expect(await result).toEqual([1, "", "Stopped. The database is empty again.\n"]);
  expect(await tablesOf(db)).toEqual([]);
  const wrong = await writeBackup("create table a (id int primary key);", "insert into a values (1),(1);");
  expect(await restore(wrong).result).toEqual([1, "", expect.stringContaining("Duplicate entry")]);
  expect(await tablesOf(db)).toEqual([]);
});

test("a restore that was killed, or is still running, isn't taken for a shop, and is named", async () => {
  const { db, restore } = await openEmptyDatabase();
  const slow = await writeBackup("create table a (id int primary key);", ...Array(600).fill("do sleep(0.1);"));
  const { child } = restore(slow);
  await until(
    () => tablesOf(db),
    (tables) => tables.includes("a"),
  );
  expect(await restore(slow).result).toEqual([1, "", expect.stringMatching(/^Another restore into this database is/)]);
  child.kill("SIGKILL");
  expect(await restore(slow).result).toEqual([1, "", expect.stringMatching(/drop the database, create it again/)]);
});

test("a backup that is stopped leaves nothing behind", async () => {
  const { url } = await openMigratedDatabase();
  const other = await connectToServer();
  onTestFinished(() => other.end());
  await other.query(`lock tables ${new URL(url).pathname.slice(1)}.orders write`); // so it doesn't end before
  const folder = await makeFolder();
  const { child, output, ended } = run("commands/backup.ts", { DATABASE_URL: url }, folder);
  await until(
    () => readdir(folder),
    (names) => names.length > 0,
  );
  child.kill("SIGINT");
  expect([await ended, output.stderr]).toEqual([1, "Stopped. Nothing was written.\n"]);
  expect(await readdir(folder)).toEqual([]);
});

test("an unreachable server and wrong arguments are each one clear message, and a failed backup leaves no file", async () => {
  const { url } = await openMigratedDatabase();
  const away = `mysql://root@127.0.0.1:${await findFreePort()}/shop`;
  const unreachable = "The database in DATABASE_URL doesn't respond (ECONNREFUSED).\n";
  expect(await startRestore(away, [await writeBackup("do 0;")]).result).toEqual([1, "", unreachable]);
  const folder = await makeFolder();
  const backup = async (databaseUrl: string, ...args: string[]) => {
    const { output, ended } = run("commands/backup.ts", { DATABASE_URL: databaseUrl }, ...args);
    return [await ended, output.stdout, output.stderr];
  };
  expect(await backup(away, folder)).toEqual([1, "", unreachable]);
  const needsLog = expect.stringMatching(/^(The server keeps no binary log|--point-in-time needs MariaDB)/);
  for (const args of [
    ["--point-in-time", folder],
    [folder, "--point-in-time"],
  ])
    expect(await backup(url, ...args)).toEqual([1, "", needsLog]);
  expect(await startRestore(url, [await writeBackup("do 0;"), "--binlogs", folder]).result).toEqual([
    1,
    "",
    expect.stringMatching(/^--binlogs is for backups that were made with --point-in-time/),
  ]);
  expect(await backup(url, folder, "--force")).toEqual([1, "", expect.stringMatching(/^Usage: npm run backup/m)]);
  expect(await backup(url, import.meta.filename)).toEqual([
    ...[1, "", `${import.meta.filename} can't be used (ENOTDIR). Name a folder that you can write to.\n`],
  ]);
  for (const args of [
    [],
    ["--force"],
    ["--send", "--drop"],
    [folder, "--drop"],
    [folder, "--until", "now"],
    [folder, "--binlogs", folder, "--until", "now"],
  ])
    expect(await startRestore(url, args).result).toEqual([1, "", expect.stringMatching(/^Usage: npm run restore/m)]);
  expect(await readdir(folder)).toEqual([]);
});
