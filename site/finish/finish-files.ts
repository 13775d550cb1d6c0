import { readFileSync, statSync, utimesSync } from "node:fs";
import { relative } from "node:path";
import { forEachAtMost, listFiles } from "../build/files.ts";
import { linkOrCopyFile } from "../build/link-or-copy.ts";
import { ContentError } from "../content-schema/content-error.ts";
import type { CompressionCache, CompressionMethod } from "./compression.ts";
import { contentHash, etagTime } from "./etag-time.ts";

// RFC 9727 defines the name of the API catalogue, which has no extension.
const compressible = /(\.(html|md|txt|xml|json|css|js|svg)|\/\.well-known\/api-catalog)$/;

// A large shop has thousands of these pages, and a few dozen other files.
const ofMany = /^(?:products|categories)\//;

// Feeds and llms-full.txt of a shop with more than 10,000 products. Only one of them is in memory at a time.
const hugeBytes = 50_000_000;

// Below this size, the additional header outweighs what compression saves.
const minBytes = 256;

/** The result of finishing; sizes in bytes. */
export type Finished = { files: number; bytes: number; brotliBytes: number; compressed: number; reused: number };

/** Prepares a built site for nginx, as `finishSome` does, and drops what the cache has of earlier builds. */
export async function finishFiles(dist: string, cache: CompressionCache): Promise<Finished> {
  const files = (await listFiles(dist)).filter((file) => !/\.(gz|br)$/.test(file));
  const finished = await finishSome(dist, cache, files);
  cache.prune();
  return finished;
}

/**
 * Prepares files of a built site for nginx: writes `x.gz` and `x.br` beside each compressible file if they are smaller, and sets
 * each file's mtime from its content (see `etagTime`).
 *
 * @param files absolute paths, of both faces where a page has two
 * @throws if two files of one URL would have the same ETag, or the file system doesn't keep the mtime
 */
export async function finishSome(dist: string, cache: CompressionCache, files: readonly string[]): Promise<Finished> {
  const result = { files: 0, bytes: 0, brotliBytes: 0, compressed: 0, reused: 0 };
  const etags = new Map<string, string>();

  // Synchronous calls: for many small files, libuv's thread pool costs more CPU time than it saves.
  async function finishOne(file: string): Promise<void> {
    const content = readFileSync(file);
    const hash = contentHash(content);
    stamp(file, content, hash);
    result.files += 1;
    result.bytes += content.length;
    if (!compressible.test(file) || content.length <= minBytes) return;
    const brotli = ofMany.test(relative(dist, file)) ? "brotliForMany" : "brotli";
    // Both at a time: of a feed of many megabytes each takes half a second.
    const [, brotliBytes] = await Promise.all([
      writeEncoded(`${file}.gz`, content, hash, "gzip"),
      writeEncoded(`${file}.br`, content, hash, brotli),
    ]);
    result.brotliBytes += brotliBytes;
  }

  /** Returns the encoded file's size; 0 if it isn't smaller, and so isn't written. */
  async function writeEncoded(file: string, content: Buffer, hash: string, method: CompressionMethod): Promise<number> {
    // Named by its kind too, because the mtime of both names is one, and depends on it.
    const encoded = await cache.compress(content, hash + splitName(file).kind, method);
    if (!encoded) return 0;
    linkOrCopyFile(encoded.file, file);
    stamp(file, encoded.bytes, contentHash(encoded.bytes));
    return encoded.bytes.length;
  }

  // Both faces and all encodings of a page are served at one URL, so their ETags must differ.
  function stamp(file: string, content: Buffer, hash: string): void {
    const { url, kind } = splitName(relative(dist, file));
    const seconds = etagTime(kind, hash);
    const etag = `${url} ${seconds}-${content.length}`;
    const twin = etags.get(etag);
    if (twin)
      throw new ContentError(
        `${twin} and ${relative(dist, file)} would have the same ETag: change one of them by a letter`,
      );
    etags.set(etag, relative(dist, file));
    utimesSync(file, seconds, seconds);
    if (statSync(file).mtimeMs !== seconds * 1000) {
      throw new Error(
        `${relative(dist, file)}: the file system doesn't keep its mtime, from which nginx makes the ETag. Build on another file system`,
      );
    }
  }

  let lastHuge = Promise.resolve();
  await forEachAtMost(files, 4, (file) => {
    if (statSync(file).size < hugeBytes) return finishOne(file);
    lastHuge = lastHuge.then(() => finishOne(file));
    return lastHuge;
  });
  return { ...result, compressed: cache.compressed, reused: cache.reused };
}

/** `products/a.html.br` → its URL, `products/a`, and the extensions that identify it there, `.html.br`. */
function splitName(file: string): { url: string; kind: string } {
  const kind = /(\.(html|md))?(\.(gz|br))?$/.exec(file)?.[0] ?? "";
  return { url: file.slice(0, file.length - kind.length), kind };
}
