import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { readDatabaseAddress } from "../env.ts";
import { dumpDatabase } from "../operation/backup/dump.ts";
import { copyServer } from "../operation/backup/point-in-time.ts";
import { COMMAND, openDatabase } from "../platform/database/pool.ts";
import { readArguments } from "../read-arguments.ts";
import { runCommand } from "../run-command.ts";

const USAGE = `Usage: npm run backup -- FOLDER, such as: npm run backup -- /var/backups/twinfront

Writes a folder named by the time into FOLDER: the database, the Git repositories and the names of the settings.

  npm run backup -- FOLDER --point-in-time   copies the files of the MariaDB on this host instead of its data, so that,
                                             with its binary log, any later moment can be restored`;

const ROOT = join(import.meta.dirname, "..", "..");

/** Writes a backup: complete, or not there at all. */
await runCommand(async () => {
  const { values, positionals } = readArguments(USAGE, { "point-in-time": { type: "boolean" } }, [1]);
  const address = readDatabaseAddress(process.env);
  const time = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const folder = resolve(...positionals, `${time}Z`);
  const unfinished = `${folder}.${process.pid}.unfinished`; // two may begin in one second
  const discard = () => rmSync(unfinished, { recursive: true, force: true });
  const stop = () => {
    discard();
    console.error("Stopped. Nothing was written.");
    process.exit(1);
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, stop);
  const db = openDatabase(address, { timeouts: COMMAND });
  try {
    await makeFolder(unfinished);
    const database = values["point-in-time"]
      ? await copyServer(db, unfinished).then(() => "the database server's files")
      : `${await dumpDatabase(db, join(unfinished, "database.sql.gz"))} rows of the database`;
    const hasRepository = existsSync(join(ROOT, ".git"));
    if (hasRepository) bundle(["-C", ROOT], join(unfinished, "repository.bundle"));
    const shop = process.env["CONTENT_ROOT"];
    const hasShop = Boolean(shop && existsSync(join(shop, ".git")));
    if (shop && hasShop) bundle(["-C", shop], join(unfinished, "shop.bundle"));
    const content = process.env["CONTENT_REPOSITORY"];
    if (content) {
      const copy = join(unfinished, "content.git");
      mirror(resolve(ROOT, content), copy);
      bundle([`--git-dir=${copy}`], join(unfinished, "content.bundle"));
      rmSync(copy, { recursive: true });
    }
    const repositories = [
      hasRepository && "the Git repository",
      hasShop && "that of CONTENT_ROOT",
      content && "what editors have written",
    ];
    await writeFile(join(unfinished, "settings.txt"), await settingNames(), { mode: 0o600 });
    await rename(unfinished, folder);
    console.log(
      `Wrote ${folder}: ${[database, ...repositories].filter(Boolean).join(", ")}, the names of the settings.`,
    );
    if (!(shop ? hasShop : hasRepository) && !content)
      console.log("There is no Git repository here: keep content/ safe yourself.");
    console.log(
      "It contains personal data. Settings aren't in it: keep your settings (.env, or /etc/twinfront/settings.env) safe elsewhere.",
    );
  } catch (error) {
    discard();
    throw error;
  } finally {
    await db.destroy();
  }
});

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? error.code : error;
    throw new Error(`${dirname(folder)} can't be used (${reason}). Name a folder that you can write to.`);
  }
}

/** Bundles every branch of a repository. */
function bundle(repository: readonly string[], file: string): void {
  git([...repository, "bundle", "create", "--quiet", file, "--all"], "bundle the repository");
}

/** Copies a repository of the admin's user. Its configuration can name commands, which only upload-pack never runs (git(1), SECURITY). */
function mirror(repository: string, copy: string): void {
  const uploadPack = "--upload-pack=git -c safe.directory='*' upload-pack";
  git(["clone", "--quiet", "--mirror", uploadPack, pathToFileURL(repository).href, copy], `copy ${repository}`);
}

function git(args: readonly string[], what: string): void {
  const { status, error, stderr } = spawnSync("git", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`git couldn't ${what}: ${error?.message ?? stderr.trim()}`);
}

/** The names of the settings that somebody has given a value, a line each. */
async function settingNames(): Promise<string> {
  const provided = process.env["PROVIDED_SETTINGS"]?.split(",") ?? [];
  const example = await readFile(join(ROOT, ".env.example"), "utf8");
  const names = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name = ""]) => name);
  return names
    .filter((name) => process.env[name] && !provided.includes(name))
    .map((name) => `${name}\n`)
    .join("");
}
