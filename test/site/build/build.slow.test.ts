import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { writeSecurityTxt } from "../../../site/src/resources/security-txt.ts";
import { bareEnvironment } from "../../bare-environment.ts";
import { buildOnce } from "../../built-shops.ts";
import { eventually } from "../../eventually.ts";
import { buildSite } from "../../workspace.ts";
import { copyWithContent, validContent } from "../content-check/content-tree.ts";

const about = validContent["pages/about.md"] ?? "";
let root = "";
const sitePath = (name: string) => join(root, "site", name);
/** Everything beside complete builds and those that are being deleted. */
const leftovers = () => readdirSync(sitePath(".builds")).filter((name) => !/^(?:old-)?\d+$/.test(name));
const titleOf = (page: string) => /<title>([^<]*)/.exec(readFileSync(sitePath(`dist/${page}.html`), "utf8"))?.[1];
const writeAbout = (text: string) => writeFileSync(join(root, "content/pages/about.md"), text);

beforeEach(async () => {
  root = copyWithContent();
  await buildOnce(root);
});
afterEach(() => rmSync(root, { recursive: true }));

/** Builds as an operator does. Returns everything it printed. */
async function buildByNpm(): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)("npm", ["run", "build"], { cwd: root, env: bareEnvironment() });
  return stdout + stderr;
}

/** The `cp` of a quick build: leaves half a build for as long as the file HELD exists and the build runs. */
const HOLDING_CP = `#!/bin/sh
mkdir -p "$3"
touch "$3/half.html" "$HELD"
while [ -e "$HELD" ]; do kill -0 $PPID || exit 1; sleep 0.1; done
rm -r "$3"
exec /bin/cp "$@"
`;

/** Returns the environment of a quick build that stops half-way until `release`, because it may end before a test looks. */
function holdBuild() {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-held-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "cp"), HOLDING_CP, { mode: 0o755 });
  const held = join(folder, "held");
  return {
    env: { PATH: `${folder}:${process.env["PATH"]}`, HELD: held },
    isHeld: () => eventually(() => expect(existsSync(held), "a quick build is held").toBe(true)),
    release: () => rmSync(held, { force: true }),
  };
}

/** Starts a build without waiting for it. */
function startBuild(env: Record<string, string>) {
  return spawn(process.execPath, [sitePath("commands/build.ts")], {
    env: { ...bareEnvironment(), ...env },
    stdio: "ignore",
  });
}

test("a build of a text that can't be shown names file and line without a stack trace and keeps the last build", async () => {
  writeAbout(`${about.replace("About us", "Changed")}\nexport default this\n`);
  const failure: unknown = await buildSite(root).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 1, stderr: expect.stringMatching(/^content\/pages\/about\.md:\d+: /m) });
  expect(failure).toMatchObject({ stderr: expect.not.stringMatching(/\n\s+at /) });
  expect(titleOf("about")).toContain("About us");
  expect(leftovers()).toEqual([]);
});

test("an unchanged shop is built again once a day that its pages promise has passed", async () => {
  const feed = sitePath("dist/products.json");
  const text = readFileSync(feed, "utf8");
  const buildIfChanged = async (day: string) => {
    writeFileSync(feed, text.replace('"available_from":null', `"available_from":"${day}"`));
    const command = [sitePath("commands/build.ts"), "--if-changed"];
    return (await promisify(execFile)(process.execPath, command, { env: bareEnvironment() })).stdout;
  };
  expect(await buildIfChanged("2099-01-05")).toContain("unchanged since the last build");
  expect(await buildIfChanged("2026-01-05")).toMatch(/\d+ pages, HTML and Markdown/);
  expect(readFileSync(feed, "utf8")).toBe(text);
});

test("an unchanged shop is built again, without its security contact, once that has expired", async () => {
  const file = sitePath("dist/.well-known/security.txt");
  mkdirSync(dirname(file), { recursive: true });
  const buildIfChanged = async (expires: string) => {
    const security = { contact: "mailto:security@shop.example", expires };
    const shop = { base_url: "https://shop.example", locale: "en-GB", security };
    writeFileSync(file, writeSecurityTxt(shop, new Date(expires)) ?? "");
    const command = [sitePath("commands/build.ts"), "--if-changed"];
    const { stdout } = await promisify(execFile)(process.execPath, command, { env: bareEnvironment() });
    return [stdout, existsSync(file)];
  };
  expect(await buildIfChanged("2099-01-05")).toEqual([expect.stringContaining("unchanged since the last build"), true]);
  expect(await buildIfChanged("2026-01-05")).toEqual([expect.stringMatching(/\d+ pages, HTML and Markdown/), false]);
});

test("an error in the content stops a build with its file, line and what to write, and keeps the last build", async () => {
  writeAbout(about.replace("About us", "Changed").replace("/guides/choosing", "/guides/chosing"));
  const failure: unknown = await buildSite(root).catch((error: unknown) => error);
  const problem = "content/pages/about.md:7: No page `/guides/chosing`. Did you mean `/guides/choosing`?";
  expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining(problem) });
  expect(failure).toMatchObject({ stderr: expect.not.stringMatching(/\n\s+at /) });
  expect([titleOf("about"), leftovers()]).toEqual([expect.stringContaining("About us"), []]);
});

test("while a build runs, the last one can still be read, and a second build is told to wait", async () => {
  writeAbout(about.replace("About us", "Renamed"));
  const { env, isHeld, release } = holdBuild();
  let running = true;
  const first = buildSite(root, env).finally(() => {
    running = false;
  });
  const second = isHeld()
    .then(() => buildSite(root))
    .finally(release);
  const both = Promise.allSettled([first, second]);
  let missing = 0;
  while (running) {
    if (!existsSync(sitePath("dist/index.html"))) missing += 1;
    await sleep(5);
  }
  expect(missing).toBe(0);
  expect(await both).toMatchObject([
    { status: "fulfilled" },
    { reason: { stderr: "\nAnother build of this folder is running. Wait until it finishes.\n\n" } },
  ]);
  expect([leftovers(), titleOf("about")]).toEqual([[], expect.stringContaining("Renamed")]);
});

test("a shop that starts while its site is built waits, and doesn't build again", async () => {
  writeAbout(about.replace("About us", "Renamed again"));
  const { env, isHeld, release } = holdBuild();
  const ended = once(startBuild(env), "exit");
  await isHeld();
  const command = [sitePath("commands/build.ts"), "--if-changed"];
  const waiting = promisify(execFile)(process.execPath, command, { env: bareEnvironment() });
  let output = "";
  waiting.child.stdout?.on("data", (text) => {
    output += text;
  });
  await eventually(() => expect(output).toContain("\n"));
  release();
  await waiting;
  expect(output).toMatch(/^Another build of this folder is running: waiting until it finishes …\nunchanged since/);
  expect([await ended, titleOf("about")]).toEqual([[0, null], expect.stringContaining("Renamed again")]);
});

test("a build stopped by a signal keeps the last build, and the next build removes its files", async () => {
  const before = readFileSync(sitePath("dist/sitemap.xml"), "utf8");
  for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
    const { env, isHeld } = holdBuild();
    const child = startBuild(env);
    const ended = once(child, "exit");
    await isHeld();
    expect(leftovers()).toEqual(["next"]);
    child.kill(signal);
    expect((await ended)[1]).toBe(signal);
    expect(readFileSync(sitePath("dist/sitemap.xml"), "utf8")).toBe(before);
  }
  await buildSite(root);
  expect(leftovers()).toEqual([]);
});

test("a build that was killed before it linked dist is repaired by the next, even if that one fails", async () => {
  rmSync(sitePath("dist"));
  writeAbout("nothing");
  await expect(buildSite(root)).rejects.toMatchObject({ code: 1 });
  expect(titleOf("about")).toContain("us");
});

test("a successful build prints its warnings on stderr, where npm start reads them", async () => {
  writeAbout(`${about}\n${"word ".repeat(11_000)}\n`);
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], ASTRO_TELEMETRY_DISABLED: "1" };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [sitePath("commands/build.ts")], { env });
  expect(stderr).toMatch(/^\[WARN\] \[markdown-face\] content\/pages\/about\.md has \d+ characters in Markdown/m);
  expect(stdout).not.toContain("characters in Markdown");
  expect(stdout).toMatch(/pages, HTML and Markdown\n$/);
});

test("a build removes folders that an earlier version of the build left beside dist", async () => {
  for (const name of ["dist.new", "dist.old"]) {
    mkdirSync(sitePath(name));
    writeFileSync(join(sitePath(name), "index.html"), "half");
  }
  const { output } = await buildSite(root);
  expect(output).toContain("pages, HTML and Markdown");
  expect([existsSync(sitePath("dist.new")), existsSync(sitePath("dist.old"))]).toEqual([false, false]);
});

test("npm run build reads .env, and works without it", async () => {
  const output = await buildByNpm();
  expect(output).toContain("pages, HTML and Markdown");
  expect(output).not.toMatch(/\.env|not found/i);
  writeFileSync(join(root, ".env"), "BASE_URL=https://env.example\n");
  expect(await buildByNpm()).toContain("Complete!");
  expect(readFileSync(sitePath("dist/robots.txt"), "utf8")).toContain("https://env.example/sitemap.xml");
});
