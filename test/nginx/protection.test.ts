import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { headerLines } from "./raw-request.ts";
import { LONG, runNginx, type TestNginx } from "./run-nginx.ts";

let nginx: TestNginx;

beforeAll(async () => {
  nginx = await runNginx({
    "index.html": `<html>home ${LONG}`,
    "index.md": `# Home ${LONG}`,
    "about.html": `<html>about ${LONG}`,
    "about.md": `# About ${LONG}`,
    "404.html": "<html>nothing here",
    "404.md": "# Nothing here",
    "llms.txt": "# Shop\n",
    "llms-full.txt": "# All pages\n",
    ".well-known/api-catalog": "{}",
    "_astro/page.a1b2.css": "body{}",
    "_astro/picture.svg": "<svg/>",
  });
});
afterAll(() => nginx.stop());

test.each(["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])(
  "%s gets 405 with Allow, whether the file exists or not",
  async (method) => {
    const there = ["/", "/about", "/about.md", "/llms.txt", "/_astro/page.a1b2.css"];
    const nowhere = ["/nowhere", "/nowhere.md", "/nowhere.png", "/_astro/nowhere.css"];
    for (const path of [...there, ...nowhere]) {
      const answer = await nginx.send(`${method} ${path}`, { "Content-Length": "0" });
      expect([path, answer.status, headerLines(answer, "allow")]).toEqual([path, 405, ["GET, HEAD"]]);
    }
  },
);

test("an SVG opened by itself runs no scripts", async () => {
  expect(headerLines(await nginx.get("/_astro/picture.svg"), "content-security-policy")[0]).toMatch(/sandbox/);
});

test("no file or page may compile WebAssembly or run another site's script", async () => {
  for (const path of ["/", "/about", "/_astro/picture.svg", "/llms.txt"])
    expect(headerLines(await nginx.get(path), "content-security-policy").join()).not.toMatch(/wasm|https?:/);
});

test("pages have the security headers, and nothing reveals nginx's version", async () => {
  const page = await nginx.get("/about");
  expect(headerLines(page, "content-security-policy")[0]).toMatch(/script-src 'self';/);
  for (const name of ["x-content-type-options", "referrer-policy", "permissions-policy"])
    expect(headerLines(page, name)).toHaveLength(1);
  expect(headerLines(page, "server")).toEqual(["nginx"]);
  expect(headerLines(page, "strict-transport-security")).toEqual([]);
  const overTls = await nginx.get("/about", { "X-Forwarded-Proto": "https" });
  expect(headerLines(overTls, "strict-transport-security")).toHaveLength(1);
  expect((await nginx.get("/%zz")).body).not.toMatch(/nginx\/\d/);
});

test.each([
  ["GET /", 200],
  ["GET /about", 200],
  ["GET /about.md", 200],
  ["GET /llms.txt", 200],
  ["GET /llms-full.txt", 200],
  ["GET /.well-known/api-catalog", 200],
  ["GET /_astro/picture.svg", 200],
  ["GET /index.php/about", 200],
  ["GET /about/", 301],
  ["GET /nowhere", 404],
  ["GET /nowhere.md", 404],
  ["GET /.secret", 404],
  ["GET /index.php/_error/site", 404],
  ["POST /about", 405],
  ["GET /api/health/live", 404],
  ["GET /api/orders", 503],
])("%s, answered with %i, has each common header once", async (line, status) => {
  const answer = await nginx.send(line, { "X-Forwarded-Proto": "https" });
  expect(answer.status).toBe(status);
  for (const name of ["x-content-type-options", "referrer-policy", "strict-transport-security"])
    expect([name, headerLines(answer, name).length]).toEqual([name, 1]);
  expect(headerLines(answer, "last-modified")).toEqual([]);
});

test("where nginx may open few files, it serves a site with more of them", async () => {
  const pages = Array.from({ length: 1000 }, (_, index) => `page-${index}`);
  const files = Object.fromEntries(pages.map((page) => [`${page}.html`, `<html>${page}`]));
  const nginx = await runNginx(files, undefined, [], { openFiles: 256 });
  onTestFinished(() => nginx.stop());
  const statuses: number[] = [];
  for (const page of pages) statuses.push((await nginx.get(`/${page}`)).status);
  expect(statuses).toEqual(pages.map(() => 200));
});
