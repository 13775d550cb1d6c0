// `npm run nginx -- FOLDER`: writes the configuration for a production server and has nginx check it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SettingsError } from "../api/env.ts";
import { SERVER_PATH, StartError } from "./programs.ts";
import { logRotation, renderNginx } from "./render.ts";
import { readEnvironment, readNginxSettings, shopBaseUrl } from "./settings.ts";

/** The user of Debian's nginx workers. */
const WORKER_USER = "www-data";
/** For nginx started by root. Not /var/log/nginx: Debian's logrotate rule there wouldn't signal this nginx. */
const LOG_FOLDER = "/var/log/twinfront";
const DIST = join(import.meta.dirname, "..", "site", "dist");

try {
  writeConfiguration(process.argv[2]);
} catch (error) {
  const isExpected = error instanceof StartError || error instanceof SettingsError;
  // System errors explain themselves: "EACCES: permission denied, mkdir '/etc/x'".
  if (!isExpected && !(error instanceof Error && "syscall" in error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function writeConfiguration(target: string | undefined): void {
  if (!target) throw new StartError("Name the folder to write to: npm run nginx -- /srv/twinfront");
  if (!existsSync(DIST)) throw new StartError("The site isn't built yet. Run `npm run build` first.");
  const { host, port, apiPorts, baseUrl, trustedProxies } = readNginxSettings(readEnvironment());
  if (apiPorts.length === 0)
    throw new StartError(
      "API_PORT is missing. Set it to the port that the API listens on, or to those of several APIs.",
    );
  const folder = resolve(target);
  const asRoot = process.getuid?.() === 0;
  if (asRoot) mkdirSync(LOG_FOLDER, { recursive: true });
  const [errorLog, accessLog] = asRoot
    ? [join(LOG_FOLDER, "error.log"), join(LOG_FOLDER, "access.log")]
    : ["error.log", "access.log"];
  if (asRoot) ensureReadable(join(DIST, "index.html"), WORKER_USER);
  renderNginx(folder, {
    host,
    port,
    apiPorts,
    baseUrl: baseUrl ?? shopBaseUrl(),
    trustedProxies,
    dist: DIST,
    workerUser: asRoot ? WORKER_USER : undefined,
    errorLog,
    accessLog,
  });
  const rotation = join(folder, "logrotate.conf");
  const logs = [errorLog, accessLog].map((log) => resolve(folder, log));
  writeFileSync(rotation, logRotation(folder, logs, asRoot ? `create 0640 ${WORKER_USER} adm` : "nocreate"));
  const options = ["-p", folder, "-c", "nginx.conf"];
  if (runServerProgram("nginx", ["-t", ...options], "inherit") !== 0) {
    throw new StartError("nginx rejected the configuration; its reason is above.");
  }
  console.log(`Start nginx: nginx ${options.join(" ")}\nAfter a build: nginx -s reload ${options.join(" ")}`);
  console.log(`Rotate its logs: cp ${rotation} /etc/logrotate.d/twinfront`);
}

/** Otherwise nginx answers 404 to everything, and only its log says why. */
function ensureReadable(file: string, user: string): void {
  const as = ["--reuid", user, "--regid", user, "--clear-groups", "test", "-r", file];
  if (runServerProgram("setpriv", as, "ignore") === 0) return;
  throw new StartError(
    `nginx's workers run as ${user}, who can't read ${file}. Move the checkout to a folder that every user can read, such as /srv.`,
  );
}

function runServerProgram(program: string, args: string[], stdio: "inherit" | "ignore"): number | null {
  return spawnSync(program, args, { stdio, env: { ...process.env, PATH: SERVER_PATH } }).status;
}
