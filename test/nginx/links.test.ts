import { afterAll, beforeAll, expect, test } from "vitest";
import { headerLines, type RawAnswer } from "./raw-request.ts";
import { runNginx, type TestNginx } from "./run-nginx.ts";

const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
let nginx: TestNginx;

const links = (answer: RawAnswer) => headerLines(answer, "link").map((line) => line.split(", "));

beforeAll(async () => {
  nginx = await runNginx({
    "index.html": "<html>home",
    "index.md": "# Home",
    "404.html": "<html>nothing here",
    "404.md": "# Nothing here",
    "categories/tills/page/2.html": "<html>page two",
    "categories/tills/page/2.md": "# Page two",
    "products/index.html": "<html>a product called index",
    "products/index.md": "# A product called index",
    "products/größe-ä.html": "<html>Größe",
    "products/größe-ä.md": "# Größe",
    "नापने/נעל.html": "<html>נעל",
    "नापने/נעל.md": "# נעל",
    "llms.txt": "# Shop",
    ".well-known/api-catalog": '{"linkset":[]}',
    ".well-known/security.txt": "Contact: mailto:a@shop.example\n",
    ".well-known/other": "hidden",
  });
});
afterAll(() => nginx.stop());

const HOME = [
  '</.well-known/api-catalog>; rel="api-catalog"',
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</developers>; rel="service-doc"; type="text/html"',
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '<https://shop.example/>; rel="canonical"',
  '</index.md>; rel="alternate"; type="text/markdown"',
];

const pageLinks = (path: string) => [
  `<https://shop.example${path}>; rel="canonical"`,
  `<${path}.md>; rel="alternate"; type="text/markdown"`,
];

test.each([
  ["/", HOME],
  ["/categories/tills/page/2", pageLinks("/categories/tills/page/2")],
  ["/products/index", pageLinks("/products/index")],
  [encodeURI("/products/größe-ä"), pageLinks("/products/gr%C3%B6%C3%9Fe-%C3%A4")],
  [encodeURI("/नापने/נעל"), pageLinks(encodeURI("/नापने/נעל"))],
])("%s has one Link line, in both faces, for GET and HEAD, with 200 and 304", async (path, expected) => {
  for (const prefix of ["", "/index.php"]) {
    for (const Accept of ["text/html", "text/markdown"]) {
      const whole = await nginx.get(`${prefix}${path}`, { Accept });
      expect([whole.status, links(whole)]).toEqual([200, [expected]]);
      expect(links(await nginx.send(`HEAD ${prefix}${path}`, { Accept }))).toEqual([expected]);
      const [tag = ""] = headerLines(whole, "etag");
      const unchanged = await nginx.get(`${prefix}${path}`, { Accept, "If-None-Match": tag });
      expect([unchanged.status, links(unchanged)]).toEqual([304, [expected]]);
    }
  }
});

test.each(["/products/größe-ä", "/नापने/נעל"])(
  "%s has percent-encoded headers, however its bytes are written",
  async (page) => {
    const encoded = encodeURI(page);
    const bytes = Buffer.from(page).toString("latin1");
    for (const path of [
      encoded,
      encoded.replaceAll(/%../g, (each) => each.toLowerCase()),
      bytes,
      `/index.php${bytes}`,
    ]) {
      const markdown = await nginx.get(path, { Accept: "text/markdown" });
      expect([markdown.status, headerLines(markdown, "content-location")]).toEqual([200, [`${encoded}.md`]]);
      expect(links(markdown)).toEqual([pageLinks(encoded)]);
      const twin = await nginx.get(`${path}.md`);
      expect([twin.status, links(twin)]).toEqual([200, [[`<https://shop.example${encoded}>; rel="canonical"`]]]);
    }
    // Half a letter isn't a page.
    expect((await nginx.get(bytes.slice(0, -1))).status).toBe(404);
  },
);

test("the bare prefix is the home page", async () => {
  expect(links(await nginx.get("/index.php"))).toEqual([HOME]);
});

test("files, missing pages, redirects and errors have no Link", async () => {
  for (const path of ["/nowhere", "/llms.txt", "/.well-known/security.txt", "/categories/tills/"])
    expect([path, links(await nginx.get(path))]).toEqual([path, []]);
  expect(links(await nginx.send("POST /", { "Content-Length": "0" }))).toEqual([]);
});

test("the API catalogue is a linkset with a Link to itself, readable by every script and cached for an hour", async () => {
  for (const line of ["GET /.well-known/api-catalog", "HEAD /index.php/.well-known/api-catalog"]) {
    const answer = await nginx.send(line);
    expect(answer.status).toBe(200);
    expect(headerLines(answer, "content-type")).toEqual([CATALOG_TYPE]);
    expect(links(answer)).toEqual([['</.well-known/api-catalog>; rel="api-catalog"']]);
    expect(headerLines(answer, "access-control-allow-origin")).toEqual(["*"]);
    expect(headerLines(answer, "cache-control")).toEqual(["public, max-age=3600"]);
    expect(headerLines(answer, "vary")).toEqual(["Accept-Encoding"]);
  }
});

test("security.txt is plain text, with and without the prefix", async () => {
  for (const prefix of ["", "/index.php"]) {
    const answer = await nginx.get(`${prefix}/.well-known/security.txt`);
    expect([answer.status, answer.body]).toEqual([200, "Contact: mailto:a@shop.example\n"]);
    expect(headerLines(answer, "content-type")).toEqual(["text/plain; charset=utf-8"]);
  }
});

test("well-known files support only GET and HEAD", async () => {
  for (const name of ["api-catalog", "security.txt"]) {
    const answer = await nginx.send(`POST /.well-known/${name}`, { "Content-Length": "0" });
    expect([answer.status, headerLines(answer, "allow")]).toEqual([405, ["GET, HEAD"]]);
  }
});

test.each(["", "/", "/other", "/api-catalog/", "/api-catalog.md", "/security", "/.well-known/security.txt"])(
  "/.well-known%s gets 404 in the requested face",
  async (rest) => {
    for (const prefix of ["", "/index.php"]) {
      const html = await nginx.get(`${prefix}/.well-known${rest}`);
      expect([html.status, html.body]).toEqual([404, "<html>nothing here"]);
      const markdown = await nginx.get(`${prefix}/.well-known${rest}`, { Accept: "text/markdown" });
      expect([markdown.status, markdown.body]).toEqual([404, "# Nothing here"]);
    }
  },
);
