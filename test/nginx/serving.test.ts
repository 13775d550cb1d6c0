import { afterAll, beforeAll, expect, test } from "vitest";
import { headerLines, rawRequest, sendRequest } from "./raw-request.ts";
import { runNginx, type TestNginx } from "./run-nginx.ts";

const LONG = "word ".repeat(200);
const MARKDOWN = { Accept: "text/markdown" };
let nginx: TestNginx;

const get = (path: string, headers?: Record<string, string>) => sendRequest(nginx.port, `GET ${path}`, headers);

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
    "llms.txt": "# Shop\n",
    "products.json": "{}",
    "_astro/page.a1b2.css": "body{}",
    "_astro/picture.svg": "<svg/>",
    "pagefind/pagefind-worker.js": "compile()",
    "pagefind/fragment/en_1.pf_fragment": "words",
    ".secret": "hidden",
    ".redirects.map": '"/products/old" "/products/404";\n',
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
  const page = await get(path);
  expect(page.status).toBe(200);
  expect(headerLines(page, "content-type")).toEqual(["text/html; charset=utf-8"]);
  expect(page.body).toContain(html);
  const face = await get(path, MARKDOWN);
  expect(face.status).toBe(200);
  expect(headerLines(face, "content-type")).toEqual(["text/markdown; charset=utf-8"]);
  expect(face.body).toContain(markdown);
});

test.each(["/", "/about", "/index.php/about", "/nowhere"])(
  "%s says exactly once that it varies by Accept and Accept-Encoding",
  async (path) => {
    for (const accept of ["text/html", "text/markdown", "*/*"]) {
      for (const encoding of ["identity", "gzip", "br", "gzip, br"]) {
        for (const method of ["GET", "HEAD"]) {
          const answer = await sendRequest(nginx.port, `${method} ${path}`, {
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

test("faces and encodings have ETags of their own, and each answers 304 to its own alone", async () => {
  const variants = ["text/html", "text/markdown"].flatMap((accept) =>
    ["identity", "gzip", "br"].map((encoding) => ({ Accept: accept, "Accept-Encoding": encoding })),
  );
  const tags = await Promise.all(
    variants.map(async (variant) => headerLines(await get("/about", variant), "etag")[0] ?? ""),
  );
  expect(new Set(tags).size).toBe(6);
  for (const [i, variant] of variants.entries()) {
    for (const [j, tag] of tags.entries()) {
      const answer = await get("/about", { ...variant, "If-None-Match": tag });
      expect(answer.status).toBe(i === j ? 304 : 200);
      expect(headerLines(answer, "vary")).toEqual(["Accept, Accept-Encoding"]);
    }
  }
});

test("a date is no validator: it is neither sent nor heeded", async () => {
  const answer = await get("/about", { "If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT" });
  expect(answer.status).toBe(200);
  expect(headerLines(answer, "last-modified")).toEqual([]);
  expect((await get("/about", { "If-Unmodified-Since": "Thu, 01 Jan 1987 00:00:00 GMT" })).status).toBe(200);
});

test("the encoding is the client's choice, and a weight of 0 is a no", async () => {
  const encodingFor = async (accepted: string) =>
    headerLines(await get("/about", { "Accept-Encoding": accepted }), "content-encoding")[0];
  expect(await encodingFor("gzip, br")).toBe("br");
  expect(await encodingFor("gzip")).toBe("gzip");
  expect(await encodingFor("gzip;q=0")).toBeUndefined();
  expect(await encodingFor("br;q=0, gzip")).toBe("gzip");
  expect(await encodingFor("identity")).toBeUndefined();
});

test("a range of either face is a part of that face", async () => {
  const answer = await get("/about", { ...MARKDOWN, Range: "bytes=0-6" });
  expect(answer.status).toBe(206);
  expect(answer.body).toBe("# About");
  expect(headerLines(answer, "vary")).toEqual(["Accept, Accept-Encoding"]);
  const stale = await get("/about", { ...MARKDOWN, Range: "bytes=0-6", "If-Range": '"other"' });
  expect(stale.status).toBe(200);
});

test("a range beyond the end is refused, with every header once", async () => {
  for (const path of ["/about", "/about.md", "/llms.txt", "/_astro/page.a1b2.css"]) {
    const answer = await get(path, { Range: "bytes=999999-" });
    expect(answer.status).toBe(416);
    expect(headerLines(answer, "content-range")).toHaveLength(1);
    expect(headerLines(answer, "vary")).toHaveLength(1);
    const names = answer.headers.map(([name]) => name);
    expect(names).toEqual([...new Set(names)]);
  }
});

test("the Markdown face names its own URL, and the twin there names the page", async () => {
  expect(headerLines(await get("/about", MARKDOWN), "content-location")).toEqual(["/about.md"]);
  expect(headerLines(await get("/", MARKDOWN), "content-location")).toEqual(["/index.md"]);
  expect(headerLines(await get("/index.php/about", MARKDOWN), "content-location")).toEqual(["/about.md"]);
  expect(headerLines(await get("/about"), "content-location")).toEqual([]);

  const twin = await get("/about.md", { Accept: "text/html" });
  expect(headerLines(twin, "content-type")).toEqual(["text/markdown; charset=utf-8"]);
  expect(headerLines(twin, "link")).toEqual(['<https://shop.example/about>; rel="canonical"']);
  expect(headerLines(twin, "x-robots-tag")).toEqual(["noindex"]);
  expect(headerLines(twin, "vary")).toEqual(["Accept-Encoding"]);
  expect(headerLines(await get("/index.md"), "link")).toEqual(['<https://shop.example/>; rel="canonical"']);
  expect(headerLines(await get("/products/404.md"), "link")).toEqual([
    '<https://shop.example/products/404>; rel="canonical"',
  ]);
});

test.each([
  "/nowhere",
  "/404",
  "/index",
  "/products",
  "/.secret",
  "/.redirects.map",
  "/about/more",
  "/%0d%0aX: y/",
  "/\\evil.example/",
  "/_error/api",
  "/index.php/_error/api",
  "/index.php//_error/site",
])("%s is not found, in the face that was asked for", async (path) => {
  const html = await get(encodeURI(path).replaceAll("%25", "%"));
  expect([html.status, html.body.includes("nothing here")]).toEqual([404, true]);
  const markdown = await get(encodeURI(path).replaceAll("%25", "%"), MARKDOWN);
  expect([markdown.status, markdown.body.includes("# Nothing here")]).toEqual([404, true]);
  expect(headerLines(markdown, "content-type")).toEqual(["text/markdown; charset=utf-8"]);
  expect(headerLines(markdown, "cache-control")).toEqual(["public, max-age=0, must-revalidate"]);
});

test.each(["/nowhere.md", "/404.md"])("%s is not found in Markdown whatever the Accept", async (path) => {
  const answer = await get(path, { Accept: "text/html" });
  expect(answer.status).toBe(404);
  expect(answer.body).toContain("# Nothing here");
  expect(headerLines(answer, "link")).toEqual([]);
});

test.each([
  ["/about/", "/about"],
  ["/about/?a=1&b=%20", "/about?a=1&b=%20"],
  ["/about.html", "/about"],
  ["/index.html", "/"],
  ["/index.html/", "/"],
  ["/products/old?x=1", "/products/404?x=1"],
  ["/index.php/about/", "/about"],
  ["/products/old", "/products/404"],
  ["/products/old.md", "/products/404.md"],
  ["//evil.example/", "/evil.example"],
])("%s moved to %s", async (from, to) => {
  const answer = await get(from);
  expect(answer.status).toBe(301);
  expect(headerLines(answer, "location")).toEqual([to]);
});

test("caches keep hashed files for a year, other resources for an hour, and ask again for pages", async () => {
  const cacheControl = async (path: string) => headerLines(await get(path), "cache-control");
  expect(await cacheControl("/_astro/page.a1b2.css")).toEqual(["public, max-age=31536000, immutable"]);
  expect(await cacheControl("/_astro/gone.css")).toEqual(["public, max-age=0, must-revalidate"]);
  expect(await cacheControl("/llms.txt")).toEqual(["public, max-age=3600"]);
  expect(await cacheControl("/about")).toEqual(["public, max-age=0, must-revalidate"]);
  expect(headerLines(await get("/llms.txt"), "vary")).toEqual(["Accept-Encoding"]);
  expect(headerLines(await get("/products.json"), "access-control-allow-origin")).toEqual(["*"]);
});

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

test("only the search's worker may compile WebAssembly, and the index's parts can be had", async () => {
  const policy = async (path: string) => headerLines(await get(path), "content-security-policy")[0] ?? "none";
  expect(await policy("/pagefind/pagefind-worker.js")).toBe(
    "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'",
  );
  for (const path of ["/", "/about", "/_astro/picture.svg"]) expect(await policy(path)).not.toContain("wasm");
  for (const path of ["/pagefind/pagefind-worker.js", "/pagefind/fragment/en_1.pf_fragment"]) {
    const part = await get(path);
    expect([part.status, headerLines(part, "cache-control")]).toEqual([200, ["public, max-age=3600"]]);
  }
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

const long = "x".repeat(40_000);
test.each([
  ["the API is down", "GET /api/orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 503, "unavailable"],
  [
    "the API is down, behind the prefix",
    "GET /index.php/api/orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    503,
    "unavailable",
  ],
  [
    "the body is too large",
    "POST /api/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\nConnection: close\r\n\r\n",
    413,
    "payload-too-large",
  ],
  ["the address is too long", `GET /api/${long} HTTP/1.1\r\nHost: x\r\n\r\n`, 414, "uri-too-long"],
  ["a header is too large", `GET /api/orders HTTP/1.1\r\nHost: x\r\nX: ${long}\r\n\r\n`, 400, "bad-request"],
  ["an escape is broken", "GET /api/%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request"],
  [
    "the path is oddly spelled",
    "GET //api/./orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    503,
    "unavailable",
  ],
  ["the version is none", "GET /api/orders HTTP/3.0\r\nHost: x\r\n\r\n", 400, "bad-request"],
  ["Host is missing in HTTP/1.0, as it may", "GET /api/orders HTTP/1.0\r\n\r\n", 503, "unavailable"],
  ["Host is missing", "GET /api/orders HTTP/1.1\r\n\r\n", 400, "bad-request"],
])("under /api/, when %s, the answer is problem+json", async (_what, message, status, slug) => {
  const answer = await rawRequest(nginx.port, message);
  expect(answer.status).toBe(status);
  expect(headerLines(answer, "content-type")).toEqual(["application/problem+json"]);
  const problem = JSON.parse(answer.body);
  expect(problem).toMatchObject({ type: `https://shop.example/developers#${slug}`, status });
  expect(headerLines(answer, "x-request-id")).toEqual([problem.instance]);
  expect(headerLines(answer, "cache-control")).toEqual(["no-store"]);
  expect(headerLines(answer, "retry-after")).toEqual(status === 503 ? ["5"] : []);
});
