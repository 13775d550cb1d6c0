import { afterAll, beforeAll, expect, test } from "vitest";
import { headerLines, rawRequest } from "./raw-request.ts";
import { LONG, runNginx, type TestNginx } from "./run-nginx.ts";

const MARKDOWN = { Accept: "text/markdown" };
let nginx: TestNginx;

beforeAll(async () => {
  nginx = await runNginx({
    "about.html": `<html>about ${LONG}`,
    "about.md": `# About ${LONG}`,
    "llms.txt": "# Shop\n",
    "_astro/page.a1b2.css": "body{}",
  });
});
afterAll(() => nginx.stop());

test("each face and encoding has its own ETag, and answers 304 only to that one", async () => {
  const variants = ["text/html", "text/markdown"].flatMap((accept) =>
    ["identity", "gzip", "br"].map((encoding) => ({ Accept: accept, "Accept-Encoding": encoding })),
  );
  const tags = await Promise.all(
    variants.map(async (variant) => headerLines(await nginx.get("/about", variant), "etag")[0] ?? ""),
  );
  expect(new Set(tags).size).toBe(6);
  for (const [i, variant] of variants.entries()) {
    for (const [j, tag] of tags.entries()) {
      const answer = await nginx.get("/about", { ...variant, "If-None-Match": tag });
      expect(answer.status).toBe(i === j ? 304 : 200);
      expect(headerLines(answer, "vary")).toEqual(["Accept, Accept-Encoding"]);
    }
  }
});

test("dates aren't validators: none is sent, and If-Modified-Since is ignored", async () => {
  const answer = await nginx.get("/about", { "If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT" });
  expect(answer.status).toBe(200);
  expect(headerLines(answer, "last-modified")).toEqual([]);
  expect((await nginx.get("/about", { "If-Unmodified-Since": "Thu, 01 Jan 1987 00:00:00 GMT" })).status).toBe(200);
});

test("the client chooses the encoding, and a weight of 0 excludes one", async () => {
  const encodingFor = async (accepted: string) =>
    headerLines(await nginx.get("/about", { "Accept-Encoding": accepted }), "content-encoding")[0];
  expect(await encodingFor("gzip, br")).toBe("br");
  expect(await encodingFor("gzip")).toBe("gzip");
  expect(await encodingFor("gzip;q=0")).toBeUndefined();
  expect(await encodingFor("br;q=0, gzip")).toBe("gzip");
  expect(await encodingFor("identity")).toBeUndefined();
});

test("a range is part of the face that was negotiated", async () => {
  const answer = await nginx.get("/about", { ...MARKDOWN, Range: "bytes=0-6" });
  expect(answer.status).toBe(206);
  expect(answer.body).toBe("# About");
  expect(headerLines(answer, "vary")).toEqual(["Accept, Accept-Encoding"]);
  const stale = await nginx.get("/about", { ...MARKDOWN, Range: "bytes=0-6", "If-Range": '"other"' });
  expect(stale.status).toBe(200);
});

test("a range beyond the end gets 416, with every header once", async () => {
  for (const path of ["/about", "/about.md", "/llms.txt", "/_astro/page.a1b2.css"]) {
    const answer = await nginx.get(path, { Range: "bytes=999999-" });
    expect(answer.status).toBe(416);
    expect(headerLines(answer, "content-range")).toHaveLength(1);
    expect(headerLines(answer, "vary")).toHaveLength(1);
    const names = answer.headers.map(([name]) => name);
    expect(names).toEqual([...new Set(names)]);
  }
});

test("a failed precondition gets one sentence, and Connection: close", async () => {
  for (const path of ["/about", "/about.md", "/llms.txt", "/_astro/page.a1b2.css", "/index.php/about"]) {
    for (const method of ["GET", "HEAD"]) {
      const request = `${method} ${path} HTTP/1.1\r\nHost: x\r\nIf-Match: "other"\r\n\r\n`;
      const answer = await rawRequest(nginx.port, request);
      expect([path, answer.status, headerLines(answer, "connection")]).toEqual([path, 412, ["close"]]);
      expect(headerLines(answer, "content-type")).toEqual(["text/plain; charset=utf-8"]);
      const sentence = "This file doesn't meet the request's precondition, such as If-Match.\n";
      expect(answer.body).toBe(method === "HEAD" ? "" : sentence);
    }
  }
});
