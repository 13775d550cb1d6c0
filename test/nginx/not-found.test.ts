import { afterAll, beforeAll, expect, test } from "vitest";
import { movedFiles } from "../../site/finish/moved-pages.ts";
import { headerLines } from "./raw-request.ts";
import { LONG, runNginx, type TestNginx } from "./run-nginx.ts";

const MARKDOWN = { Accept: "text/markdown" };
let nginx: TestNginx;

beforeAll(async () => {
  nginx = await runNginx({
    "404.html": `<html>nothing here ${LONG}`,
    "404.md": `# Nothing here ${LONG}`,
    "about.html": `<html>about ${LONG}`,
    "about.md": `# About ${LONG}`,
    ".secret": "hidden",
    ...Object.fromEntries(movedFiles("/products/old /about\n", "", () => true)),
  });
});
afterAll(() => nginx.stop());

test.each([
  "/nowhere",
  "/404",
  "/410",
  "/index",
  "/products",
  "/.secret",
  "/.moved/rows",
  "/about/more",
  "/%0d%0aX: y/",
  "/\\evil.example/",
  "/_error/api",
  "/index.php/_error/api",
  "/index.php//_error/site",
])("%s gets 404 in the requested face", async (path) => {
  const html = await nginx.get(encodeURI(path).replaceAll("%25", "%"));
  expect([html.status, html.body.includes("nothing here")]).toEqual([404, true]);
  const markdown = await nginx.get(encodeURI(path).replaceAll("%25", "%"), MARKDOWN);
  expect([markdown.status, markdown.body.includes("# Nothing here")]).toEqual([404, true]);
  expect(headerLines(markdown, "content-type")).toEqual(["text/markdown; charset=utf-8"]);
  expect(headerLines(markdown, "cache-control")).toEqual(["public, max-age=0, must-revalidate"]);
});

test.each(["/nowhere.md", "/404.md", "/410.md"])("%s gets 404 in Markdown for any Accept header", async (path) => {
  const answer = await nginx.get(path, { Accept: "text/html" });
  expect(answer.status).toBe(404);
  expect(answer.body).toContain("# Nothing here");
  expect(headerLines(answer, "link")).toEqual([]);
});
