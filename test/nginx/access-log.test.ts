import { execFileSync } from "node:child_process";
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { logRotation } from "../../nginx/render.ts";
import { runNginx, type TestNginx } from "./run-nginx.ts";

let nginx: TestNginx;

beforeAll(async () => {
  nginx = await runNginx({
    "index.html": "<html>home",
    "index.md": "# Home",
    "about.html": "<html>about",
    "about.md": "# About",
    "404.html": "<html>nothing here",
    "404.md": "# Nothing here",
  });
});
afterAll(() => nginx.stop());

test("a line has the requested path, without query string or prefix, and the face", async () => {
  const asked = [
    ["/", "html"],
    ["/about?token=sesame", "html"],
    ["/about", "md"],
    ["/about.md", ""],
    ["/index.php/about", "html"],
    ["/nowhere", "html"],
    ["/about/", ""],
    ["/a%20b?c", ""],
  ] as const;
  for (const [path, face] of asked)
    await nginx.get(path, { "User-Agent": "access-log.test", Accept: face === "md" ? "text/markdown" : "*/*" });
  const lines = () => nginx.requests().filter(({ agent }) => agent === "access-log.test");
  await expect.poll(lines).toHaveLength(asked.length);
  // A page is logged without the prefix, and nginx's workers write in any order.
  expect(new Set(lines().map(({ path, face }) => `${path} ${face}`))).toEqual(
    new Set(asked.map(([path, face]) => `${path.replace(/^\/index\.php|\?.*/g, "")} ${face}`)),
  );
});

test("the logrotate rule makes nginx write into new logs", async () => {
  const logs = ["error.log", "access.log"].map((name) => join(nginx.folder, name));
  const rule = logRotation(nginx.folder, logs);
  for (const log of logs) {
    expect(rule).toContain(`"${log}"`);
    renameSync(log, `${log}.1`);
  }
  execFileSync("sh", ["-c", /postrotate\n(.*)\n\tendscript/s.exec(rule)?.[1] ?? "false"]);
  await expect.poll(() => logs.every((log) => existsSync(log))).toBe(true);
  // Each worker reopens the log by itself; until then it writes into the old one.
  const written = async () => {
    await nginx.get("/about", { "User-Agent": "rotated" });
    return nginx.requests().some(({ agent }) => agent === "rotated");
  };
  await expect.poll(written).toBe(true);
});

test("while the disk of its logs is full, nginx goes on answering", async () => {
  const full = await runNginx({ "index.html": "<html>home" }, undefined, [], {
    ...{ accessLog: "/dev/full", errorLog: "/dev/full" },
  });
  onTestFinished(() => full.stop());
  const answers = await Promise.all(Array.from({ length: 50 }, () => full.get("/")));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect((await full.get("/api/orders")).status).toBe(503);
});
