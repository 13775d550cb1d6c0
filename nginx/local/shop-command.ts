// `npm run order`, `npm run erase`, `npm run editor` and `npm run backup`: the command of api/commands/ that the first argument names, with
// .env, the mail folder of `npm start` and, without DATABASE_URL, the database and settings of a running one.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { DEFAULT_PORT, dataDirOf } from "../settings.ts";
import { localRepository } from "./content-repository.ts";
import { findRuntimeFolder, mailFolder, readEnvironmentBesideShop } from "./data-folder.ts";
import { localAdminOrigin } from "./ports.ts";
import { privateDatabaseAddress } from "./private-database.ts";
import { apiProgram } from "./services.ts";

const environment = readEnvironmentBesideShop({ changesOrders: true });
const dataDir = dataDirOf(environment);
const [name, ...args] = process.argv.slice(2);
/** What `npm start` gives the API where nothing is set. */
const provided: Record<string, string> = {};
if (!environment["DATABASE_URL"]) {
  const runtime = findRuntimeFolder(dataDir);
  if (runtime) provided["DATABASE_URL"] = privateDatabaseAddress(runtime).url;
  // The command says so once its arguments are right.
  else provided["NO_SHOP"] = `No shop is running from ${dataDir}. Run npm start beside this, or set DATABASE_URL.`;
  provided["ADMIN_ORIGIN"] = localAdminOrigin({ port: Number(environment["PORT"] ?? DEFAULT_PORT) });
}
if (!environment["SMTP_URL"]) provided["MAIL_FOLDER"] = mailFolder(dataDir);
if (name === "backup" && existsSync(localRepository(dataDir)))
  provided["CONTENT_REPOSITORY"] = localRepository(dataDir);
const unset = Object.keys(provided).filter((setting) => !environment[setting]);
const env = { ...provided, ...environment, PROVIDED_SETTINGS: unset.join(",") };
const { status } = spawnSync(process.execPath, apiProgram(`commands/${name}.ts`, ...args), { env, stdio: "inherit" });
process.exitCode = status ?? 1;
