import { createHash } from "node:crypto";

/**
 * The mtime, in whole seconds, that makes nginx's ETag (`<mtime in hex>-<size in hex>`) tell contents, faces and encodings apart
 * and be the same on every server.
 *
 * 29 bits of a hash: all before 1987, so that no If-Unmodified-Since that anybody sends can fail on a time that is none
 * (nginx compares it, RFC 9110 §13.1.4), and safe where a time is a signed 32-bit number. Never 0, which some tools take
 * for "no time".
 *
 * @param kind the file's endings, such as `.html` or `.md.br`: its face and its encoding
 * @param hash the content's hash
 */
export function etagTime(kind: string, hash: string): number {
  const digest = createHash("sha256").update(`${kind}\n${hash}`).digest();
  return 1 + (digest.readUInt32BE(0) % 2 ** 29);
}

/** The hash by which a content is known in the cache and in its ETag. */
export const contentHash = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
