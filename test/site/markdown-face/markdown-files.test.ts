import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeMarkdown } from "../../../site/markdown-face/markdown-face.ts";

const page = (main: string) => `<html><head><title>A</title></head><body><main>${main}</main></body></html>`;

const origin = "https://shop.example";

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "twinfront-markdown-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function makeDist(files: Record<string, string>): Promise<string> {
  const dist = await makeFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(dist, name)), { recursive: true });
    await writeFile(join(dist, name), content);
  }
  return dist;
}

test("each page except a redirect gets its Markdown beside it, at every depth", async () => {
  const dist = await makeDist({
    "index.html": page("<h1>A</h1>b"),
    "products/index.html": page("<h1>C</h1>d"),
    "old.html": '<html><head><meta http-equiv="refresh" content="0;url=/x"></head></html>',
    "llms.txt": "# A",
  });
  expect(await writeMarkdown(dist, origin, await makeFolder())).toMatchObject({ pages: 2 });
  expect((await readdir(dist, { recursive: true })).filter((name) => name.endsWith(".md")).sort()).toEqual([
    "index.md",
    "products/index.md",
  ]);
  expect(await readFile(join(dist, "products/index.md"), "utf8")).toContain("# C\n\nd\n");
});

test("every page that can't be converted is reported with the reason", async () => {
  const dist = await makeDist({
    "a.html": page("<p>a</p>"),
    "b.html": page("<h1>B</h1>b"),
    "c/d.html": page("<h1>D</h1><Callout>d</Callout>"),
  });
  await expect(writeMarkdown(dist, origin, await makeFolder())).rejects.toThrow(
    /a\.html: it has no <h1> with text in it\nc\/d\.html: <callout> is not an HTML element/,
  );
});

test("a page of more than 50,000 characters is reported with its length", async () => {
  const dist = await makeDist({
    "a.html": page(`<h1>A</h1>${"b".repeat(50_000)}`),
    "c.html": page(`<h1>A</h1>${"b".repeat(40_000)}`),
  });
  const { long } = await writeMarkdown(dist, origin, await makeFolder());
  expect(long).toEqual([expect.stringMatching(/^a\.html has 50\d\d\d characters/)]);
});

test("pages split between threads all get their own Markdown, and every invalid one is reported", async () => {
  const numbers = Array.from({ length: 700 }, (_, index) => index);
  const files = numbers.map((number) => [`${number}.html`, page(`<h1>A</h1>page ${number}`)]);
  const dist = await makeDist(Object.fromEntries(files));
  expect(await writeMarkdown(dist, origin, await makeFolder())).toMatchObject({ pages: 700 });
  for (const number of numbers)
    expect(await readFile(join(dist, `${number}.md`), "utf8")).toMatch(new RegExp(`\n\npage ${number}\n$`));
  for (const name of ["1.html", "698.html"]) await writeFile(join(dist, name), page("a"));
  await expect(writeMarkdown(dist, origin, await makeFolder())).rejects.toThrow(
    /1\.html: it has no <h1> with text in it\n698\.html: it has no <h1>/,
  );
});

test("an unchanged page is reused, unless the site's address has changed", async () => {
  const cache = await makeFolder();
  const dist = await makeDist({ "a.html": page("<h1>A</h1>b"), "c.html": page("<h1>C</h1>d") });
  expect(await writeMarkdown(dist, origin, cache)).toMatchObject({ pages: 2, reused: 0 });
  const first = await readFile(join(dist, "a.md"), "utf8");
  await writeFile(join(dist, "c.html"), page("<h1>C</h1>changed"));
  expect(await writeMarkdown(dist, origin, cache)).toMatchObject({ pages: 2, reused: 1 });
  expect(await readFile(join(dist, "a.md"), "utf8")).toBe(first);
  expect(await readFile(join(dist, "c.md"), "utf8")).toContain("changed");
  expect(await writeMarkdown(dist, "https://other.example", cache)).toMatchObject({ reused: 0 });
});

test("the cache drops the earlier version of a changed page", async () => {
  const cache = await makeFolder();
  const dist = await makeDist({ "a.html": page("<h1>A</h1>b") });
  await writeMarkdown(dist, origin, cache);
  const before = await readdir(cache);
  await writeFile(join(dist, "a.html"), page("<h1>A</h1>changed"));
  await writeMarkdown(dist, origin, cache);
  const after = await readdir(cache);
  expect([before.length, after.length, before[0] === after[0]]).toEqual([1, 1, false]);
});
