import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { convertInBackground } from "../../../site/markdown-face/convert-pages.ts";
import { writeMarkdown } from "../../../site/markdown-face/markdown-face.ts";
import { eventually } from "../../eventually.ts";

const origin = "https://shop.example";
const page = (main: string) => `<html><head><title>A</title></head><body><main>${main}</main></body></html>`;

/** Starts a build that converts pages in the background. */
function beginBuild() {
  const root = mkdtempSync(join(tmpdir(), "twinfront-background-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [dist, cacheFolder] = [join(root, "dist"), join(root, "cache")];
  mkdirSync(cacheFolder);
  const background = convertInBackground({ dist, origin, cacheFolder });
  mkdirSync(dist);
  return {
    write: (name: string, html: string) => writeFileSync(join(dist, `${name}.html`), html),
    /** Resolves when this many pages have been converted. */
    untilConverted: (count: number) => eventually(() => expect(readdirSync(cacheFolder)).toHaveLength(count)),
    end: async () => writeMarkdown(dist, origin, cacheFolder, await background.stop()),
    buildAgain: async () => {
      const second = convertInBackground({ dist, origin, cacheFolder });
      return writeMarkdown(dist, origin, cacheFolder, await second.stop());
    },
    readMarkdown: (name: string) => readFileSync(join(dist, `${name}.md`), "utf8"),
  };
}

test("pages converted while a build renders others count as new", async () => {
  const build = beginBuild();
  for (const name of ["a", "b"]) build.write(name, page(`<h1>${name}</h1>text`));
  await build.untilConverted(2);
  build.write("c", page("<h1>c</h1>text"));
  expect(await build.end()).toMatchObject({ pages: 3, reused: 0 });
  for (const name of ["a", "b", "c"]) expect(build.readMarkdown(name)).toContain(`# ${name}\n\ntext\n`);
  expect(await build.buildAgain()).toMatchObject({ pages: 3, reused: 3 });
});

test("a half-written page is converted again, and an invalid page is reported at the end", async () => {
  const build = beginBuild();
  build.write("a", "<html><body><main><h1>a</h1>te");
  await build.untilConverted(1);
  build.write("a", page("<h1>a</h1>text"));
  expect(await build.end()).toMatchObject({ pages: 1, reused: 0 });
  expect(build.readMarkdown("a")).toContain("# a\n\ntext\n");
  await build.untilConverted(1);
  build.write("b", page("b"));
  await expect(build.buildAgain()).rejects.toThrow("b.html: it has no <h1> with text in it");
});

test("a page that is written again with as many bytes is converted again", async () => {
  const build = beginBuild();
  build.write("a", page("<h1>a</h1>once"));
  await build.untilConverted(1);
  build.write("a", page("<h1>a</h1>then"));
  await build.end();
  expect(build.readMarkdown("a")).toContain("# a\n\nthen\n");
});

test("a crashed thread leaves its pages to the build", async () => {
  const root = mkdtempSync(join(tmpdir(), "twinfront-background-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, "file"), "");
  // The thread crashes, because a file can't contain the cache folder.
  const background = convertInBackground({ dist: root, origin, cacheFolder: join(root, "file/cache") });
  expect(await background.stop()).toEqual(new Map());
});
