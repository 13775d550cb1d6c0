import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readDatabaseAddress } from "../../../api/env.ts";
import { migrate } from "../../../api/platform/database/migrate.ts";
import { type Db, openDatabase } from "../../../api/platform/database/pool.ts";
import { placeOrder } from "../../../api/selling/orders/place-order.ts";
import { closeDataFolder, makeDataFolder, openDataFolder } from "../../../nginx/local/data-folder.ts";
import { privateDatabaseAddress, startPrivateDatabase } from "../../../nginx/local/private-database.ts";
import { newOrder } from "../../api/selling/orders/new-order.ts";
import { bareEnvironment } from "../../bare-environment.ts";

const root = join(import.meta.dirname, "../../..");

/** An empty DATA_DIR, and what runs beside a shop that keeps its data there: exit code, stdout and stderr. */
function openDataDir() {
  const dataDir = mkdtempSync(join(tmpdir(), "twinfront-data-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return {
    dataDir,
    run(command: string[], settings: Record<string, string> = {}) {
      const env = { ...bareEnvironment(), DATA_DIR: dataDir, ...settings };
      const program = ["nginx/local/shop-command.ts", ...command];
      const { status, stdout, stderr } = spawnSync(process.execPath, program, { cwd: root, env, encoding: "utf8" });
      return [status, stdout, stderr];
    },
  };
}

/** Starts the private database of a DATA_DIR, migrated, as a shop with these settings does. */
async function startDatabase(dataDir: string, settings: Record<string, string> = {}): Promise<Db> {
  const folder = openDataFolder(await makeDataFolder(dataDir), settings);
  onTestFinished(() => closeDataFolder(folder));
  const server = await startPrivateDatabase(folder.runtime);
  onTestFinished(async () => {
    server.child.kill("SIGTERM");
    await server.ended;
  });
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: privateDatabaseAddress(folder.runtime).url }));
  onTestFinished(() => db.destroy());
  await migrate(db);
  return db;
}

test("npm run order finds the database of a running npm start, and says when none is running", async () => {
  const { dataDir, run } = openDataDir();
  const accept = ["order", "accept", "A-1001"];
  expect(run(accept)).toEqual([1, "", expect.stringMatching(/^No shop is running from .+ npm start/)]);
  await placeOrder(await startDatabase(dataDir), newOrder());
  expect(run(accept)).toEqual([0, expect.stringContaining("Now:    A-1001 is processing and unpaid"), ""]);
});

test("a backup beside npm start names the settings that somebody has set, and none that npm start provides", async () => {
  const { dataDir, run } = openDataDir();
  await startDatabase(dataDir);
  const repository = join(dataDir, "content.git");
  const git = (...args: string[]) => execFileSync("git", ["--git-dir", repository, ...args], { encoding: "utf8" });
  git("init", "--quiet", "--bare");
  const tree = git("hash-object", "-t", "tree", "-w", "/dev/null").trim();
  const author = ["-c", "user.name=Ann", "-c", "user.email=ann@shop.example"];
  git("update-ref", "refs/heads/main", git(...author, "commit-tree", "-m", "A draft", tree).trim());
  const backups = join(dataDir, "backups");
  const backup = run(["backup", backups], { ADMIN_ORIGIN: "http://localhost:8081" });
  expect(backup).toEqual([0, expect.stringContaining("what editors have written"), ""]);
  const [name = ""] = readdirSync(backups);
  expect(readFileSync(join(backups, name, "settings.txt"), "utf8")).toBe("ADMIN_ORIGIN\nDATA_DIR\n");
});

test("a command beside npm start knows the shop's settings that the shell lacks, and its own come first", async () => {
  const { dataDir, run } = openDataDir();
  const db = await startDatabase(dataDir, {
    PORT: "18440",
    ERP_PUSH_WHEN: "paid",
    SMTP_URL: "smtp://shop:secret@mail.example",
  });
  const add = (email: string, settings = {}) => run(["editor", "add", "Ann Archer", email], settings);
  expect(add("ann@shop.example")).toEqual([0, expect.stringContaining("http://localhost:18440/admin/enrol#"), ""]);
  const other = add("eve@shop.example", { PORT: "18441" });
  expect(other).toEqual([0, expect.stringContaining("http://localhost:18441/admin/enrol#"), ""]);
  await placeOrder(db, newOrder());
  expect(run(["order", "paid", "A-1001", "--reference", "T-1"])).toEqual([
    0,
    expect.stringContaining("paid, 0.00"),
    "",
  ]);
  expect(await db.selectFrom("deliveries").select("order_id").execute()).toEqual([{ order_id: 1 }]);
  const files = readdirSync(readFileSync(join(dataDir, "runtime-folder"), "utf8"), { withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile()))
    expect(readFileSync(join(file.parentPath, file.name), "utf8")).not.toContain("secret");
});
