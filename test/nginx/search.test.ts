import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { startShopApi } from "../api/platform/private-pages/pages.ts";
import { headerLines, type RawAnswer } from "./raw-request.ts";
import { LONG, runNginx } from "./run-nginx.ts";

const files = {
  "search.html": `<html>the categories ${LONG}`,
  "search.md": `# The categories ${LONG}`,
  "404.html": "<html>nothing here",
  "404.md": "# Nothing here",
};

/** nginx before the real API. */
async function runShop() {
  const api = await startShopApi();
  const { port } = new URL(await api.app.listen({ host: "127.0.0.1", port: 0 }));
  const nginx = await runNginx(files, Number(port));
  onTestFinished(() => nginx.stop());
  return nginx;
}

const only = (answer: RawAnswer, name: string) => headerLines(answer, name).join(" | ");

test("a search is one address with two faces, and .md has Markdown whatever the Accept says", async () => {
  const nginx = await runShop();
  const asked: [path: string, accept: string, type: string][] = [
    ["/search?q=scanner", "text/html", "text/html"],
    ["/search?q=scanner", "text/markdown, text/html, */*", "text/markdown"],
    ["/index.php/search?q=scanner", "text/markdown", "text/markdown"],
    ["//%73earch?q=scanner", "text/markdown", "text/markdown"],
    ["/search.md?q=scanner", "text/html", "text/markdown"],
  ];
  for (const [path, Accept, type] of asked) {
    const answer = await nginx.get(path, { Accept });
    expect([path, answer.status, only(answer, "content-type")]).toEqual([path, 200, `${type}; charset=utf-8`]);
    expect(answer.body).toContain("Kestrel C2 cordless scanner");
    expect(only(answer, "vary")).toBe("Accept, Accept-Encoding");
    expect(only(answer, "cache-control")).toBe("public, max-age=0, must-revalidate");
    expect(only(answer, "x-robots-tag")).toBe("noindex");
    expect(only(answer, "access-control-allow-origin")).toBe("*");
    expect(only(answer, "link")).toContain('<https://shop.example/search?q=scanner>; rel="canonical"');
    for (const name of ["etag", "x-request-id", "x-content-type-options", "referrer-policy"])
      expect([name, headerLines(answer, name).length]).toEqual([name, 1]);
    for (const name of ["set-cookie", "last-modified"]) expect(headerLines(answer, name)).toEqual([]);
    expect(only(answer, "content-security-policy")).toBe(
      type === "text/html" ? only(await nginx.get("/search"), "content-security-policy") : "",
    );
  }
});

test("letters beyond ASCII may stand in the query as they are, at every address of the API's pages", async () => {
  const nginx = await runShop();
  for (const [path, encoded] of [
    ["/search?q=Café+scanner", "/search?q=Caf%C3%A9+scanner"],
    ["/search.md?q=€%20Café&page=1&in=😀", "/search.md?q=%E2%82%AC%20Caf%C3%A9&page=1&in=%F0%9F%98%80"],
    ["/index.php/search?q=für", "/search?q=f%C3%BCr"],
    ["/buy/KES-CABLE:1?country=DE&for=é", "/buy/KES-CABLE:1?country=DE&for=%C3%A9"],
    ["/cart?x=é", "/cart?x=%C3%A9"],
  ] as const) {
    const bytes = Buffer.from(path).toString("latin1");
    const [sent, expected] = [await nginx.get(bytes), await nginx.get(encoded)];
    expect([path, sent.status, sent.body]).toEqual([path, 200, expected.body]);
  }
  for (const bytes of ["\xe9", "%E9\xff", "\x80".repeat(7_000)])
    expect((await nginx.get(`/search?q=${bytes}`)).body).not.toContain("HTTP");
});

test("results are compressed, and an ETag that has been compressed is revalidated", async () => {
  const nginx = await runShop();
  const first = await fetch(`${nginx.url}/search?q=scanner`, { headers: { "Accept-Encoding": "gzip" } });
  expect(first.headers.get("content-encoding")).toBe("gzip");
  const etag = first.headers.get("etag") ?? "";
  const again = await nginx.get("/search?q=scanner", { "If-None-Match": etag });
  expect([again.status, again.body]).toEqual([304, ""]);
});

test("without words /search is the page of the build, with its own headers", async () => {
  const nginx = await runShop();
  for (const path of ["/search", "/search?q=", "/search?page=2", "/search.md"]) {
    const answer = await nginx.get(path, { Accept: "text/html" });
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.body).toMatch(/the categories/i);
    expect(only(answer, "cache-control")).toBe("public, max-age=0, must-revalidate");
  }
  expect(only(await nginx.get("/search"), "link")).toBe(
    '<https://shop.example/search>; rel="canonical", </search.md>; rel="alternate"; type="text/markdown"',
  );
});

test("while the API is away, a search gets the page of the build in its face, to be asked again", async () => {
  const nginx = await runNginx(files);
  onTestFinished(() => nginx.stop());
  for (const [path, Accept, text] of [
    ["/search?q=scanner", "text/html", "<html>the categories"],
    ["/search?q=scanner", "text/markdown", "# The categories"],
    ["/search.md?q=scanner", "text/html", "# The categories"],
  ] as const) {
    const answer = await nginx.get(path, { Accept });
    expect([answer.status, only(answer, "retry-after"), only(answer, "cache-control")]).toEqual([503, "5", "no-store"]);
    expect(answer.body).toContain(text);
    expect(only(answer, "vary")).toBe("Accept, Accept-Encoding");
    expect(headerLines(answer, "etag")).toEqual([]);
  }
});

test("other methods get 405, and the inner address is hidden", async () => {
  const nginx = await runShop();
  const posted = await nginx.send("POST /search?q=scanner", { "Content-Length": "0", "Sec-Fetch-Site": "same-origin" });
  expect([posted.status, only(posted, "allow")]).toEqual([405, "GET, HEAD"]);
  expect((await nginx.send("HEAD /search?q=scanner")).status).toBe(200);
  expect((await nginx.get("/_search?q=scanner")).status).toBe(404);
  expect((await nginx.get("/search/?q=scanner")).status).toBe(301);
});

test("the API learns the address of a search and who asks, and its words are in no log of nginx", async () => {
  const seen: unknown[] = [];
  const api = createServer(({ url, headers }, response) => {
    seen.push([url, headers["x-face"], headers["x-forwarded-for"]]);
    response.end();
  });
  await once(api.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void api.close());
  const address = api.address();
  const nginx = await runNginx(files, typeof address === "object" ? address?.port : undefined);
  onTestFinished(() => nginx.stop());
  await nginx.get("/search.md?q=sesame+%C3%BC&page=2", { "X-Face": "html", "X-Forwarded-For": "192.0.2.1" });
  expect(seen).toEqual([["/search?q=sesame+%C3%BC&page=2", "md", "127.0.0.1"]]);
  await expect.poll(() => nginx.requests().filter(({ path }) => path === "/search.md").length).toBe(1);
  expect(JSON.stringify(nginx.requests()) + nginx.errors()).not.toContain("sesame");
});
