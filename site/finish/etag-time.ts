import { createHash } from "node:crypto";

/**
 * The mtime, in seconds, that gives each content, face and encoding its own ETag in nginx (`<mtime in hex>-<size in hex>`), the
 * same on every server.
 *
 * It is 29 bits of a hash, so before 1987: a real If-Unmodified-Since, which nginx compares with it (RFC 9110 §13.1.4), never
 * fails, and it fits a signed 32-bit time. Never 0, which some tools read as "no time".
 *
 * @param kind the file's extensions, such as `.html` or `.md.br`: its face and its encoding
 * @param hash the hash of the content
 */
export function etagTime(kind: string, hash: string): number {
  const digest = createHash("sha256").update(`${kind}\n${hash}`).digest();
  return 1 + (digest.readUInt32BE(0) % 2 ** 29);
}

/** The hash of a file's content, for the cache and for the ETag. */
export const contentHash = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
