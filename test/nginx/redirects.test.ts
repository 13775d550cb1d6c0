import { afterAll, beforeAll, expect, test } from "vitest";
import { headerLines } from "./raw-request.ts";
import { runNginx, type TestNginx } from "./run-nginx.ts";

const LONGEST = "x".repeat(252);
let nginx: TestNginx;

beforeAll(async () => {
  nginx = await runNginx({
    "404.html": "<html>nothing here",
    "404.md": "# Nothing here",
    "products/404.html": "<html>a product called 404",
    "products/404.md": "# A product called 404",
    ".moved/products/old.to": "/products/404",
    // The longest possible file name.
    [`.moved/products/${LONGEST}.to`]: "/products/404",
    ".moved/products/404.to": "/nowhere",
    ".moved/categories/old.to": "/categories/new",
    ".moved/categories/old/page/2.to": "/categories/new/page/2",
  });
});
afterAll(() => nginx.stop());

test.each([
  ["/about/", "/about"],
  ["/about/?a=1&b=%20", "/about?a=1&b=%20"],
  ["/about.html", "/about"],
  ["/index.html", "/"],
  ["/index.html/", "/"],
  ["/products/old?x=1", "/products/404?x=1"],
  ["/products/old.md?x=%0d%0a", "/products/404.md?x=%0d%0a"],
  ["/index.php/products/old?x=1", "/products/404?x=1"],
  ["/index.php/products/old.md", "/products/404.md"],
  [`/products/${LONGEST}`, "/products/404"],
  ["/categories/old", "/categories/new"],
  ["/categories/old/page/2.md", "/categories/new/page/2.md"],
  ["/index.php/about/", "/about"],
  ["/products/old", "/products/404"],
  ["/products/old.md", "/products/404.md"],
  ["//evil.example/", "/evil.example"],
])("%s redirects to %s", async (from, to) => {
  for (const method of ["GET", "HEAD"]) {
    const answer = await nginx.send(`${method} ${from}`);
    expect(answer.status).toBe(301);
    expect(headerLines(answer, "location")).toEqual([to]);
    expect(headerLines(answer, "cache-control")).toEqual(["public, max-age=3600"]);
  }
});

test.each(["/products/old", "/products/old.md", "/index.php/products/old", "/index.html", "/about/"])(
  "POST to %s is not redirected",
  async (path) => {
    const answer = await nginx.send(`POST ${path}`, { "Content-Length": "0" });
    expect([answer.status, headerLines(answer, "allow")]).toEqual([405, ["GET, HEAD"]]);
    expect(headerLines(answer, "location")).toEqual([]);
  },
);

test("a page wins over a former address that is the same", async () => {
  expect((await nginx.get("/products/404")).status).toBe(200);
  expect((await nginx.get("/products/404.md")).status).toBe(200);
});

test.each(["/products/old/more", "/old", "/products/old.md.md", "/products/old.json"])(
  "%s gets 404, not a redirect",
  async (path) => {
    expect((await nginx.get(path)).status).toBe(404);
  },
);
