import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { writeAtomically } from "../renderer/files.ts";

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

// No page is as large; of 10,000 products the feeds and the sitemap are.
const largeBytes = 500_000;
// Compressed, few files are as long, the style sheet among them: the ones that come nearest to what arrives at once (10 segments).
const longBytes = 5_500;

/**
 * The encodings that are made, by file ending. The name with its level is the folder in the cache. Measured on the demo
 * shop's pages (13 kB on average, both faces), a page: brotli 8 takes 0.7 ms and gives 26.2 %, 9 takes 1.8 ms for 26.2 %,
 * 10 takes 8.3 ms for 23.5 %, 11 takes 20.2 ms for 22.9 %; gzip 9 takes 0.3 ms for 28.1 %. Of a large text, such as
 * llms-full.txt, brotli 10 takes 600 ms a megabyte and gives 17.0 %, 9 takes 30 ms and gives 18.3 %.
 */
const encodings = {
  gz: { name: `gzip-9-${process.versions.zlib}`, compress: (content: Buffer) => gzipAsync(content, { level: 9 }) },
  br: { name: `brotli-9-10-11-${process.versions["brotli"]}`, compress: compressByBrotli },
} as const;

async function compressByBrotli(content: Buffer): Promise<Buffer> {
  if (content.length > largeBytes) return brotli(content, 9);
  const compressed = await brotli(content, 10);
  return compressed.length > longBytes ? brotli(content, 11) : compressed;
}

const brotli = (content: Buffer, quality: number): Promise<Buffer> =>
  brotliAsync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });

export type Encoding = keyof typeof encodings;

/** Compressed contents of earlier builds. An empty entry says that compressing doesn't make this content smaller. */
export type CompressionCache = {
  compress: (content: Buffer, hash: string, encoding: Encoding) => Promise<Buffer | undefined>;
  /** Deletes what no `compress` has asked for. */
  prune: () => void;
  readonly compressed: number;
  readonly reused: number;
};

/**
 * Opens the cache in a folder, which is made where it is missing.
 *
 * `compress` gives the compressed content, or undefined when it isn't smaller; `hash` is the content's own.
 */
export function openCompressionCache(folder: string): CompressionCache {
  const used = new Set<string>();
  const underWay = new Map<string, Promise<Buffer>>();
  const counts = { compressed: 0, reused: 0 };
  for (const { name } of Object.values(encodings)) mkdirSync(join(folder, name), { recursive: true });

  async function compress(content: Buffer, hash: string, encoding: Encoding): Promise<Buffer | undefined> {
    const file = join(folder, encodings[encoding].name, hash);
    used.add(file);
    // Two files with one content may be asked for at the same time.
    const result = underWay.get(file) ?? readOrMake(file, content, encoding);
    underWay.set(file, result);
    const compressed = await result.finally(() => underWay.delete(file));
    return compressed.length > 0 ? compressed : undefined;
  }

  async function readOrMake(file: string, content: Buffer, encoding: Encoding): Promise<Buffer> {
    const isKnown = existsSync(file);
    counts[isKnown ? "reused" : "compressed"] += 1;
    if (isKnown) return readFileSync(file);
    const compressed = await encodings[encoding].compress(content);
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
