import { afterAll, beforeAll, expect, test } from "vitest";
import { headerLines } from "./raw-request.ts";
import { LONG, runNginx, type TestNginx } from "./run-nginx.ts";

let nginx: TestNginx;

beforeAll(async () => {
  nginx = await runNginx({
    "404.html": "<html>nothing here",
    "llms.txt": "# Shop\n",
    "llms/scanners-products-2.txt": "# Scanners\n",
    "llms-full.txt": "# All pages\n",
    "sitemap.xml": "<urlset/>",
    "sitemaps/1.xml": "<urlset/>",
    "products.json": "{}",
    "documents/kestrel-c2/manual.pdf": "%PDF-1.7",
    "documents/kestrel-c2/driver.zip": "PK",
    "about.html": "<html>about us",
    "about.md": "# About us",
    "llms.md": "",
    ".static/ads.txt": `# Ads ${LONG}`,
    ".static/google1234.html": "google-site-verification: google1234.html",
    ".static/about.html": "<html>another",
    ".static/llms.txt": "# Another",
    ".static/BingSiteAuth.xml": "<users/>",
    ".static/favicon.ico": "icon",
    ".static/press/letterhead.pdf": "%PDF-1.7 0123456789",
    ".static/.well-known/apple-developer-merchantid-domain-association": "7B2270",
    ".static/.well-known/pki-validation/file_auth.txt": "proof",
    ".static/.json/.well-known/apple-app-site-association": "{}",
    ".static/.well-known/.hidden": "hidden",
    ".well-known/other": "hidden",
    ".session/x.txt": "hidden",
  });
});
afterAll(() => nginx.stop());

const resources = [
  ["/llms.txt", "text/plain; charset=utf-8"],
  ["/llms/scanners-products-2.txt", "text/plain; charset=utf-8"],
  ["/llms-full.txt", "text/plain; charset=utf-8"],
  ["/sitemap.xml", "application/xml; charset=utf-8"],
  ["/sitemaps/1.xml", "application/xml; charset=utf-8"],
  ["/products.json", "application/json"],
  ["/documents/kestrel-c2/manual.pdf", "application/pdf"],
  ["/documents/kestrel-c2/driver.zip", "application/zip"],
] as const;

test.each(resources)(
  "%s is %s for any Accept header, readable by every script and cached for an hour",
  async (path, type) => {
    for (const prefix of ["", "/index.php"]) {
      for (const accept of ["*/*", "text/html", "text/markdown"]) {
        const answer = await nginx.get(`${prefix}${path}`, { Accept: accept });
        expect(answer.status).toBe(200);
        expect(headerLines(answer, "content-type")).toEqual([type]);
        expect(headerLines(answer, "cache-control")).toEqual(["public, max-age=3600"]);
        expect(headerLines(answer, "vary")).toEqual(["Accept-Encoding"]);
        expect(headerLines(answer, "access-control-allow-origin")).toEqual(["*"]);
      }
    }
  },
);

test("only the file that repeats all pages is noindex", async () => {
  for (const [path] of resources) {
    const tag = headerLines(await nginx.get(path), "x-robots-tag");
    expect([path, tag]).toEqual([path, path === "/llms-full.txt" ? ["noindex"] : []]);
  }
  expect(headerLines(await nginx.get("/index.php/llms-full.txt"), "x-robots-tag")).toEqual(["noindex"]);
});

test.each(["/llms/none.txt", "/llms", "/sitemaps/0.xml", "/sitemaps"])("%s gets 404", async (path) => {
  expect((await nginx.get(path)).status).toBe(404);
});

/** Those of content/static/, with the policy that they get. */
const ownFiles = [
  ["/ads.txt", "text/plain; charset=utf-8", []],
  ["/google1234.html", "text/html; charset=utf-8", ["sandbox"]],
  ["/BingSiteAuth.xml", "application/xml; charset=utf-8", ["sandbox"]],
  ["/favicon.ico", "image/x-icon", []],
  ["/press/letterhead.pdf", "application/pdf", []],
  ["/.well-known/apple-developer-merchantid-domain-association", "text/plain; charset=utf-8", []],
  ["/.well-known/pki-validation/file_auth.txt", "text/plain; charset=utf-8", []],
  ["/.well-known/apple-app-site-association", "application/json", []],
] as const;

test.each(ownFiles)(
  "%s of the shop's own is %s for any Accept header, and runs no script",
  async (path, type, policy) => {
    for (const prefix of ["", "/index.php"])
      for (const accept of ["*/*", "text/markdown"]) {
        const answer = await nginx.get(`${prefix}${path}`, { Accept: accept });
        expect([path, answer.status]).toEqual([path, 200]);
        expect(headerLines(answer, "content-type")).toEqual([type]);
        expect(headerLines(answer, "content-security-policy")).toEqual(policy);
        expect(headerLines(answer, "x-content-type-options")).toEqual(["nosniff"]);
        expect(headerLines(answer, "cache-control")).toEqual(["public, max-age=3600"]);
        expect(headerLines(answer, "vary")).toEqual(["Accept-Encoding"]);
        expect(headerLines(answer, "link")).toEqual([]);
        const [etag = ""] = headerLines(answer, "etag");
        expect(etag).not.toBe("");
        expect((await nginx.get(path, { "If-None-Match": etag })).status).toBe(304);
      }
    expect((await nginx.send(`HEAD ${path}`)).status).toBe(200);
    expect((await nginx.send(`POST ${path}`, { "Content-Length": "0" })).status).toBe(405);
  },
);

test("a file of the shop's own is sent compressed, or a part of it", async () => {
  const compressed = await nginx.get("/ads.txt", { "Accept-Encoding": "gzip" });
  expect(headerLines(compressed, "content-encoding")).toEqual(["gzip"]);
  const part = await nginx.get("/press/letterhead.pdf", { Range: "bytes=0-3" });
  expect([part.status, part.body]).toEqual([206, "%PDF"]);
});

test("a file of the shop's own never stands in for a page, nor for a file of the build", async () => {
  expect((await nginx.get("/google1234")).status).toBe(404);
  expect((await nginx.get("/google1234.md")).status).toBe(404);
  expect((await nginx.get("/about")).body).toContain("about us");
  expect((await nginx.get("/llms.txt")).body).toBe("# Shop\n");
});

test.each([
  "/.static/ads.txt",
  "/.static/.json/.well-known/apple-app-site-association",
  "/.well-known/.hidden",
  "/.well-known/other",
  "/.well-known/",
  "/.well-known/%2e%2e/.session/x.txt",
  "/.well-known/a%0a",
  "/nothing.html",
])("%s is hidden", async (path) => {
  const answer = await nginx.get(path);
  expect([path, [301, 404].includes(answer.status), answer.body.includes("hidden")]).toEqual([path, true, false]);
  if (answer.status === 301) expect(headerLines(answer, "location")).toEqual(["/nothing"]);
});
