import { afterAll, beforeAll, expect, test } from "vitest";
import { headerLines } from "./raw-request.ts";
import { LONG, runNginx, type TestNginx } from "./run-nginx.ts";

let nginx: TestNginx;

beforeAll(async () => {
  nginx = await runNginx({
    "about.html": `<html>about ${LONG}`,
    "about.md": `# About ${LONG}`,
    "_astro/page.a1b2.css": "body{}",
  });
});
afterAll(() => nginx.stop());

test("caches keep hashed files for a year and revalidate pages", async () => {
  const cacheControl = async (path: string) => headerLines(await nginx.get(path), "cache-control");
  expect(await cacheControl("/_astro/page.a1b2.css")).toEqual(["public, max-age=31536000, immutable"]);
  expect(await cacheControl("/_astro/gone.css")).toEqual(["public, max-age=0, must-revalidate"]);
  expect(await cacheControl("/about")).toEqual(["public, max-age=0, must-revalidate"]);
});
