// `npm run nginx -- FOLDER`: writes the configuration for a production server and has nginx check it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SettingsError } from "../api/env.ts";
import { SERVER_PATH } from "../api/platform/server-path.ts";
import { readArguments } from "../api/read-arguments.ts";
import { StartError } from "./programs.ts";
import {
  AS_NGINX_USER,
  certificateCopies,
  copyCertificate,
  logRotation,
  NGINX_LOGS,
  NGINX_USER,
  reloadScript,
  renderNginx,
  startScript,
  type Tls,
} from "./render.ts";
import { contentRepositoryOf, readAdmin, readEnvironment, readNginxSettings, shopBaseUrl } from "./settings.ts";

const USAGE = `Usage: npm run nginx -- FOLDER, such as: npm run nginx -- /srv/twinfront

Writes nginx's configuration for the settings into FOLDER, and has nginx check it.`;

const DIST = join(import.meta.dirname, "..", "site", "dist");

const { positionals } = readArguments(USAGE, {}, [1]);
try {
  writeConfiguration(resolve(...positionals));
} catch (error) {
  const isExpected = error instanceof StartError || error instanceof SettingsError;
  // System errors explain themselves: "EACCES: permission denied, mkdir '/etc/x'".
  if (!isExpected && !(error instanceof Error && "syscall" in error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function writeConfiguration(folder: string): void {
  if (!existsSync(DIST)) throw new StartError("The site isn't built yet. Run `npm run build` first.");
  const environment = readEnvironment();
  const { apiPorts, ...settings } = readNginxSettings(environment);
  if (apiPorts.length === 0)
    throw new StartError(
      "API_PORT is missing. Set it to the port that the API listens on, or to those of several APIs.",
    );
  const baseUrl = settings.baseUrl ?? shopBaseUrl(contentRepositoryOf(environment));
  if (settings.tls) ensureTlsFits(folder, baseUrl);
  // nginx's user must reach the site, whatever root's umask is.
  process.umask(0o022);
  const production = process.getuid?.() === 0 ? { tls: settings.tls } : undefined;
  if (production) giveToNginx(folder, production.tls);
  const [errorLog, accessLog] = production ? [NGINX_LOGS.error, NGINX_LOGS.access] : ["error.log", "access.log"];
  renderNginx(folder, {
    ...settings,
    tls: settings.tls && production ? { ...settings.tls, ...certificateCopies(folder) } : settings.tls,
    apiPorts,
    baseUrl,
    admin: readAdmin(readEnvironment(), baseUrl),
    dist: DIST,
    workerUser: undefined,
    errorLog,
    accessLog,
  });
  if (production) ensureReachable(folder);
  const rotation = join(folder, "logrotate.conf");
  const logs = [errorLog, accessLog].map((log) => resolve(folder, log));
  writeFileSync(rotation, logRotation(folder, logs, production));
  const reload = join(folder, "reload");
  writeFileSync(reload, reloadScript(folder, production), { mode: 0o755 });
  const start = join(folder, "start");
  writeFileSync(start, startScript(folder, production), { mode: 0o755 });
  if (run([start, "-t"], "inherit") !== 0)
    throw new StartError("nginx rejected the configuration; its reason is above.");
  console.log(`Start nginx: ${start}\nAfter this command, or with a new certificate: ${reload}`);
  console.log(`Rotate its logs: cp ${rotation} /etc/logrotate.d/twinfront`);
}

function ensureTlsFits(folder: string, baseUrl: string): void {
  if (existsSync(join(folder, "tls.conf")))
    throw new StartError(
      `TLS_CERTIFICATE is set, and ${join(folder, "tls.conf")} is there too. Remove the file: its lines now come from the settings.`,
    );
  if (!baseUrl.startsWith("https:"))
    throw new StartError(
      `TLS_CERTIFICATE is set, but the shop's address is ${baseUrl}. Write it with https in BASE_URL or content/store.yaml.`,
    );
}

/** Gives nginx's user the folders that it writes to, and copies of the certificate and its key. */
function giveToNginx(folder: string, tls: Tls | undefined): void {
  const [temp, logs] = [join(folder, "temp"), dirname(NGINX_LOGS.access)];
  for (const made of [temp, logs]) mkdirSync(made, { recursive: true });
  const certificates = dirname(certificateCopies(folder).certificate);
  const commands = [
    ["chown", "-R", `${NGINX_USER}:${NGINX_USER}`, temp],
    ["chown", "-R", `${NGINX_USER}:adm`, logs],
    ["chmod", "750", logs],
    ["install", "-d", "-m", "750", "-g", NGINX_USER, certificates],
    ...(tls ? [["sh", "-euc", copyCertificate(folder, tls)]] : []),
  ];
  if (commands.some((command) => run(command, "inherit") !== 0))
    throw new StartError(`nginx's user, ${NGINX_USER}, couldn't be given what it needs; the reason is above.`);
}

/** Otherwise nginx answers 404 to everything, or can't write its log, and only its error log says why. */
function ensureReachable(folder: string): void {
  for (const [access, path] of [
    ["-r", join(folder, "dist", "index.html")],
    ["-w", dirname(NGINX_LOGS.access)],
  ] as const) {
    if (run([...AS_NGINX_USER, "test", access, path], "ignore") === 0) continue;
    throw new StartError(
      `nginx runs as ${NGINX_USER}, who can't reach ${path}. Let every user enter the folders on the way; a checkout belongs into one such as /srv.`,
    );
  }
}

function run([program = "", ...args]: readonly string[], stdio: "inherit" | "ignore"): number | null {
  return spawnSync(program, args, { stdio, env: { ...process.env, PATH: SERVER_PATH } }).status;
}
