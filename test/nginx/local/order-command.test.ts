import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "../../../api/database/migrate.ts";
import { openDatabase } from "../../../api/database/pool.ts";
import { readDatabaseAddress } from "../../../api/env.ts";
import { placeOrder } from "../../../api/orders/place-order.ts";
import { closeDataFolder, makeDataFolder, openDataFolder } from "../../../nginx/local/data-folder.ts";
import { privateDatabaseAddress, startPrivateDatabase } from "../../../nginx/local/private-database.ts";
import { newOrder } from "../../api/orders/new-order.ts";

const root = join(import.meta.dirname, "../../..");

test("npm run order finds the database of a running npm start, and says when none is running", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "twinfront-data-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const order = (...args: string[]) => {
    const env = { ...process.env, DATABASE_URL: "", DATA_DIR: dataDir };
    const program = ["nginx/local/shop-command.ts", "order", ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, program, { cwd: root, env, encoding: "utf8" });
    return [status, stdout, stderr];
  };
  expect(order("accept", "A-1001")).toEqual([1, "", expect.stringMatching(/^No shop is running from .+ npm start/)]);
  const folder = openDataFolder(await makeDataFolder(dataDir));
  onTestFinished(() => closeDataFolder(folder));
  const server = await startPrivateDatabase(folder.runtime);
  onTestFinished(async () => {
    server.child.kill("SIGTERM");
    await server.ended;
  });
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: privateDatabaseAddress(folder.runtime).url }));
  onTestFinished(() => db.destroy());
  await migrate(db);
  await placeOrder(db, newOrder());
  expect(order("accept", "A-1001")).toEqual([
    0,
    expect.stringContaining("Now:    A-1001 is processing and unpaid"),
    "",
  ]);
});
