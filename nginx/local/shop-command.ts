// `npm run order`, `npm run erase`, `npm run editor` and `npm run backup`: the command of api/commands/ that the first argument names, with
// .env, the mail folder of `npm start` and, without DATABASE_URL, the database of a running one.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { DEFAULT_PORT, dataDirOf, readEnvironment } from "../settings.ts";
import { localRepository } from "./content-repository.ts";
import { findRuntimeFolder, mailFolder } from "./data-folder.ts";
import { localAdminOrigin } from "./ports.ts";
import { privateDatabaseAddress } from "./private-database.ts";
import { apiProgram } from "./services.ts";

const environment = readEnvironment();
const dataDir = dataDirOf(environment);
if (!environment["DATABASE_URL"]) {
  const runtime = findRuntimeFolder(dataDir);
  if (!runtime) {
    console.error(`No shop is running from ${dataDir}. Run npm start beside this, or set DATABASE_URL.`);
    process.exit(1);
  }
  environment["DATABASE_URL"] = privateDatabaseAddress(runtime).url;
  environment["ADMIN_ORIGIN"] ||= localAdminOrigin({ port: Number(environment["PORT"] ?? DEFAULT_PORT) });
}
if (!environment["SMTP_URL"]) environment["MAIL_FOLDER"] ||= mailFolder(dataDir); // as `npm start` does
const [name, ...args] = process.argv.slice(2);
if (name === "backup" && existsSync(localRepository(dataDir)))
  environment["CONTENT_REPOSITORY"] ||= localRepository(dataDir);
const program = apiProgram(`commands/${name}.ts`, ...args);
const { status } = spawnSync(process.execPath, program, { env: environment, stdio: "inherit" });
process.exitCode = status ?? 1;
