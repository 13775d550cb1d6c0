import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { openCompressionCache } from "../../../site/finish/compression.ts";
import { etagTime } from "../../../site/finish/etag-time.ts";
import { finishFiles } from "../../../site/finish/finish-files.ts";

const long = (text: string) => `${text} `.repeat(200);

/** A built site with these files, and its cache, in a folder removed after the test. */
async function makeSite(files: Record<string, string | Buffer>) {
  const root = await mkdtemp(join(tmpdir(), "twinfront-finish-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const dist = join(root, "dist");
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(dist, name)), { recursive: true });
    await writeFile(join(dist, name), content);
  }
  return {
    dist,
    finish: () => finishFiles(dist, openCompressionCache(join(root, "cache"))),
    cache: join(root, "cache"),
  };
}

/** The parts of nginx's ETag, by file. */
async function etags(dist: string): Promise<Map<string, string>> {
  const names = (await readdir(dist, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const stats = names.map(async ({ name, parentPath }): Promise<[string, string]> => {
    const { mtimeMs, size } = await stat(join(parentPath, name));
    return [join(parentPath, name).slice(dist.length + 1), `${mtimeMs / 1000}-${size}`];
  });
  return new Map((await Promise.all(stats)).sort());
}

test("compressed copies of text files decode to the original", async () => {
  const catalog = ".well-known/api-catalog";
  const { dist, finish } = await makeSite({
    "a.html": long("é🎉"),
    "a.md": long("md"),
    "b/c.svg": long("<svg>"),
    [catalog]: long("{}"),
  });
  await finish();
  for (const name of ["a.html", "a.md", "b/c.svg", catalog]) {
    const content = await readFile(join(dist, name));
    expect(gunzipSync(await readFile(join(dist, `${name}.gz`)))).toEqual(content);
    expect(brotliDecompressSync(await readFile(join(dist, `${name}.br`)))).toEqual(content);
  }
});

test("a feed of several megabytes is compressed once, by brotli 5, and decodes to the original", async () => {
  const feed = Array.from({ length: 80_000 }, (_, index) => `{"sku":"GEN-${index}","price":"${index}.00"}\n`).join("");
  expect(feed.length).toBeGreaterThan(3_000_000);
  const { dist, cache } = await makeSite({ "products.json": feed });
  const compression = openCompressionCache(cache);
  await finishFiles(dist, compression);
  expect(compression).toMatchObject({ compressed: 2, reused: 0 }); // with gzip
  const compressed = await readFile(join(dist, "products.json.br"));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: feed.length,
  };
  expect(compressed.equals(brotliCompressSync(feed, { params }))).toBe(true);
  expect(brotliDecompressSync(compressed).toString()).toBe(feed);
});

test("of products' and categories' pages, only those that stay long get brotli's highest quality, or 10 if they stay too long; all other files do", async () => {
  const text = (count: number, vocabulary: number) =>
    Array.from({ length: count }, (_, index) => etagTime("word", String(etagTime("", String(index)) % vocabulary)));
  const [plain, rich] = [text(3500, 40).join(" "), text(1900, 2000).join(" ")];
  const list = text(3000, 2000).join(" ");
  const pages = {
    "products/plain.html": plain,
    "products/rich.html": rich,
    "categories/list.html": list,
    "413.html": `${plain}.`,
  };
  const { dist, finish } = await makeSite(pages);
  await finish();
  const bytesAt = (page: string, quality: number) =>
    brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }).length;
  const bytesOf = async (name: string) => (await stat(join(dist, name))).size;
  for (const page of Object.values(pages))
    expect(new Set([5, 10, 11].map((quality) => bytesAt(page, quality))).size).toBe(3);
  expect(plain.length).toBeGreaterThan(rich.length);
  expect(await bytesOf("products/plain.html.br")).toBe(bytesAt(plain, 5));
  expect(await bytesOf("products/rich.html.br")).toBe(bytesAt(rich, 11));
  expect(await bytesOf("categories/list.html.br")).toBe(bytesAt(list, 10));
  expect(await bytesOf("413.html.br")).toBe(bytesAt(pages["413.html"], 11));
});

test("small, binary and incompressible files are left uncompressed", async () => {
  const noise = Buffer.from(Array.from({ length: 300 }, (_, index) => etagTime("x", String(index)) % 256));
  const { dist, finish } = await makeSite({ "a.txt": "x".repeat(256), "b.png": long("png"), "c.js": noise });
  await finish();
  expect([...(await etags(dist)).keys()]).toEqual(["a.txt", "b.png", "c.js"]);
});

test("each face, encoding and content has its own time, in whole seconds before 1987", async () => {
  const { dist, finish } = await makeSite({ "a.html": long("a"), "a.md": long("a"), "b.html": long("b") });
  await finish();
  const times = [...(await etags(dist)).values()].map((etag) => Number(etag.split("-")[0]));
  expect(times).toHaveLength(9);
  expect(new Set(times).size).toBe(9);
  for (const time of times) expect(Number.isInteger(time) && time > 0 && time <= 2 ** 29).toBe(true);
});

test("file times depend only on names and contents", async () => {
  const files = { "a.html": long("a"), "a.md": long("b"), "_astro/x.css": "a{}" };
  const [first, second] = [await makeSite(files), await makeSite(files)];
  await utimes(join(second.dist, "a.html"), 1, 1);
  await first.finish();
  await second.finish();
  expect(await etags(second.dist)).toEqual(await etags(first.dist));
});

test("a second publication reuses compressed files and drops those of removed files", async () => {
  const { dist, finish, cache } = await makeSite({ "a.html": long("a"), "b.html": long("b") });
  expect(await finish()).toMatchObject({ files: 2, compressed: 4, reused: 0 });
  const before = await etags(dist);
  expect(await finish()).toMatchObject({ files: 2, compressed: 0, reused: 4 });
  expect(await etags(dist)).toEqual(before);
  await rm(join(dist, "b.html"));
  await finish();
  expect(
    (await readdir(cache, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()),
  ).toHaveLength(2);
});

test("a new build's compressed files are the cache's, not written again, and a changed one leaves the last build as it was", async () => {
  const { dist, finish, cache } = await makeSite({ "a.html": long("a"), "a.md": long("a") });
  await finish();
  const next = join(dirname(dist), "next");
  await mkdir(next);
  await writeFile(join(next, "a.html"), long("a"));
  await finishFiles(next, openCompressionCache(cache));
  const inode = async (folder: string) => (await stat(join(folder, "a.html.br"))).ino;
  expect(await inode(next)).toBe(await inode(dist));
  const before = await etags(dist);
  await writeFile(join(next, "a.html"), long("b"));
  await finishFiles(next, openCompressionCache(cache));
  expect(brotliDecompressSync(await readFile(join(next, "a.html.br"))).toString()).toBe(long("b"));
  expect(await etags(dist)).toEqual(before);
});

test("changed content changes the file's time in every encoding", async () => {
  const { dist, finish } = await makeSite({ "a.html": long("a") });
  await finish();
  const before = await etags(dist);
  await writeFile(join(dist, "a.html"), long("b"));
  await finish();
  for (const [name, etag] of await etags(dist)) expect(etag).not.toBe(before.get(name));
});
