import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { ContentError } from "../content-schema/content-error.ts";
import { forEachAtMost, listFiles } from "../renderer/files.ts";
import type { CompressionCache, Encoding } from "./compression.ts";
import { contentHash, etagTime } from "./etag-time.ts";

// RFC 9727 gives the catalogue of APIs its name, which has no ending.
const compressible = /(\.(html|md|txt|xml|json|css|js|svg)|\/\.well-known\/api-catalog)$/;

// Below this, the response's header weighs more than what would be saved.
const smallest = 256;

/** What one publication did; sizes in bytes. */
export type Published = { files: number; bytes: number; brotliBytes: number; compressed: number; reused: number };

/**
 * Makes a built site ready for nginx: writes `x.gz` and `x.br` beside each compressible file where they are smaller, and
 * gives every file the mtime of its content (see `etagTime`).
 *
 * @throws when two files of one URL would have one ETag, or the file system doesn't keep the mtime
 */
export async function publishFiles(dist: string, cache: CompressionCache): Promise<Published> {
  const files = (await listFiles(dist)).filter((file) => !/\.(gz|br)$/.test(file));
  const result = { files: 0, bytes: 0, brotliBytes: 0, compressed: 0, reused: 0 };
  const etags = new Map<string, string>();

  // Files are small and many: handed to other threads, calls took 28 s of CPU for 10,000 products instead of 17.
  async function publishOne(file: string): Promise<void> {
    const content = readFileSync(file);
    const hash = contentHash(content);
    stamp(file, content, hash);
    result.files += 1;
    result.bytes += content.length;
    if (!compressible.test(file) || content.length <= smallest) return;
    for (const encoding of ["gz", "br"] as const) await publishEncoded(file, content, hash, encoding);
  }

  async function publishEncoded(file: string, content: Buffer, hash: string, encoding: Encoding): Promise<void> {
    const encoded = await cache.compress(content, hash, encoding);
    if (!encoded) return;
    writeFileSync(`${file}.${encoding}`, encoded);
    stamp(`${file}.${encoding}`, encoded, contentHash(encoded));
    if (encoding === "br") result.brotliBytes += encoded.length;
  }

  // Both faces and all encodings of a page answer at one URL: what nginx would call them must differ.
  function stamp(file: string, content: Buffer, hash: string): void {
    const { url, kind } = splitName(relative(dist, file));
    const seconds = etagTime(kind, hash);
    const etag = `${url} ${seconds}-${content.length}`;
    const twin = etags.get(etag);
    if (twin)
      throw new ContentError(`${twin} and ${relative(dist, file)} would have the same ETag: change either by a letter`);
    etags.set(etag, relative(dist, file));
    utimesSync(file, seconds, seconds);
    if (statSync(file).mtimeMs !== seconds * 1000) {
      throw new Error(`${relative(dist, file)}: the file system doesn't keep its mtime, of which nginx makes the ETag`);
    }
  }

  await forEachAtMost(files, 4, publishOne);
  cache.prune();
  return { ...result, compressed: cache.compressed, reused: cache.reused };
}

/** `products/a.html.br` → the URL that it answers at, `products/a`, and the endings that tell it apart, `.html.br`. */
function splitName(file: string): { url: string; kind: string } {
  const kind = /(\.(html|md))?(\.(gz|br))?$/.exec(file)?.[0] ?? "";
  return { url: file.slice(0, file.length - kind.length), kind };
}
