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
  logRotation,
  NGINX_LOGS,
  NGINX_USER,
  openFilesHere,
  reloadScript,
  renderNginx,
  startScript,
} from "./render.ts";
import { readAdmin, readEnvironment, readNginxSettings, shopBaseUrl } from "./settings.ts";
import { hasCertificate, takeCertificate, waitForOthers } from "./take-certificate.ts";

const USAGE = `Usage: npm run nginx -- FOLDER, such as: npm run nginx -- /srv/twinfront

Writes nginx's configuration for the settings into FOLDER, and has nginx check it.`;

const DIST = join(import.meta.dirname, "..", "site", "dist");

const { positionals } = readArguments(USAGE, {}, [1]);
try {
  const folder = resolve(...positionals);
  await waitForOthers(folder);
  writeConfiguration(folder);
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
  const baseUrl = settings.baseUrl ?? shopBaseUrl(environment);
  if (settings.tls) ensureTlsFits(folder, baseUrl);
  // nginx's user must reach the site, whatever root's umask is.
  process.umask(0o022);
  const isProduction = process.getuid?.() === 0;
  if (isProduction) giveToNginx(folder);
  const { hostname } = new URL(baseUrl);
  // Before nginx's configuration, which then can't name a pair that nginx refuses.
  if (settings.tls) takeFirst({ folder, files: settings.tls, host: hostname, port: settings.tls.port, isProduction });
  const [errorLog, accessLog] = isProduction ? [NGINX_LOGS.error, NGINX_LOGS.access] : ["error.log", "access.log"];
  renderNginx(folder, {
    ...settings,
    apiPorts,
    baseUrl,
    admin: readAdmin(readEnvironment(), baseUrl),
    dist: DIST,
    workerUser: undefined,
    ...(!isProduction && { openFiles: openFilesHere() }),
    errorLog,
    accessLog,
  });
  if (isProduction) ensureReachable(folder);
  const rotation = join(folder, "logrotate.conf");
  const logs = [errorLog, accessLog].map((log) => resolve(folder, log));
  writeFileSync(rotation, logRotation(folder, logs, isProduction));
  const reload = join(folder, "reload");
  const address = { "0.0.0.0": "127.0.0.1", "::": "127.0.0.1" }[settings.host] ?? settings.host;
  const reloaded = settings.tls && { ...settings.tls, host: hostname, address };
  writeFileSync(reload, reloadScript(folder, reloaded, isProduction), { mode: 0o755 });
  const start = join(folder, "start");
  writeFileSync(start, startScript(folder, isProduction), { mode: 0o755 });
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

/** Takes the certificate. If that can't be, what nginx has stays, and without any this throws StartError. */
function takeFirst(taking: Parameters<typeof takeCertificate>[0]): void {
  try {
    for (const warning of takeCertificate(taking).warnings) console.error(`${taking.files.certificate}: ${warning}`);
  } catch (error) {
    if (!(error instanceof StartError) || !hasCertificate(taking.folder)) throw error;
    console.error(`${error.message}\nnginx goes on with the certificate that it has.`);
  }
}

/** Gives nginx's user the folders that it writes to, and may enter that of its certificates. */
function giveToNginx(folder: string): void {
  const [temp, logs] = [join(folder, "temp"), dirname(NGINX_LOGS.access)];
  for (const made of [temp, logs]) mkdirSync(made, { recursive: true });
  const commands = [
    ["chown", "-R", `${NGINX_USER}:${NGINX_USER}`, temp],
    ["chown", "-R", `${NGINX_USER}:adm`, logs],
    ["chmod", "750", logs],
    ["install", "-d", "-m", "750", "-g", NGINX_USER, join(folder, "tls")],
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
