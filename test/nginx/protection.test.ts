import { afterAll, beforeAll, expect, test } from "vitest";
import { headerLines, sendRequest } from "./raw-request.ts";
import { runNginx, type TestNginx } from "./run-nginx.ts";

const LONG = "word ".repeat(200);
let nginx: TestNginx;

const get = (path: string, headers?: Record<string, string>) => sendRequest(nginx.port, `GET ${path}`, headers);

beforeAll(async () => {
  nginx = await runNginx({
    "index.html": `<html>home ${LONG}`,
    "index.md": `# Home ${LONG}`,
    "about.html": `<html>about ${LONG}`,
    "about.md": `# About ${LONG}`,
    "llms.txt": "# Shop\n",
    "_astro/page.a1b2.css": "body{}",
    "_astro/picture.svg": "<svg/>",
  });
});
afterAll(() => nginx.stop());

test.each(["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])(
  "%s on a page gets 405 with Allow",
  async (method) => {
    for (const path of ["/", "/about", "/nowhere", "/about.md", "/llms.txt", "/_astro/page.a1b2.css"]) {
      const answer = await sendRequest(nginx.port, `${method} ${path}`, { "Content-Length": "0" });
      expect([path, answer.status, headerLines(answer, "allow")]).toEqual([path, 405, ["GET, HEAD"]]);
    }
  },
);

test("a picture that is opened by itself runs no script", async () => {
  expect(headerLines(await get("/_astro/picture.svg"), "content-security-policy")[0]).toMatch(/sandbox/);
});

test("pages carry the security headers, and nothing tells nginx's version", async () => {
  const page = await get("/about");
  expect(headerLines(page, "content-security-policy")[0]).toMatch(/script-src 'self';/);
  for (const name of ["x-content-type-options", "referrer-policy", "permissions-policy"])
    expect(headerLines(page, name)).toHaveLength(1);
  expect(headerLines(page, "server")).toEqual(["nginx"]);
  expect(headerLines(page, "strict-transport-security")).toEqual([]);
  const overTls = await get("/about", { "X-Forwarded-Proto": "https" });
  expect(headerLines(overTls, "strict-transport-security")).toHaveLength(1);
  expect((await get("/%zz")).body).not.toMatch(/nginx\/\d/);
});
