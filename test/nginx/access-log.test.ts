import { afterAll, beforeAll, expect, test } from "vitest";
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

test("a line has the path as it was asked for, without its query string, and the face", async () => {
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
  // nginx's workers write in turns.
  expect(new Set(lines().map(({ path, face }) => `${path} ${face}`))).toEqual(
    new Set(asked.map(([path, face]) => `${path.replace(/\?.*/, "")} ${face}`)),
  );
});
