import { afterAll, beforeAll, expect, test } from "vitest";
import { headerLines } from "./raw-request.ts";
import { runNginx, type TestNginx } from "./run-nginx.ts";

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
