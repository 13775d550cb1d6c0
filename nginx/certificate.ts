import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { getCACertificates } from "node:tls";
import { StartError } from "./programs.ts";

/** Where certbot, lego or an operator keeps a certificate. */
export interface CertificateFiles {
  /** Absolute path of the certificate with its chain, in PEM. */
  certificate: string;
  /** Absolute path of its key. */
  key: string;
}

/** A certificate that belongs to its key, as nginx reads them. */
export interface Pair {
  /** PEM: the certificate itself first, then those that lead to its authority. */
  certificate: string;
  /** PEM, without a passphrase. */
  key: string;
  own: X509Certificate;
  /** The certificate itself and those up to an authority that this machine trusts; undefined if it leads to none. */
  path: readonly X509Certificate[] | undefined;
}

/** A certificate file has a few kilobytes. */
const MAX_BYTES = 1_000_000;
const CERTIFICATE = /-----BEGIN (?:X509 )?CERTIFICATE-----[^-]+-----END (?:X509 )?CERTIFICATE-----/g;
const KEY = /-----BEGIN ((?:[A-Z]+ )?PRIVATE KEY)-----[\s\S]+?-----END \1-----/g;
/** What browsers take (CA/Browser Forum, Baseline Requirements §6.1.5). nginx would take others, and then no browser gets in. */
const CURVES = ["prime256v1", "secp384r1", "secp521r1"];
const SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";

/**
 * Reads a certificate and its key, whatever the order of the blocks in their files. Throws StartError with what is wrong
 * and what to do, if nginx couldn't serve them.
 */
export function readPair({ certificate, key }: CertificateFiles): Pair {
  const [text, keyText] = [readPem(certificate), readPem(key)];
  const certificates = [...text.matchAll(CERTIFICATE)].map(([block]) => parseCertificate(certificate, block));
  if (certificates.length === 0)
    throw new StartError(`${certificate} has no certificate in PEM, which begins with -----BEGIN CERTIFICATE-----.`);
  const keys = [...keyText.matchAll(KEY)].map(([block]) => ({ block, key: parseKey(key, block) }));
  if (keys.length === 0)
    throw new StartError(`${key} has no private key in PEM, which begins with -----BEGIN PRIVATE KEY-----.`);
  for (const own of certificates) {
    const found = keys.find((each) => own.checkPrivateKey(each.key));
    if (!found) continue;
    ensureForBrowsers(key, found.key);
    const chain = chainOf(own, certificates);
    const pem = chain.map((each) => each.toString()).join("");
    return { certificate: pem, key: `${found.block}\n`, own, path: trustedPath(chain) };
  }
  throw new StartError(
    `${key} isn't the key of the certificate in ${certificate}. Write the paths of a pair that was made together.`,
  );
}

/** What makes browsers refuse a pair that nginx serves: sentences by kind; none for a good one. */
export function findWeaknesses({ own, path }: Pair, host: string, now: Date): Map<string, string> {
  const [from, to] = [new Date(own.validFrom), new Date(own.validTo)];
  const old = path?.find((each) => now > new Date(each.validTo));
  const weaknesses = {
    early: now < from && `It isn't valid before ${from.toISOString()}: is this machine's clock right?`,
    expired: now > to && `It expired at ${to.toISOString()}: renew it.`,
    chain:
      now <= to && old && `A certificate on its way to its authority has expired (${nameOf(old)}): take a new chain.`,
    host: !isFor(own, host) && `It isn't for ${host}, but for ${namesOf(own)}.`,
    use: own.keyUsage && !own.keyUsage.includes(SERVER_AUTHENTICATION) && "It isn't for servers (extended key usage).",
    trust:
      !path &&
      "It doesn't lead to an authority that this machine trusts. If the file has one certificate alone, take the one with its chain: fullchain.pem of certbot, the .crt of lego.",
  };
  return new Map(Object.entries(weaknesses).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

function isFor(certificate: X509Certificate, host: string): boolean {
  const address = host.replace(/[[\]]/g, "");
  return (isIP(address) ? certificate.checkIP(address) : certificate.checkHost(host, AS_BROWSERS)) !== undefined;
}

/** Names in `subject` don't count any more, nor does `s*.example` (RFC 9525 §6.3). */
const AS_BROWSERS = { subject: "never", partialWildcards: false } as const;

const namesOf = (certificate: X509Certificate): string => certificate.subjectAltName ?? nameOf(certificate);
const nameOf = ({ subject }: X509Certificate): string => subject.replaceAll("\n", ", ");

function readPem(path: string): string {
  const found = lookUp(path, () => statSync(path));
  if (!found.isFile()) throw new StartError(`${path} isn't a file. Write the path of one in PEM.`);
  if (found.size > MAX_BYTES) throw new StartError(`${path} is too large to be a certificate or a key.`);
  const text = lookUp(path, () => readFileSync(path, "latin1"));
  if (text.trim() === "") throw new StartError(`${path} is empty. If it's being written, run this again afterwards.`);
  if ([...text.matchAll(/-----BEGIN /g)].length !== [...text.matchAll(/-----END /g)].length)
    throw new StartError(`${path} isn't complete. If it's being written, run this again afterwards.`);
  return text;
}

function lookUp<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code = "" }: { code?: string } = Object(error);
    if (code === "ENOENT")
      throw new StartError(`${path} isn't there, or leads nowhere. Correct its path in the settings.`);
    if (code === "EACCES")
      throw new StartError(`${path} can't be read by this user. Run this as one who may, such as root.`);
    throw error;
  }
}

function parseCertificate(path: string, block: string): X509Certificate {
  try {
    return new X509Certificate(block.replaceAll("X509 CERTIFICATE", "CERTIFICATE"));
  } catch {
    throw new StartError(`${path} has a certificate that can't be read: a part of it is missing or damaged.`);
  }
}

function parseKey(path: string, block: string): KeyObject {
  if (/ENCRYPTED/.test(block))
    throw new StartError(
      `${path} has a passphrase, for which nginx would ask at each start. Write the key without it: openssl pkey -in ${path} -out NEW`,
    );
  try {
    return createPrivateKey(block);
  } catch {
    throw new StartError(`${path} has a key that can't be read: a part of it is missing or damaged.`);
  }
}

function ensureForBrowsers(path: string, key: KeyObject): void {
  const { asymmetricKeyType: type, asymmetricKeyDetails: { modulusLength = 0, namedCurve = "" } = {} } =
    createPublicKey(key);
  if (type === "rsa" ? modulusLength >= 2048 : type === "ec" && CURVES.includes(namedCurve)) return;
  const kind = type === "rsa" ? `RSA with ${modulusLength} bits` : namedCurve || type;
  throw new StartError(`${path} is a key that browsers don't take (${kind}). Take RSA with 2048 bits, or P-256.`);
}

/** A certificate and those that lead to its authority, without that authority's own, which clients have. */
function chainOf(own: X509Certificate, certificates: readonly X509Certificate[]): X509Certificate[] {
  const chain = [own];
  for (let last = own; !isOwnIssuer(last); ) {
    const next = certificates.find((each) => !chain.includes(each) && !isOwnIssuer(each) && issued(each, last));
    if (!next) break;
    chain.push(next);
    last = next;
  }
  return chain;
}

const issued = (authority: X509Certificate, certificate: X509Certificate): boolean =>
  certificate.checkIssued(authority) && certificate.verify(authority.publicKey);

const isOwnIssuer = (certificate: X509Certificate): boolean => issued(certificate, certificate);

/**
 * A chain up to the first that an authority of this machine has issued. Some go on from there to an older authority, which
 * may be gone.
 */
function trustedPath(chain: readonly X509Certificate[]): X509Certificate[] | undefined {
  const authorities = [...getCACertificates("default"), ...getCACertificates("system")].map(
    (pem) => new X509Certificate(pem),
  );
  const last = chain.findIndex((each) =>
    authorities.some((authority) => issued(authority, each) || authority.fingerprint256 === each.fingerprint256),
  );
  return last === -1 ? undefined : chain.slice(0, last + 1);
}
