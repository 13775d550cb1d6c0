import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { writeAtomically } from "../build/files.ts";

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

// Larger than any page: the feeds and the sitemap of a shop with 10,000 products.
const largeBytes = 500_000;
// Few compressed files are longer. They come nearest to what arrives in one round trip with the style sheet (10 segments).
const longBytes = 6_500;
// Longer ones, lists of a large shop, don't fit even by brotli 11.
const tooLongBytes = 8_500;

/**
 * Ways to compress. The name, with level and library version, is the folder in the cache. Brotli 10 makes a page a tenth smaller
 * than 5 and takes twelve times the processor time, more than rendering it: too much for each of thousands. Brotli 11 takes another
 * 3 to 5 % off and five times as long again, so only pages that fit into the first round trip by it get it.
 */
const methods = {
  gzip: { name: `gzip-9-${process.versions.zlib}`, compress: (content: Buffer) => gzipAsync(content, { level: 9 }) },
  brotli: {
    name: `brotli-11-${process.versions["brotli"]}`,
    compress: (content: Buffer) => brotli(content, content.length > largeBytes ? 5 : 11),
  },
  brotliForMany: { name: `brotli-5-11-10-${process.versions["brotli"]}`, compress: compressOneOfMany },
} as const;

async function compressOneOfMany(content: Buffer): Promise<Buffer> {
  const compressed = await brotli(content, 5);
  if (compressed.length <= longBytes) return compressed;
  return brotli(content, compressed.length > tooLongBytes ? 10 : 11);
}

const brotli = (content: Buffer, quality: number): Promise<Buffer> =>
  brotliAsync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });

export type CompressionMethod = keyof typeof methods;

/** Compressed content, and its file in the cache. */
type Compressed = { file: string; bytes: Buffer };

/** Compressed files of earlier builds. An empty entry means that compression doesn't make this content smaller. */
export type CompressionCache = {
  compress: (content: Buffer, name: string, method: CompressionMethod) => Promise<Compressed | undefined>;
  /** Deletes every entry that `compress` hasn't used. */
  prune: () => void;
  readonly compressed: number;
  readonly reused: number;
};

/**
 * Opens the cache in a folder, which is created if it doesn't exist.
 *
 * `compress` returns the compressed content, or undefined if it isn't smaller; content with one name is the same.
 */
export function openCompressionCache(folder: string): CompressionCache {
  const used = new Set<string>();
  const underWay = new Map<string, Promise<Buffer>>();
  const counts = { compressed: 0, reused: 0 };
  for (const { name } of Object.values(methods)) mkdirSync(join(folder, name), { recursive: true });

  async function compress(content: Buffer, name: string, method: CompressionMethod): Promise<Compressed | undefined> {
    const file = join(folder, methods[method].name, name);
    used.add(file);
    // Two files with the same content may be compressed at the same time.
    const result = underWay.get(file) ?? readOrMake(file, content, method);
    underWay.set(file, result);
    const bytes = await result.finally(() => underWay.delete(file));
    return bytes.length > 0 ? { file, bytes } : undefined;
  }

  async function readOrMake(file: string, content: Buffer, method: CompressionMethod): Promise<Buffer> {
    const isKnown = existsSync(file);
    counts[isKnown ? "reused" : "compressed"] += 1;
    if (isKnown) return readFileSync(file);
    const compressed = await methods[method].compress(content);
    const result = compressed.length < content.length ? compressed : Buffer.alloc(0);
    writeAtomically(file, result);
    return result;
  }

  function prune(): void {
    const folders = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = folders.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    for (const file of files) if (!used.has(file)) rmSync(file, { force: true });
  }

  return {
    compress,
    prune,
    get compressed() {
      return counts.compressed;
    },
    get reused() {
      return counts.reused;
    },
  };
}
