// `npm run order`: api/commands/order.ts with .env and, without DATABASE_URL, the database of a running `npm start`.
import { spawnSync } from "node:child_process";
import { dataDirOf, readEnvironment } from "../settings.ts";
import { findRuntimeFolder } from "./data-folder.ts";
import { privateDatabaseAddress } from "./private-database.ts";
import { apiProgram } from "./services.ts";

const environment = readEnvironment();
if (!environment["DATABASE_URL"]) {
  const dataDir = dataDirOf(environment);
  const runtime = findRuntimeFolder(dataDir);
  if (!runtime) {
    console.error(`No shop is running from ${dataDir}. Run npm start beside this, or set DATABASE_URL.`);
    process.exit(1);
  }
  environment["DATABASE_URL"] = privateDatabaseAddress(runtime).url;
}
const program = apiProgram("commands/order.ts", ...process.argv.slice(2));
const { status } = spawnSync(process.execPath, program, { env: environment, stdio: "inherit" });
process.exitCode = status ?? 1;
