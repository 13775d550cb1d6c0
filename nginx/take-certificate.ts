import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SERVER_PATH } from "../api/platform/server-path.ts";
import { askHolder, takeLock } from "../site/build/lock.ts";
import { replaceLink } from "../site/build/numbered-builds.ts";
import { type CertificateFiles, findWeaknesses, type Pair, readPair } from "./certificate.ts";
import { StartError } from "./programs.ts";
import { NGINX_USER, nginxCommand } from "./render.ts";

export interface Taking {
  /** Of nginx's configuration. */
  folder: string;
  /** The pair to take. */
  files: CertificateFiles;
  /** The shop's host, without a port. */
  host: string;
  /** nginx's TCP port for HTTPS. */
  port: number;
  /** Whether nginx's own user runs it, in a folder that belongs to root. */
  isProduction: boolean;
  /** Whether to take also a pair that browsers will refuse, such as one for a CDN in front. */
  anyway?: boolean;
}

export interface Taken {
  pair: Pair;
  /** What is wrong with it all the same: sentences. */
  warnings: string[];
  /** Makes the pair before it the current one again, if there was one. */
  goBack(): void;
}

const foldersOf = (folder: string) => ({ pairs: join(folder, "tls"), link: join(folder, "tls", "current") });

/** The paths in the folder of a pair, which https.conf names. */
const filesIn = (folder: string): CertificateFiles => ({
  certificate: join(folder, "certificate.pem"),
  key: join(folder, "key.pem"),
});

/** Whether a pair was taken, so that nginx can start with TLS. */
export const hasCertificate = (folder: string): boolean => existsSync(filesIn(foldersOf(folder).link).key);

/**
 * Waits until no other process takes a certificate for nginx in `folder`, and keeps others waiting until this one ends: two
 * would delete each other's pair, certbot's hook and an operator's reload.
 */
export async function waitForOthers(folder: string): Promise<void> {
  const name = `tls-${createHash("sha256").update(folder).digest("hex").slice(0, 32)}`;
  // Who waits keeps the connection until the holder ends, and mustn't keep the holder.
  while (!(await takeLock(name, (socket) => socket.unref()))) await askHolder(name);
}

/**
 * Copies a pair into a folder of its own in `tls/`, has nginx try it, and only then makes `tls/current` lead to it: whatever
 * is wrong with it, nginx can start with the one before. Call it after waitForOthers. Throws StartError with the reason:
 * the pair can't be served, or browsers would refuse it, but not the one that is in use.
 */
export function takeCertificate({ folder, files, host, port, isProduction, anyway = false }: Taking): Taken {
  const { pairs, link } = foldersOf(folder);
  const pair = readPair(files);
  const weaknesses = findWeaknesses(pair, host, new Date());
  const current = readCurrent(folder);
  // Without one, a name or an authority that browsers don't know is the operator's choice; time isn't.
  const known = current ? findWeaknesses(current, host, new Date()) : new Set(["host", "trust", "use"]);
  const worse = [...weaknesses].flatMap(([kind, sentence]) => (known.has(kind) ? [] : sentence));
  if (worse.length > 0 && !anyway) throw new StartError(`${files.certificate} isn't good enough. ${worse.join(" ")}`);
  const before = existsSync(link) ? join(pairs, readlinkSync(link)) : undefined;
  const next = join(pairs, createHash("sha256").update(pair.certificate).update(pair.key).digest("hex").slice(0, 16));
  const show = (target: string) => replaceLink(link, target, join(pairs, "next"));
  if (next !== before || !current) {
    try {
      writePair(next, pair, isProduction);
      tryPair(folder, next, port, isProduction);
    } catch (error) {
      rmSync(next, { recursive: true, force: true });
      throw error;
    }
    show(next);
  }
  return { pair, warnings: [...weaknesses.values()], goBack: () => before !== undefined && show(before) };
}

/** Deletes the pairs that aren't in use any more. */
export function pruneCertificates(folder: string): void {
  const { pairs, link } = foldersOf(folder);
  const kept = ["current", readlinkSync(link)];
  for (const name of readdirSync(pairs)) if (!kept.includes(name)) rmSync(join(pairs, name), { recursive: true });
}

/** The pair in use; undefined without one, or if somebody has damaged it. */
function readCurrent(folder: string): Pair | undefined {
  if (!hasCertificate(folder)) return undefined;
  try {
    return readPair(filesIn(foldersOf(folder).link));
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return undefined;
  }
}

/** Below a folder that nginx's user can enter and nobody else. */
function writePair(folder: string, pair: Pair, isProduction: boolean): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { certificate, key } = filesIn(folder);
  writeFileSync(certificate, pair.certificate, { mode: 0o600, flush: true });
  writeFileSync(key, pair.key, { mode: 0o600, flush: true });
  if (isProduction) run("chgrp", "-R", NGINX_USER, folder);
  if (isProduction) run("chmod", "-R", "g+rX", folder);
}

/** Throws StartError with nginx's reason, if it can't use the pair. */
function tryPair(folder: string, pair: string, port: number, isProduction: boolean): void {
  const configuration = join(pair, "trial.conf");
  mkdirSync(join(folder, "temp"), { recursive: true });
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path temp/trial;`);
  const server = `listen 127.0.0.1:${port} ssl; ssl_certificate certificate.pem; ssl_certificate_key key.pem;`;
  const http = `http { ${temporary.join(" ")} access_log off; server { ${server} } }`;
  writeFileSync(configuration, `pid temp/trial.pid; error_log stderr; events {} ${http}\n`);
  run("sh", "-c", `${nginxCommand(folder, isProduction, configuration)} -e stderr -q -t`);
  rmSync(configuration);
}

function run(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, PATH: SERVER_PATH },
  });
  if (status !== 0) throw new StartError(`The certificate can't be used: ${error?.message ?? stderr.trim()}`);
}
