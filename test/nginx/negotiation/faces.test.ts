import { afterAll, beforeAll, expect, test } from "vitest";
import { headerLines } from "../raw-request.ts";
import { LONG, runNginx, type TestNginx } from "../run-nginx.ts";

const MARKDOWN = { Accept: "text/markdown" };
let nginx: TestNginx;

beforeAll(async () => {
  nginx = await runNginx({
    "index.html": `<html>home ${LONG}`,
    "index.md": `# Home ${LONG}`,
    "404.html": `<html>nothing here ${LONG}`,
    "404.md": `# Nothing here ${LONG}`,
    "about.html": `<html>about ${LONG}`,
    "about.md": `# About ${LONG}`,
    "products/404.html": "<html>a product called 404",
    "products/404.md": "# A product called 404",
    "products/index.html": "<html>a product called index",
    "products/index.md": "# A product called index",
  });
});
afterAll(() => nginx.stop());

const PREFIXES = ["", "/index.php"];
const PAGES = [
  ["/", "home", "# Home"],
  ["/about", "about", "# About"],
  ["/products/404", "a product called 404", "# A product called 404"],
  ["/products/index", "a product called index", "# A product called index"],
] as const;
const pages = PREFIXES.flatMap((prefix) =>
  PAGES.map(([path, html, markdown]) => [prefix + path, html, markdown] as const),
);

test.each(pages)("%s has both faces at one URL", async (path, html, markdown) => {
  const page = await nginx.get(path);
  expect(page.status).toBe(200);
  expect(headerLines(page, "content-type")).toEqual(["text/html; charset=utf-8"]);
  expect(page.body).toContain(html);
  const face = await nginx.get(path, MARKDOWN);
  expect(face.status).toBe(200);
  expect(headerLines(face, "content-type")).toEqual(["text/markdown; charset=utf-8"]);
  expect(face.body).toContain(markdown);
});

test.each(["/", "/about", "/index.php/about", "/nowhere"])(
  "%s has exactly one Vary: Accept, Accept-Encoding",
  async (path) => {
    for (const accept of ["text/html", "text/markdown", "*/*"]) {
      for (const encoding of ["identity", "gzip", "br", "gzip, br"]) {
        for (const method of ["GET", "HEAD"]) {
          const answer = await nginx.send(`${method} ${path}`, {
            Accept: accept,
            "Accept-Encoding": encoding,
          });
          expect(headerLines(answer, "vary")).toEqual(["Accept, Accept-Encoding"]);
          if (method === "HEAD") expect(answer.body).toBe("");
        }
      }
    }
  },
);

test("the Markdown face names its own URL, and the twin at that URL names the page", async () => {
  expect(headerLines(await nginx.get("/about", MARKDOWN), "content-location")).toEqual(["/about.md"]);
  expect(headerLines(await nginx.get("/", MARKDOWN), "content-location")).toEqual(["/index.md"]);
  expect(headerLines(await nginx.get("/index.php/about", MARKDOWN), "content-location")).toEqual(["/about.md"]);
  expect(headerLines(await nginx.get("/about"), "content-location")).toEqual([]);

  const twin = await nginx.get("/about.md", { Accept: "text/html" });
  expect(headerLines(twin, "content-type")).toEqual(["text/markdown; charset=utf-8"]);
  expect(headerLines(twin, "link")).toEqual(['<https://shop.example/about>; rel="canonical"']);
  expect(headerLines(twin, "x-robots-tag")).toEqual(["noindex"]);
  expect(headerLines(twin, "vary")).toEqual(["Accept-Encoding"]);
  expect(headerLines(await nginx.get("/index.md"), "link")).toEqual(['<https://shop.example/>; rel="canonical"']);
  expect(headerLines(await nginx.get("/products/404.md"), "link")).toEqual([
    '<https://shop.example/products/404>; rel="canonical"',
  ]);
});
