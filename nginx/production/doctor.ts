// `npm run doctor`: what is wrong with this shop, in one table. Exits as monitoring plugins do: 0 well, 1 warning, 2 fault.

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, existsSync, readFileSync, type StatsFs, statSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { connect } from "node:tls";
import { DAY_MS } from "../../api/contract/duration.ts";
import { readDatabaseAddress, SettingsError } from "../../api/env.ts";
import {
  examineDatabaseAt,
  findDatabaseFolders,
  type ShownVersion,
} from "../../api/operation/doctor/examine-database.ts";
import { type Finding, fault, warning, well } from "../../api/operation/doctor/finding.ts";
import { readArguments } from "../../api/read-arguments.ts";
import { requestFile } from "../../site/admin/publication/request.ts";
import { RECORD, readRecord } from "../../site/build/build-record.ts";
import { FACTS, hashFacts, readFacts } from "../../site/build/stock-facts.ts";
import { type CertificateFiles, readPair } from "../certificate.ts";
import { findRuntimeFolder, readEnvironmentBesideShop } from "../local/data-folder.ts";
import { askNginx, describePage, findOwnNginx, type OwnNginx } from "../local/own-nginx.ts";
import { hasIpv6 } from "../local/ports.ts";
import { privateDatabaseAddress } from "../local/private-database.ts";
import { StartError } from "../programs.ts";
import { projectOf, shownSite } from "../release/releases.ts";
import { NGINX_LOGS, REFUSED } from "../render.ts";
import { readShopSettings, releasesDirOf, type ShopSettings } from "../settings.ts";
import { BACKUPS, examineBackups } from "./backups.ts";
import { NGINX_FOLDER } from "./host.ts";

const SIGNS = { well: "✓", warning: "!", fault: "✗" };
const EXIT_CODES = { well: 0, warning: 1, fault: 2 };

const DIST = join(import.meta.dirname, "..", "..", "site", "dist");
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Longer than the unit gives to a publication. */
const PUBLISHED_WITHIN_MINUTES = 40;
/** A refresh begins at once, and takes seconds. */
const REFRESHED_WITHIN_MS = 5 * MINUTE_MS;
/** A build a day, with two hours for it to be late. */
const BUILD_KEPT_MS = 26 * HOUR_MS;
const ANSWER_MS = 3_000;
/** A unit that has been restarted so often, and last within so many seconds or isn't back yet, will be again. */
const [MANY_RESTARTS, STEADY_AFTER_S] = [3, 60];
const NFT = "/usr/sbin/nft";
/** Whether systemd runs the shop here, by our units. */
const IS_HOST = existsSync("/etc/systemd/system/twinfront-nginx.service");
const SEE_REFRESH = IS_HOST
  ? "journalctl -u twinfront-refresh"
  : "what npm start or npm run refresh printed, or start one";
/** Days for which a certificate should still be valid: renewal begins 30 days before its end. */
const CERTIFICATE_DAYS = 14;

readArguments("Usage: npm run doctor\n\nSays in one table what is wrong with this shop.", {});
const findings = await examine();
for (const { name, state, text } of findings) console.log(`  ${SIGNS[state]} ${name.padEnd(10)} ${text}`);
process.exitCode = Math.max(...findings.map(({ state }) => EXIT_CODES[state]));

async function examine(): Promise<Finding[]> {
  const settings = readSettings();
  if ("state" in settings) return [settings];
  return [
    well("settings", "complete"),
    // Each by itself, since :: means two sockets (nginx/render.ts).
    ...(await Promise.all(
      (settings.host === "::" ? ["127.0.0.1", ...(hasIpv6() ? ["::1"] : [])] : [settings.host]).map((host) =>
        examineNginx(findOwnNginx({ ...settings, host })),
      ),
    )),
    ...(await examineCertificate(settings)),
    ...(await examineApis(settings)),
    ...(IS_HOST ? [...examineUnits(settings.contentRepository !== undefined), examineConnections()] : []),
    examineBuild(),
    ...examineRefresh(),
    ...(await examineStored(settings)),
    // Only where our timers make them; who makes backups otherwise watches them there.
    ...(existsSync(BACKUPS) ? examineBackups(BACKUPS, new Date()) : []),
    ...(settings.contentRepository ? [examinePublications(settings.contentRepository)] : []),
    ...(await examineDisks(await writtenFolders(settings))),
  ];
}

function readSettings(): ShopSettings | Finding {
  try {
    return readShopSettings(readEnvironmentBesideShop());
  } catch (error) {
    if (!(error instanceof SettingsError) && !(error instanceof StartError)) throw error;
    return fault("settings", error.message);
  }
}

async function examineNginx(nginx: OwnNginx): Promise<Finding> {
  const { status, reason } = await ask(nginx, "/");
  const page = describePage(nginx, "/");
  if (status === 200) return well("nginx", `answers at ${page}`);
  if (status) return fault("nginx", `${page} answers ${status}: see its error log`);
  const start = IS_HOST ? "systemctl start twinfront-nginx" : "start it";
  return fault("nginx", `${page} doesn't answer (${reason}): ${start}, or see its error log`);
}

function systemctl(...args: string[]) {
  return spawnSync("systemctl", args, { encoding: "utf8" });
}

/**
 * Units that have failed or keep failing, and those that nothing else misses where they are stopped. The doctor's own
 * unit fails by what it finds.
 */
function examineUnits(hasEditors: boolean): Finding[] {
  const properties = "--property=Id,ActiveState,SubState,NRestarts,ActiveEnterTimestamp";
  const { status, stdout, stderr } = systemctl("show", "--timestamp=unix", properties, "twinfront-*");
  if (status !== 0) return [warning("units", `systemctl doesn't answer: ${stderr?.trim() || "is it installed?"}`)];
  const failed = stdout.split("\n\n").flatMap((unit) => {
    const read = (property: string) => new RegExp(`^${property}=@?(.*)$`, "m").exec(unit)?.[1] ?? "";
    const isYoung = Date.now() / 1_000 - Number(read("ActiveEnterTimestamp")) < STEADY_AFTER_S;
    // Between two starts it is inactive or deactivating for moments.
    const isBack = read("ActiveState") === "active" && !isYoung;
    const keepsFailing = read("SubState") === "auto-restart" || (Number(read("NRestarts")) >= MANY_RESTARTS && !isBack);
    const isFailed = read("ActiveState") === "failed" || keepsFailing;
    return isFailed && !/-doctor\./.test(read("Id")) ? read("Id") : [];
  });
  const always = ["twinfront-refresh.service", ...(hasEditors ? ["twinfront-admin.service"] : [])];
  const stopped = always.filter((name) => systemctl("is-active", name).stdout === "inactive\n");
  return [
    ...failed.map((name) => fault("units", `${name} failed: journalctl -u ${name}`)),
    ...stopped.map((name) => fault("units", `${name} is stopped: systemctl enable --now ${name}`)),
  ];
}

/** Whether the limit of connections per address is in force. Of the rules themselves only root may ask. */
function examineConnections(): Finding {
  const unit = "twinfront-connections.service";
  const isActive = systemctl("is-active", unit).stdout === "active\n";
  const isLoaded = process.getuid?.() !== 0 || spawnSync(NFT, ["list", "table", "inet", "twinfront"]).status === 0;
  if (isActive && isLoaded) return well("network", "limits the connections of each address");
  const install = existsSync(NFT) ? "" : "apt-get install nftables; ";
  return fault("network", `one address may use up all connections: ${install}systemctl restart ${unit}`);
}

/** Each API by itself where the ports are set, otherwise the one behind nginx. */
async function examineApis(settings: ShopSettings): Promise<Finding[]> {
  if (settings.apiPorts.length === 0) return [await examineApi(findOwnNginx(settings), "/api/erp/status", "start it")];
  const found = settings.apiPorts.map((port) => {
    const start = IS_HOST ? `systemctl start twinfront-api@${port}.socket twinfront-api@${port}` : "start it";
    return examineApi({ url: `http://127.0.0.1:${port}` }, "/api/health/ready", start);
  });
  return Promise.all(found);
}

async function examineApi(server: OwnNginx, path: string, start: string): Promise<Finding> {
  const { status, body, reason } = await ask(server, path);
  const url = describePage(server, path);
  if (status === undefined) return fault("API", `nothing answers at ${url} (${reason}): ${start}`);
  if (status !== 200)
    return fault("API", `answers ${status} at ${url}: ${body["detail"] ?? "see its log, and whether it's the API"}`);
  return body["private_pages"] ? warning("API", `${body["private_pages"]}`) : well("API", `ready at ${url}`);
}

/** The certificate that clients get, and whether it's the one in the settings. */
async function examineCertificate(settings: ShopSettings): Promise<Finding[]> {
  const { tls } = settings;
  const { url, at } = findOwnNginx(settings);
  if (!tls || !at) return [];
  try {
    const { validTo, fingerprint } = await readShownCertificate(at.hostname, at.port, new URL(url).hostname);
    const days = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS);
    const text = days < 0 ? "expired" : `valid for ${days} days`;
    const other = findUnused(tls, fingerprint);
    if (days >= CERTIFICATE_DAYS)
      return [other === undefined ? well("TLS", text) : warning("TLS", `${text}, but ${other}`)];
    const finding = days < 2 || other !== undefined ? fault : warning;
    return [finding("TLS", `${text}: ${other ?? `see why certbot or lego doesn't renew ${tls.certificate}`}`)];
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    return [fault("TLS", `nginx shows no certificate at port ${tls.port} (${reason}): start it, or see its error log`)];
  }
}

/** Why nginx shows another certificate than the one in the settings; undefined if it doesn't, or only root could say. */
function findUnused(tls: CertificateFiles, fingerprint: string): string | undefined {
  const note = join(NGINX_FOLDER, REFUSED);
  if (IS_HOST && existsSync(note)) return `${tls.certificate} is refused since ${readFileSync(note, "utf8").trim()}`;
  try {
    for (const path of [tls.certificate, tls.key]) accessSync(path, constants.R_OK);
  } catch (error) {
    // On a host the unit's user may not read it, and `reload` leaves the note.
    return Object(error).code === "EACCES" ? undefined : `${tls.certificate} or its key isn't there`;
  }
  try {
    const { own } = readPair(tls);
    if (own.fingerprint256 === fingerprint) return undefined;
    return `nginx doesn't use ${tls.certificate}, which is valid until ${own.validTo}: run its \`reload\`, as the hook of certbot or lego does`;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return error.message;
  }
}

async function readShownCertificate(host: string, port: number, servername: string) {
  const socket = connect({ host, port, servername, rejectUnauthorized: false, timeout: ANSWER_MS });
  socket.once("timeout", () => socket.destroy(new Error("no answer")));
  try {
    await once(socket, "secureConnect");
    const { valid_to: validTo, fingerprint256: fingerprint } = socket.getPeerCertificate();
    return { validTo, fingerprint };
  } finally {
    socket.destroy();
  }
}

interface Answer {
  status?: number;
  /** What the API says; empty for a page. */
  body: Record<string, unknown>;
  /** Why there is no answer. */
  reason?: string;
}

async function ask(server: OwnNginx, path: string): Promise<Answer> {
  try {
    const { status, type, body } = await askNginx(server, path, {}, AbortSignal.timeout(ANSWER_MS));
    return { status, body: type.includes("json") ? Object(JSON.parse(body)) : {} };
  } catch (error) {
    return { body: {}, reason: error instanceof Error ? error.message : String(error) };
  }
}

function examineBuild(): Finding {
  // Most other files have times that are made from hashes.
  const built = statSync(join(DIST, ".built-from"), { throwIfNoEntry: false });
  if (!built)
    return fault("pages", `the site isn't built: ${IS_HOST ? "systemctl start twinfront-site" : "npm run build"}`);
  const ageMs = Date.now() - built.mtimeMs;
  const text = ageMs < HOUR_MS ? "built within the last hour" : `built ${Math.floor(ageMs / HOUR_MS)} h ago`;
  return ageMs < BUILD_KEPT_MS ? well("pages", text) : warning("pages", `${text}: build once a day, since days pass`);
}

function factsOf(site: string): string {
  return join(projectOf(site) ?? "", "site", FACTS);
}

/** When the shown pages last followed what is left, or were built; undefined if there are none. */
function findFollowed(): Date | undefined {
  const site = shownSite();
  if (site === undefined) return undefined;
  return [factsOf(site), join(site, RECORD)].map((file) => statSync(file, { throwIfNoEntry: false })).find(Boolean)
    ?.mtime;
}

/** Whether pages show what was left when it was last looked at. */
function examineRefresh(): Finding[] {
  const site = shownSite();
  if (site === undefined) return [];
  const file = factsOf(site);
  const read = statSync(file, { throwIfNoEntry: false });
  if (!read || Date.now() - read.mtimeMs < REFRESHED_WITHIN_MS) return [];
  if (hashFacts(readFacts(file)) === (readRecord(site)?.facts ?? "")) return [];
  return [warning("pages", `don't follow the stock since ${read.mtime.toISOString()}: see ${SEE_REFRESH}`)];
}

/** DATABASE_URL, or the private database beside this; undefined without either. */
function databaseUrlOf({ databaseUrl, dataDir }: Pick<ShopSettings, "databaseUrl" | "dataDir">): string | undefined {
  const runtime = databaseUrl ? undefined : findRuntimeFolder(dataDir);
  return databaseUrl ?? (runtime && privateDatabaseAddress(runtime).url);
}

async function examineStored({ databaseUrl, dataDir, environment }: ShopSettings): Promise<Finding[]> {
  const url = databaseUrlOf({ databaseUrl, dataDir });
  if (!url) return [fault("database", "none: set DATABASE_URL, or run npm start beside this")];
  const address = readDatabaseAddress({ DATABASE_URL: url });
  const stored = await examineDatabaseAt(address, {
    versions: readShownVersions(),
    hasWebhook: environment["ERP_WEBHOOK_URL"] !== undefined,
    // `npm start` writes them as files.
    hasMail: databaseUrl === undefined || [environment["SMTP_URL"], environment["MAIL_FOLDER"]].some(Boolean),
    canRefresh: IS_HOST || isWritable(dirname(DIST)),
    followed: { at: findFollowed() ?? new Date(), see: SEE_REFRESH },
  });
  return [...stored, ...examineDatabasePort(address)];
}

/** Whether this process may write to a folder, which it may not in an image. */
function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A database of this machine that every other one can reach; Debian's mariadb.socket does that, whatever `bind-address` says. */
function examineDatabasePort({ host, port }: { host: string; port: number }): Finding[] {
  if (!["localhost", "127.0.0.1", "::1"].includes(host)) return [];
  const sockets = ["tcp", "tcp6"].map((name) => `/proc/self/net/${name}`).filter((file) => existsSync(file));
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  // proc_net_tcp(5): every address is zeros, and 0A is LISTEN.
  const open = new RegExp(`: 0+:${hex} \\w+:\\w+ 0A `);
  if (!sockets.some((file) => open.test(readFileSync(file, "utf8")))) return [];
  const close = "systemctl disable --now mariadb.socket; systemctl restart mariadb";
  return [warning("database", `port ${port} is open to other machines. Unless that is meant: ${close}`)];
}

function readShownVersions(): ShownVersion[] | undefined {
  try {
    const { products }: { products: { variants: ShownVersion[] }[] } = JSON.parse(
      readFileSync(join(DIST, "products.json"), "utf8"),
    );
    return products.flatMap(({ variants }) => variants);
  } catch {
    return undefined;
  }
}

/** A publication that waits for longer than one takes, or isn't begun at all. */
function examinePublications(repository: string): Finding {
  if (!existsSync(repository))
    return fault(
      "editors",
      `${repository} is missing, which CONTENT_REPOSITORY names: on a host, npm run install:host -- --write makes it`,
    );
  const asked = statSync(requestFile(repository), { throwIfNoEntry: false });
  if (!asked) return well("editors", "nothing waits to be published");
  const minutes = Math.floor((Date.now() - asked.mtimeMs) / MINUTE_MS);
  const text = `a publication was asked for ${minutes} minutes ago`;
  if (minutes <= PUBLISHED_WITHIN_MINUTES) return well("editors", text);
  return fault("editors", `${text}: systemctl status twinfront-publish.path, journalctl -u twinfront-publish`);
}

interface Written {
  /** Whose the folder is, as in "of the site". */
  what: string;
  folder: string;
}

/** Where something stops when there is no room. What other machines write isn't known here. */
async function writtenFolders({ databaseUrl, dataDir, environment, contentRepository }: ShopSettings) {
  const url = databaseUrlOf({ databaseUrl, dataDir });
  const ofDatabase = url ? await findDatabaseFolders(readDatabaseAddress({ DATABASE_URL: url })) : [];
  const releases = releasesDirOf(environment);
  const mails = environment["MAIL_FOLDER"];
  const written: Written[] = [
    { what: "the site", folder: DIST },
    // A shop with a database elsewhere keeps nothing there.
    ...(databaseUrl ? [] : [{ what: "DATA_DIR", folder: dataDir }]),
    ...ofDatabase.map((folder) => ({ what: "the database", folder })),
    ...(existsSync(releases) ? [{ what: "releases", folder: releases }] : []),
    ...(contentRepository && existsSync(contentRepository) ? [{ what: "editors", folder: contentRepository }] : []),
    ...(mails ? [{ what: "mails", folder: mails }] : []),
    ...(IS_HOST ? [{ what: "logs", folder: dirname(NGINX_LOGS.access) }] : []),
    ...(existsSync(BACKUPS) ? [{ what: "backups", folder: BACKUPS }] : []),
  ];
  return written;
}

/** A line for each disk, with all that is on it. */
async function examineDisks(written: readonly Written[]): Promise<Finding[]> {
  const found = await Promise.all(
    written.map(async (each) => {
      const [disk, place] = await Promise.all([statfs(each.folder), stat(each.folder)]).catch(() => []);
      return { ...each, disk, device: place?.dev };
    }),
  );
  const unread = found.filter(({ disk }) => disk === undefined);
  const disks = Map.groupBy(
    found.filter(({ disk }) => disk !== undefined),
    ({ device }) => device,
  );
  return [
    ...[...disks.values()].map((on) => describeDisk([...new Set(on.map(({ what }) => what))], on[0]?.disk)),
    ...unread.map(({ what, folder }) => warning("disk", `of ${what}: ${folder} can't be read`)),
  ];
}

function describeDisk(names: readonly string[], disk: StatsFs | undefined): Finding {
  if (!disk) throw new Error("A disk without numbers.");
  // A disk can be full of files too; some kinds don't count them.
  const left = Math.min(disk.bavail / disk.blocks, disk.files > 0 ? disk.ffree / disk.files : 1);
  const ofFiles = left < disk.bavail / disk.blocks ? ` (of the number of files that fit, ${disk.ffree} left)` : "";
  const which = new Intl.ListFormat("en").format(names);
  const text = `of ${which}: ${Math.floor(left * 100)}% free${ofFiles}, ${Math.floor((disk.bavail * disk.bsize) / 1e9)} GB`;
  if (left >= 0.15) return well("disk", text);
  return left >= 0.05 ? warning("disk", `${text}: make room`) : fault("disk", `${text}: make room now`);
}
