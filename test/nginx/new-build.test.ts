import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openBuilds } from "../../site/build/builds.ts";
import { movedFiles } from "../../site/finish/moved-pages.ts";
import { eventually } from "../eventually.ts";
import { headerLines } from "./raw-request.ts";
import { LONG, manyPages, runNginx, type TestNginx, writeSite } from "./run-nginx.ts";

let nginx: TestNginx;

beforeAll(async () => {
  nginx = await runNginx({
    "404.html": "<html>nothing here",
    "404.md": "# Nothing here",
    "about.html": `<html>before ${LONG}`,
    "about.md": `# Before ${LONG}`,
    "gone.html": "<html>gone",
    "gone.md": "# Gone",
  });
});
afterAll(() => nginx.stop());

const REQUESTS = ["text/html", "text/markdown"].flatMap((Accept) =>
  ["identity", "br", "gzip"].map((encoding) => ({ Accept, "Accept-Encoding": encoding })),
);

/** Status and ETag of a page in both faces and every encoding, requested often enough to reach every worker. */
async function ask(path: string): Promise<string[]> {
  const answers: string[] = [];
  for (let round = 0; round < 10; round += 1) {
    for (const headers of REQUESTS) {
      const answer = await nginx.get(path, headers);
      answers.push(`${answer.status} ${headerLines(answer, "etag")[0]}`);
    }
  }
  return answers;
}

test("a second after a build, changed, new and deleted pages are all up to date", async () => {
  const before = new Set(await ask("/about"));
  expect(before.size).toBe(REQUESTS.length);
  expect(new Set(await ask("/gone"))).not.toContainEqual(expect.stringMatching(/^404/));
  expect(new Set(await ask("/new"))).not.toContainEqual(expect.stringMatching(/^200/));
  nginx.replaceSite({
    "404.html": "<html>nothing here",
    "404.md": "# Nothing here",
    "about.html": `<html>after ${LONG}`,
    "about.md": `# After ${LONG}`,
    "new.html": "<html>new",
    "new.md": "# New",
  });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const after = new Set(await ask("/about"));
  expect(after.size).toBe(REQUESTS.length);
  expect([...after].filter((answer) => before.has(answer) || !answer.startsWith("200"))).toEqual([]);
  expect(new Set(await ask("/gone"))).not.toContainEqual(expect.stringMatching(/^200/));
  expect(new Set(await ask("/new"))).not.toContainEqual(expect.stringMatching(/^404/));
});

test("a page that a build renames redirects within a second, without a reload, and back again", async () => {
  const withPage = (name: string, moved: string) => ({
    "404.html": "<html>nothing here",
    "404.md": "# Nothing here",
    [`${name}.html`]: `<html>the page ${LONG}`,
    [`${name}.md`]: `# The page ${LONG}`,
    ...Object.fromEntries(movedFiles(moved, "", () => true)),
  });
  const redirects = async (from: string, to: string) => {
    for (const prefix of ["", "/index.php"]) {
      for (const ending of ["", ".md"]) {
        const answer = await nginx.get(`${prefix}/${from}${ending}?a=1`);
        expect([answer.status, headerLines(answer, "location")]).toEqual([301, [`/${to}${ending}?a=1`]]);
      }
    }
    expect(new Set((await ask(`/${to}`)).map((answer) => answer.slice(0, 3)))).toEqual(new Set(["200"]));
  };
  nginx.replaceSite(withPage("first", ""));
  await ask("/first");
  nginx.replaceSite(withPage("second", "/first /second\n"));
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await redirects("first", "second");
  nginx.replaceSite(withPage("first", "/second /first\n"));
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await redirects("second", "first");
});

test("no request fails while builds are published one after another, and the page is always on disk", async () => {
  nginx.replaceSite(manyPages("build 0"));
  const publishing = spawn(process.execPath, [join(import.meta.dirname, "publish-builds.ts"), nginx.site, "30"], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  onTestFinished(() => void publishing.kill());
  const page = join(nginx.site, "dist/page-0.html");
  let isDone = false;
  publishing.once("exit", () => {
    isDone = true;
  });
  const failures: string[] = [];
  const builds = new Set<string>();
  let missing = 0;
  for (let index = 0; !isDone; index += 1) {
    for (let look = 0; look < 200; look += 1) if (!existsSync(page)) missing += 1;
    const path = `/page-${index % 100}`;
    const { status, body } = await nginx.get(path, { Accept: "text/html" });
    if (status !== 200) failures.push(`${path}: ${status}`);
    builds.add(body);
    if (builds.size > 2 || failures.length > 0) publishing.stdin.end();
  }
  expect([publishing.exitCode, failures, missing]).toEqual([0, [], 0]);
  expect(builds.size).toBeGreaterThan(2);
});

/** The hashed files of a build. */
const hashedFiles = (build: string) => [`_astro/style.${build}.css`, `_astro/picture.${build}.svg`];
const siteOf = (build: string) => ({
  "about.html": `<html>${build}`,
  ...Object.fromEntries(hashedFiles(build).map((file) => [file, `${build} ${LONG}`])),
});

test("hashed files of the last three builds keep their encodings and ETags, and older ones are deleted", async () => {
  const etags = new Map<string, string | undefined>();
  for (const build of ["a", "b", "c", "d", "e"]) {
    nginx.replaceSite(siteOf(build));
    for (const file of hashedFiles(build)) etags.set(file, headerLines(await nginx.get(`/${file}`), "etag")[0]);
  }
  for (const file of ["c", "d", "e"].flatMap(hashedFiles)) {
    const answer = await nginx.get(`/${file}`);
    expect([file, answer.status, headerLines(answer, "etag")[0]]).toEqual([file, 200, etags.get(file)]);
  }
  const { headers } = await nginx.get("/_astro/style.c.css", { "Accept-Encoding": "gzip" });
  expect(headers).toContainEqual(["content-encoding", "gzip"]);
  for (const file of ["a", "b"].flatMap(hashedFiles)) expect(existsSync(join(nginx.site, "dist", file))).toBe(false);
});

test("all but the last three builds are deleted, with what a killed process has left of others", async () => {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-builds-"));
  try {
    const builds = openBuilds(folder);
    builds.prepare();
    writeSite(join(folder, ".builds/old-0"), siteOf("left"));
    for (const build of ["a", "b", "c", "d", "e"]) {
      writeSite(builds.next, siteOf(build));
      builds.putInPlace();
    }
    await eventually(() => expect(readdirSync(join(folder, ".builds")).sort()).toEqual(["3", "4", "5"]));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("an editor's photograph that an earlier release published doesn't come back with that build's other files", () => {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-builds-"));
  try {
    const builds = openBuilds(folder);
    builds.prepare();
    const files = ["Ab_d-f12.jpg", "garden.Ab_d-f12.png", "Ab_d-f12_Z1x2y3.jpg", "Ab_d-f12.svg", "Ab_d-f12.css"];
    writeSite(builds.next, Object.fromEntries(files.map((file) => [`_astro/${file}`, file])));
    builds.putInPlace();
    writeSite(builds.next, siteOf("new"));
    builds.putInPlace();
    expect(files.filter((file) => existsSync(join(builds.dist, "_astro", file)))).toEqual(files.slice(2));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a dist folder from an earlier release becomes the first build, and its hashed files stay", () => {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-builds-"));
  try {
    const builds = openBuilds(folder);
    writeSite(builds.dist, siteOf("old"));
    builds.prepare();
    expect(realpathSync(builds.dist)).toBe(join(realpathSync(folder), ".builds/1"));
    cpSync(builds.dist, builds.next, { recursive: true, dereference: true });
    rmSync(join(builds.next, "_astro"), { recursive: true });
    builds.putInPlace();
    const kept = [...hashedFiles("old"), "about.html"].map((file) => existsSync(join(builds.dist, file)));
    expect(kept).toEqual([true, true, true]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
