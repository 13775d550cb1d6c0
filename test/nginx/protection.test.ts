import { afterAll, beforeAll, expect, test } from "vitest";
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
    "pagefind/pagefind-worker.js": "compile()",
    "pagefind/fragment/en_1.pf_fragment": "words",
  });
});
afterAll(() => nginx.stop());

test.each(["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])(
  "%s gets 405 with Allow, whether the file exists or not",
  async (method) => {
    const there = ["/", "/about", "/about.md", "/llms.txt", "/_astro/page.a1b2.css"];
    const nowhere = ["/nowhere", "/nowhere.md", "/nowhere.png", "/_astro/nowhere.css", "/pagefind/nowhere"];
    for (const path of [...there, ...nowhere]) {
      const answer = await nginx.send(`${method} ${path}`, { "Content-Length": "0" });
      expect([path, answer.status, headerLines(answer, "allow")]).toEqual([path, 405, ["GET, HEAD"]]);
    }
  },
);

test("an SVG opened by itself runs no scripts", async () => {
  expect(headerLines(await nginx.get("/_astro/picture.svg"), "content-security-policy")[0]).toMatch(/sandbox/);
});

test("only the search's worker may compile WebAssembly, and the index's files are served", async () => {
  const policy = async (path: string) => headerLines(await nginx.get(path), "content-security-policy")[0] ?? "none";
  expect(await policy("/pagefind/pagefind-worker.js")).toBe(
    "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'",
  );
  for (const path of ["/", "/about", "/_astro/picture.svg"]) expect(await policy(path)).not.toContain("wasm");
  for (const path of ["/pagefind/pagefind-worker.js", "/pagefind/fragment/en_1.pf_fragment"]) {
    const part = await nginx.get(path);
    expect([part.status, headerLines(part, "cache-control")]).toEqual([200, ["public, max-age=3600"]]);
  }
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
  ["GET /pagefind/pagefind-worker.js", 200],
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
