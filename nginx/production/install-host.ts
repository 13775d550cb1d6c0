// `npm run install:host`: says what this host lacks to run the shop by systemd; with `-- --write`, writes it. Run by root.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { readEnv, SettingsError } from "../../api/env.ts";
import { readArguments } from "../../api/read-arguments.ts";
import { replaceLink } from "../../site/build/numbered-builds.ts";
import { contentRootProblem } from "../../site/content-repository/content-root.ts";
import { hasIpv6 } from "../local/ports.ts";
import { apiProgram, HEAP_OPTIONS } from "../local/services.ts";
import { StartError } from "../programs.ts";
import {
  collect,
  contentRepositoryOf,
  contentRootOf,
  DEFAULT_TLS_PORT,
  PLAIN_PATH,
  readAdmin,
  readNginxSettings,
  releasesDirOf,
  shopBaseUrl,
} from "../settings.ts";
import {
  buildFolders,
  differenceOf,
  enabledUnits,
  findLeftovers,
  hostFiles,
  type Leftovers,
  NGINX_FOLDER,
  SITE_USER,
  unitNames,
  writeHostFile,
} from "./host.ts";

const USAGE = `Usage: npm run install:host

Says what this host lacks to run the shop by systemd. Run it as root.

  npm run install:host -- --write   writes it`;

const ROOT = join(import.meta.dirname, "..", "..");
const SETTINGS = "/etc/twinfront/settings.env";
const ADD_SITE_USER = ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", SITE_USER];

/** Why the rest waits: the host's first release needs the units. */
const FIRST_RELEASE = `
nginx's configuration comes after the first release:
  systemctl daemon-reload
  systemctl disable --now nginx
  systemctl start twinfront-site
  npm run install:host -- --write`;
const HOW_TO_WRITE = "To write: npm run install:host -- --write";

/** One thing that isn't right yet. */
interface Change {
  what: string;
  make: () => void;
}

const { values } = readArguments(USAGE, { write: { type: "boolean" } });
try {
  installHost(values.write ?? false);
} catch (error) {
  if (!(error instanceof StartError || error instanceof SettingsError)) throw error;
  console.error(error.message);
  if (error instanceof SettingsError) console.error(`The settings are in ${SETTINGS}.`);
  process.exitCode = 1;
}

/** Whether services may read a folder (ProtectHome=, PrivateTmp=), and units have its path as it is. */
function isForServices(folder: string): boolean {
  return /^\/[\w./-]+$/.test(folder) && !/^\/(?:home|root|tmp)\//.test(`${folder}/`);
}

function installHost(write: boolean): void {
  if (process.getuid?.() !== 0) throw new StartError("Run this as root: it writes below /etc and /var/lib.");
  if (!isForServices(ROOT))
    throw new StartError(`Services can't run from ${ROOT}. Move the checkout to a folder such as /srv/twinfront.`);
  process.umask(0o022);
  apply(settingsChanges(), write);
  if (!existsSync(SETTINGS)) {
    console.log(`Then complete ${SETTINGS}, and run this again. ${HOW_TO_WRITE}`);
    return;
  }
  const source = parseEnv(readFileSync(SETTINGS, "utf8"));
  const { nginx, baseUrl, contentRoot, repository, admin } = readHostSettings(source);
  const { apiPorts, metricsPorts, trustedProxies } = nginx;
  const releasesDir = releasesDirOf(source);
  const editing = repository && admin?.socket ? { repository, socket: admin.socket, baseUrl } : undefined;
  const nginxPorts = [nginx.port, nginx.tls?.port ?? DEFAULT_TLS_PORT];
  const host = { root: ROOT, contentRoot, nginxPorts, trustedProxies, apiPorts, metricsPorts, releasesDir, editing };
  const files = hostFiles(host).flatMap((file) => {
    const difference = differenceOf(file);
    return difference ? [{ what: `${file.path} (${difference})`, make: () => writeHostFile(file) }] : [];
  });
  apply([...siteChanges(releasesDir), ...(repository ? contentChanges(repository, contentRoot) : []), ...files], write);
  const leftovers = findLeftovers(host);
  removeLeftovers(leftovers, write);
  removeDatabaseSocket(write);
  if (!write) {
    console.log(`nginx's configuration in ${NGINX_FOLDER} is written each time. ${HOW_TO_WRITE}`);
    return;
  }
  if (!existsSync(join(ROOT, "site", "dist"))) {
    console.log(FIRST_RELEASE);
    return;
  }
  writeNginxConfiguration();
  compileServices();
  const needsWorker = Boolean(source["ERP_WEBHOOK_URL"] || source["SMTP_URL"]);
  const units = unitNames(apiPorts, { needsWorker, hasEditors: Boolean(editing) });
  console.log(["\nThen:", ...nextCommands(units, files.length + leftovers.files.length > 0)].join("\n  "));
}

/** What puts into use what is written. */
function nextCommands(units: string[], haveChanged: boolean): string[] {
  const enabled = enabledUnits();
  const hasConnections = enabled.includes("twinfront-connections.service");
  const missing = units.filter((name) => !enabled.includes(name));
  return [
    ...(haveChanged ? ["systemctl daemon-reload"] : []),
    ...(enabled.length > 0
      ? [
          ["systemctl reload twinfront-nginx", ...(hasConnections ? ["twinfront-connections"] : [])].join(" "),
          "systemctl restart 'twinfront-api@*.service' 'twinfront-worker*.service' 'twinfront-refresh*.service' 'twinfront-admin*.service'   # if settings or code have changed",
        ]
      : []),
    ...(missing.length > 0 ? [`systemctl enable --now ${missing.join(" ")}`] : []),
  ];
}

function apply(changes: Change[], write: boolean): void {
  for (const { what, make } of changes) {
    console.log(`${write ? "wrote" : "would write"} ${what}`);
    if (write) make();
  }
}

function removeLeftovers({ enabled, files }: Leftovers, write: boolean): void {
  for (const path of files) {
    console.log(`${write ? "removed" : "would remove"} ${path}`);
    if (write) rmSync(path);
  }
  if (enabled.length === 0) return;
  console.log(`
No longer in the settings. Stop this, then run install:host again, which removes what files are left:
  systemctl disable --now ${enabled.join(" ")}
`);
}

/** Debian's socket of MariaDB, which at each boot opens port 3306 to everybody, whatever `bind-address` says. */
function removeDatabaseSocket(write: boolean): void {
  const link = "/etc/systemd/system/sockets.target.wants/mariadb.socket";
  if (!lstatSync(link, { throwIfNoEntry: false })) return;
  console.log(`${write ? "removed" : "would remove"} ${link} (at each boot it opens MariaDB's port to everybody)`);
  if (write) rmSync(link);
}

/** The settings, which only root reads: systemd passes them to the services. */
function settingsChanges(): Change[] {
  const link = join(ROOT, ".env");
  const found = lstatSync(link, { throwIfNoEntry: false });
  if (found && !found.isSymbolicLink())
    throw new StartError(`${link} has settings. Move them: install -D -m 600 ${link} ${SETTINGS} && rm ${link}`);
  const content = existsSync(SETTINGS) ? readFileSync(SETTINGS, "utf8") : newSettings();
  const settings = { path: SETTINGS, content, mode: 0o600 };
  const difference = differenceOf(settings);
  const folder = dirname(SETTINGS);
  const isClosed = existsSync(folder) && (statSync(folder).mode & 0o777) === 0o700;
  const close = () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o700);
  };
  return [
    // So that a build by another user doesn't find `.env`: it couldn't read it.
    ...(isClosed ? [] : [{ what: `${folder} (for root only)`, make: close }]),
    ...(difference ? [{ what: `${SETTINGS} (${difference})`, make: () => writeHostFile(settings) }] : []),
    ...(found ? [] : [{ what: `${link} → ${SETTINGS}`, make: () => symlinkSync(SETTINGS, link) }]),
  ];
}

/** The settings of a new host, from the environment; what isn't there the operator completes. */
function newSettings(): string {
  // Both kinds of addresses, unless the kernel has been told to do without IPv6.
  const host = hasIpv6() ? "::" : "0.0.0.0";
  const { BASE_URL = shopBaseUrl(process.env), CONTENT_ROOT, DATABASE_URL = "", SMTP_URL = "" } = process.env;
  return `# The settings of this host; .env.example in the checkout explains them and has the others.
# IPv4 and IPv6. 0.0.0.0 is IPv4 alone.
HOST=${host}
PORT=80
API_PORT=3000
BASE_URL=${BASE_URL}
${CONTENT_ROOT ? `CONTENT_ROOT=${CONTENT_ROOT}\n` : ""}# mysql://user:password@host:3306/name
DATABASE_URL=${DATABASE_URL}
ERP_PULL_API_TOKEN=${randomBytes(32).toString("hex")}
SMTP_URL=${SMTP_URL}
RELEASES_DIR=/var/lib/twinfront/releases
# To write content at /admin, this too:
#CONTENT_REPOSITORY=/var/lib/twinfront/content.git
#ADMIN_SOCKET=/run/twinfront/admin.sock
`;
}

/** Reads what units and nginx need, and checks the API's settings. Throws SettingsError with every problem. */
function readHostSettings(source: Record<string, string | undefined>) {
  const problems: string[] = [];
  const nginx = collect(problems, () => readNginxSettings(source));
  // Without a right BASE_URL, only to find the other problems.
  const { apiPorts = [], metricsPorts = [], baseUrl = "https://shop.example" } = nginx ?? {};
  const repository = contentRepositoryOf(source);
  const contentRoot = contentRootOf(source);
  const rootProblem = contentRootProblem(source["CONTENT_ROOT"]);
  if (rootProblem !== undefined) problems.push(rootProblem);
  else if (!isForServices(contentRoot))
    problems.push(`Services can't read CONTENT_ROOT=${contentRoot}. Move it to a folder such as /srv/shop.`);
  if (repository && !PLAIN_PATH.test(repository))
    problems.push(
      `CONTENT_REPOSITORY=${repository} has characters that a unit would misread. Use letters, digits and ./@+-_.`,
    );
  const admin = collect(problems, () => readAdmin(source, baseUrl));
  if (!source["API_PORT"]) problems.push("API_PORT is missing. Write API_PORT=3000.");
  if (metricsPorts.length > 0 && metricsPorts.length !== apiPorts.length)
    problems.push(`METRICS_PORT needs as many ports as API_PORT has: ${apiPorts.length}.`);
  if (source["MAIL_FOLDER"])
    problems.push("MAIL_FOLDER isn't for hosts: the services can't write there. Set SMTP_URL instead.");
  // What is checked above gets a valid value here.
  const checked = { API_PORT: "1", METRICS_PORT: undefined, CONTENT_REPOSITORY: undefined };
  collect(problems, () => readEnv({ ...source, ...checked, BASE_URL: source["BASE_URL"] && baseUrl }));
  if (!nginx || problems.length > 0) throw new SettingsError(problems);
  return { nginx, baseUrl, contentRoot, repository, admin };
}

/** The repository that editors write to, which begins with the last commit of the folder that has content/. */
function contentChanges(repository: string, contentRoot: string): Change[] {
  const make = () => {
    const script = `git init --quiet --bare --initial-branch=main "$1" && git -C "$1" fetch --quiet "$2" HEAD:main && chown -R ${SITE_USER}: "$1"`;
    if (spawnSync("sh", ["-c", script, "sh", repository, contentRoot], { stdio: "inherit" }).status === 0) return;
    rmSync(repository, { recursive: true, force: true });
    throw new StartError(`${repository} couldn't be made; the reason is above.`);
  };
  if (!existsSync(repository))
    return [{ what: `${repository} (main: the last commit of ${contentRoot}; owner: ${SITE_USER})`, make }];
  return ownerChanges(repository);
}

/** The user that makes releases, and what it writes to. Root's code isn't among it: whoever owns a folder can replace all in it. */
function siteChanges(releasesDir: string): Change[] {
  const addUser = () => {
    if (spawnSync("useradd", ADD_SITE_USER, { stdio: "inherit" }).status !== 0)
      throw new StartError(`The user ${SITE_USER} couldn't be added; the reason is above.`);
  };
  const site = join(ROOT, "site");
  const { uid, mode } = statSync(site);
  const close = () => {
    chownSync(site, 0, 0);
    chmodSync(site, 0o755);
  };
  return [
    ...(Number.isNaN(siteUserId()) ? [{ what: `the user ${SITE_USER}, who makes releases`, make: addUser }] : []),
    ...(uid === 0 && (mode & 0o022) === 0 ? [] : [{ what: `${site} (for root alone to write)`, make: close }]),
    ...buildFolders(ROOT).flatMap(ownerChanges),
    ...(existsSync(releasesDir) ? [] : ownerChanges(releasesDir)),
    ...shownChanges(join(site, "dist"), join(releasesDir, "current", "site", "dist")),
  ];
}

/** The link to what visitors get. A release changes `current` alone, since it can't write in site/. */
function shownChanges(dist: string, current: string): Change[] {
  const found = lstatSync(dist, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new StartError(`${dist} is a folder, as early versions made it. Remove it.`);
  if (found && resolve(dist, "..", readlinkSync(dist)) === current) return [];
  const gap =
    existsSync(dist) && !existsSync(current)
      ? " (no pages until the first release: systemctl start twinfront-site)"
      : "";
  return [{ what: `${dist} → ${current}${gap}`, make: () => replaceLink(dist, current, `${dist}.link`) }];
}

/** Makes a folder with all in it that user's. By tools that follow no link out of it, which that user could have put there. */
function ownerChanges(folder: string): Change[] {
  const make = () => {
    mkdirSync(folder, { recursive: true });
    const { status } = spawnSync("chown", ["-R", "-P", `${SITE_USER}:`, folder], { stdio: "inherit" });
    if (status !== 0) throw new StartError(`${folder} couldn't be given to ${SITE_USER}; the reason is above.`);
  };
  const foreign =
    existsSync(folder) && spawnSync("find", ["-P", folder, "!", "-uid", `${siteUserId()}`, "-print", "-quit"]);
  return foreign && foreign.status === 0 && foreign.stdout.length === 0
    ? []
    : [{ what: `${folder} (owner: ${SITE_USER})`, make }];
}

/** NaN without that user. */
function siteUserId(): number {
  return Number(spawnSync("id", ["-u", SITE_USER], { encoding: "utf8" }).stdout || Number.NaN);
}

/** Leaves what the services run compiled beside the checkout, by the options of their units, which link it (link-compiled). */
function compileServices(): void {
  const compiled = join(ROOT, ".compiled");
  rmSync(compiled, { recursive: true, force: true });
  for (const program of [[...HEAP_OPTIONS, ...apiProgram("server.ts")], apiProgram("worker.ts")])
    spawnSync(process.execPath, [...program, "--help"], { env: { NODE_COMPILE_CACHE: compiled }, stdio: "ignore" });
  // Node writes it for its own user alone.
  spawnSync("chmod", ["-R", "a+rX", compiled]);
}

function writeNginxConfiguration(): void {
  mkdirSync(NGINX_FOLDER, { recursive: true });
  const args = [join(ROOT, "nginx", "write-configuration.ts"), NGINX_FOLDER];
  const { status } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new StartError("nginx's configuration wasn't written; the reason is above.");
}
