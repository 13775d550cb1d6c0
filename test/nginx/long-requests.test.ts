import { afterAll, beforeAll, expect, test } from "vitest";
import { headerLines } from "./raw-request.ts";
import { runNginx, type TestNginx } from "./run-nginx.ts";

/** The longest path: a request line of 8 KiB (large_client_header_buffers) without its method and version. */
const LONGEST = 8160;

let nginx: TestNginx;

beforeAll(async () => {
  nginx = await runNginx({
    "index.html": "<html>home",
    "index.md": "# Home",
    "404.html": "<html>nothing here",
    "404.md": "# Nothing here",
  });
});
afterAll(() => nginx.stop());

const filled = (start: string, unit: string, end: string) =>
  start + unit.repeat((LONGEST - start.length - end.length) / unit.length) + end;

/** Prefixes and repeated units that the regular expressions in nginx/conf match. */
const STARTS = ["/", "/x", "/index.php", "/index.php/", "/api/", "/_astro/", "/.well-known/", "http://shop.example/"];
const UNITS = [
  "/a",
  "/a-",
  "a",
  "-",
  "/",
  "//",
  "/index.php",
  "/index",
  ".html",
  "/index.html",
  ".md",
  "/x.md",
  ".png",
];
const ODD_UNITS = [
  "/.a",
  "/../a",
  "/./",
  "%41",
  "/%2e",
  "%0a",
  "%5c",
  "%00",
  "%ff",
  "\xe9",
  "/A",
  "/_error/",
  "/api/",
  "?a=b",
];
const ENDS = ["", ".md", ".html", "/", ".png", "!", "%0a", "/index.php"];

test.each([...UNITS, ...ODD_UNITS])("8 KB of '%s' in an address don't cause a 500", async (unit) => {
  const wrong: string[] = [];
  for (const path of STARTS.flatMap((start) => ENDS.map((end) => filled(start, unit, end)))) {
    for (const method of ["GET", "POST"]) {
      const { status } = await nginx.send(`${method} ${path}`);
      // 503: nothing listens behind /api/.
      if (![200, 301, 400, 404, 405, 503].includes(status))
        wrong.push(`${status} for ${method} ${path.slice(0, 40)} … ${path.slice(-20)}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(nginx.errors().match(/\[(?:alert|crit|emerg)\].{0,100}/g)).toBeNull();
});

test.each(["Accept", "X-Forwarded-Proto", "X-Forwarded-For", "User-Agent"])(
  "8 KB in %s don't change the status",
  async (name) => {
    for (const start of ["", "text/html,", "text/markdown,", "https", '"']) {
      for (const unit of [
        "a",
        ",",
        '"',
        "\\",
        "; ",
        "\t",
        "a/b,",
        "text/html;",
        "text/markdown,",
        "127.0.0.1,",
        "\xe9",
      ])
        expect([unit, (await nginx.get("/", { [name]: filled(start, unit, "x").slice(-8100) })).status]).toEqual([
          unit,
          200,
        ]);
    }
    expect(nginx.errors().match(/\[(?:alert|crit|emerg)\].{0,100}/g)).toBeNull();
  },
);

test("a path of 1,365 segments or endings gets the answer of a short one", async () => {
  const segments = "/a".repeat(1365);
  for (const path of [segments, `/index.php${segments}`, `${segments}.md`])
    expect([path.slice(0, 20), (await nginx.get(path)).status]).toEqual([path.slice(0, 20), 404]);
  const endings = await nginx.get(`/x${".html".repeat(1365)}`);
  expect([endings.status, headerLines(endings, "location")]).toEqual([301, ["/x"]]);
});
