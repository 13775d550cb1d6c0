import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeMarkdown } from "../../site/markdown-face/markdown-face.ts";

const page = (main: string) => `<html><head><title>A</title></head><body><main>${main}</main></body></html>`;

async function makeDist(files: Record<string, string>): Promise<string> {
  const dist = await mkdtemp(join(tmpdir(), "twinfront-markdown-"));
  onTestFinished(() => rm(dist, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(dist, name)), { recursive: true });
    await writeFile(join(dist, name), content);
  }
  return dist;
}

test("each page gets its Markdown beside it, at every depth; a redirect gets none", async () => {
  const dist = await makeDist({
    "index.html": page("<h1>A</h1>b"),
    "products/index.html": page("<h1>C</h1>d"),
    "old.html": '<html><head><meta http-equiv="refresh" content="0;url=/x"></head></html>',
    "llms.txt": "# A",
  });
  expect(await writeMarkdown(dist, "https://shop.example")).toMatchObject({ pages: 2 });
  expect((await readdir(dist, { recursive: true })).filter((name) => name.endsWith(".md")).sort()).toEqual([
    "index.md",
    "products/index.md",
  ]);
  expect(await readFile(join(dist, "products/index.md"), "utf8")).toContain("# C\n\nd\n");
});

test("every page that can't be converted is named, with its reason", async () => {
  const dist = await makeDist({
    "a.html": page("<p>a</p>"),
    "b.html": page("<h1>B</h1>b"),
    "c/d.html": page("<h1>D</h1><Callout>d</Callout>"),
  });
  await expect(writeMarkdown(dist, "https://shop.example")).rejects.toThrow(
    /a\.html: it has no <h1> with text in it\nc\/d\.html: <callout> is no HTML element/,
  );
});

test("a page of more than 50,000 characters is named with its length", async () => {
  const dist = await makeDist({
    "a.html": page(`<h1>A</h1>${"b".repeat(50_000)}`),
    "c.html": page(`<h1>A</h1>${"b".repeat(40_000)}`),
  });
  const { long } = await writeMarkdown(dist, "https://shop.example");
  expect(long).toEqual([expect.stringMatching(/^a\.html has 50\d\d\d characters/)]);
});
