// `npm run nginx -- FOLDER`: writes the configuration for a production server and has nginx check it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SettingsError } from "../api/env.ts";
import { SERVER_PATH, StartError } from "./programs.ts";
import { logRotation, NGINX_LOGS, reloadScript, renderNginx, WORKER_USER } from "./render.ts";
import { readEnvironment, readNginxSettings, shopBaseUrl } from "./settings.ts";

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
  const { apiPorts, ...settings } = readNginxSettings(readEnvironment());
  if (apiPorts.length === 0)
    throw new StartError(
      "API_PORT is missing. Set it to the port that the API listens on, or to those of several APIs.",
    );
  const baseUrl = settings.baseUrl ?? shopBaseUrl();
  const folder = resolve(target);
  if (settings.tls) ensureTlsFits(folder, baseUrl);
  const asRoot = process.getuid?.() === 0;
  // nginx's workers must reach the site and reopen their logs, whatever root's umask is.
  process.umask(0o022);
  if (asRoot) mkdirSync(dirname(NGINX_LOGS.access), { recursive: true });
  const [errorLog, accessLog] = asRoot ? [NGINX_LOGS.error, NGINX_LOGS.access] : ["error.log", "access.log"];
  renderNginx(folder, {
    ...settings,
    apiPorts,
    baseUrl,
    dist: DIST,
    workerUser: asRoot ? WORKER_USER : undefined,
    errorLog,
    accessLog,
  });
  if (asRoot) ensureReadable(folder);
  const rotation = join(folder, "logrotate.conf");
  const logs = [errorLog, accessLog].map((log) => resolve(folder, log));
  writeFileSync(rotation, logRotation(folder, logs, asRoot ? `create 0640 ${WORKER_USER} adm` : "nocreate"));
  const reload = join(folder, "reload");
  writeFileSync(reload, reloadScript(folder), { mode: 0o755 });
  const options = ["-p", folder, "-c", "nginx.conf"];
  if (runServerProgram("nginx", ["-t", ...options], "inherit") !== 0) {
    throw new StartError("nginx rejected the configuration; its reason is above.");
  }
  console.log(`Start nginx: nginx ${options.join(" ")}\nAfter this command, or with a new certificate: ${reload}`);
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

/** Otherwise nginx answers 404 to everything, or goes on writing into a rotated log, and only its error log says why. */
function ensureReadable(folder: string): void {
  for (const [access, path] of [
    ["-r", join(folder, "dist", "index.html")],
    ["-x", dirname(NGINX_LOGS.access)],
  ] as const) {
    const as = ["--reuid", WORKER_USER, "--regid", WORKER_USER, "--clear-groups", "test", access, path];
    if (runServerProgram("setpriv", as, "ignore") === 0) continue;
    throw new StartError(
      `nginx's workers run as ${WORKER_USER}, who can't reach ${path}. Let every user enter the folders on the way; a checkout belongs into one such as /srv.`,
    );
  }
}

function runServerProgram(program: string, args: string[], stdio: "inherit" | "ignore"): number | null {
  return spawnSync(program, args, { stdio, env: { ...process.env, PATH: SERVER_PATH } }).status;
}
