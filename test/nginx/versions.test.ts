import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { movedFiles } from "../../site/finish/moved-pages.ts";
import { checkedIn, startTees, teePage } from "../api/people/product/tees.ts";
import { headerLines, type RawAnswer } from "./raw-request.ts";
import { LONG, runNginx } from "./run-nginx.ts";

const files = {
  "products/tee.html": `${teePage}${LONG}`,
  "products/tee.md": `# Tee\n${LONG}`,
  "about.html": "<html>about",
  "404.html": "<html>nothing here",
  "404.md": "# Nothing here",
  ...Object.fromEntries(movedFiles("/products/shirt /products/tee\n", "", () => true)),
};

/** nginx before the real API, and whose build has the same page. */
async function runShop(overrides: Parameters<typeof startTees>[0] = {}) {
  const { app } = await startTees(overrides);
  const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const nginx = await runNginx(files, Number(port));
  onTestFinished(() => nginx.stop());
  return nginx;
}

const namesOf = ({ headers }: RawAnswer) => headers.map(([name]) => name).sort();
const only = (answer: RawAnswer, name: string) => headerLines(answer, name).join(" | ");
const html = { Accept: "text/html" };

test("a version's page has the headers of its product's page, but is asked for each time", async () => {
  const nginx = await runShop();
  const [page, version] = [await nginx.get("/products/tee", html), await nginx.get("/products/tee?sku=WHITE-M", html)];
  expect([page.status, version.status]).toEqual([200, 200]);
  expect([checkedIn(page.body), checkedIn(version.body)]).toEqual([["o1 Red"], ["o1 White", "o2 M"]]);
  const own = ["accept-ranges", "content-length", "etag"];
  const ofPage = namesOf(page).filter((name) => !own.includes(name));
  expect(namesOf(version).filter((name) => !["content-length", "transfer-encoding"].includes(name))).toEqual(ofPage);
  for (const name of ofPage.filter((each) => !["date", "cache-control", "content-type"].includes(each)))
    expect([name, headerLines(version, name)]).toEqual([name, headerLines(page, name)]);
  expect(only(version, "cache-control")).toBe("no-cache");
  expect(only(version, "content-type")).toBe("text/html; charset=utf-8");
  expect(only(version, "link")).toContain('<https://shop.example/products/tee>; rel="canonical"');
  const head = await nginx.send("HEAD /products/tee?sku=WHITE-M", html);
  expect([head.status, head.body]).toEqual([200, ""]);
  const compressed = await fetch(`${nginx.url}/products/tee?sku=WHITE-M`, { headers: { "Accept-Encoding": "gzip" } });
  expect(compressed.headers.get("content-encoding")).toBe("gzip");
});

test("options lead to a version's address, and no other query, method or face to the API", async () => {
  const nginx = await runShop();
  const led = await nginx.get("/products/tee?o1=White&o2=M&quantity=2", html);
  expect([led.status, only(led, "location")]).toEqual([303, "/products/tee?sku=WHITE-M"]);
  for (const path of [
    "/products/tee?o1=White&o2=S",
    "/index.php/products/tee?sku=NONE",
    "//products/t%65e?sku=a&sku=b",
  ]) {
    const { status, body } = await nginx.get(path, html);
    expect([path, status, body.includes('<p class="notice"')]).toEqual([path, 200, true]);
  }
  const statics: [path: string, headers: Record<string, string>, text: string][] = [
    ["/products/tee?utm_source=x&o2=M", html, teePage],
    ["/products/tee?sku=", html, teePage],
    ["/products/tee?sku=WHITE-M", { Accept: "text/markdown" }, "# Tee"],
    ["/products/tee?o1=White", { Accept: "text/markdown" }, "# Tee"],
    ["/products/tee.md?sku=WHITE-M", html, "# Tee"],
    ["/about?sku=WHITE-M", html, "<html>about"],
  ];
  for (const [path, headers, text] of statics) {
    const answer = await nginx.get(path, headers);
    expect([path, answer.status, headerLines(answer, "etag").length]).toEqual([path, 200, 1]);
    expect(answer.body).toContain(text);
  }
  for (const query of ["", "?sku=WHITE-M"]) {
    const posted = await nginx.send(`POST /products/tee${query}`, { "Content-Length": "0" });
    expect([query, posted.status, only(posted, "allow")]).toEqual([query, 405, "GET, HEAD"]);
  }
  expect((await nginx.get("/_version/products/tee?sku=WHITE-M", html)).status).toBe(404);
});

test("a product that isn't there is 404 in the face that was asked for, and one that has moved leads on", async () => {
  const nginx = await runShop();
  for (const [Accept, text] of [
    ["text/html", "<html>nothing here"],
    ["text/markdown", "# Nothing here"],
  ] as const) {
    const answer = await nginx.get("/products/none?sku=RED-S", { Accept });
    expect([answer.status, answer.body]).toEqual([404, text]);
  }
  const moved = await nginx.get("/products/shirt?sku=RED-S", html);
  expect([moved.status, only(moved, "location")]).toEqual([301, "/products/tee?sku=RED-S"]);
});

test("while the API is away, broken or asked too often, a version's address is its product's page", async () => {
  const broken = createServer((_request, response) => response.writeHead(500).end("broken"));
  await once(broken.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void broken.close());
  const address = broken.address();
  const away = await runNginx(files);
  const before = await runNginx(files, typeof address === "object" ? address?.port : undefined);
  onTestFinished(() => Promise.all([away.stop(), before.stop()]).then(() => undefined));
  const limited = await runShop({ rateLimitPerMinute: 1 });
  for (let asked = 0; asked < 5; asked += 1) await limited.get("/products/tee?sku=RED-S", html);
  for (const nginx of [away, before, limited]) {
    const answer = await nginx.get("/products/tee?sku=WHITE-M", html);
    expect([answer.status, only(answer, "cache-control"), only(answer, "etag")]).toEqual([200, "no-cache", ""]);
    expect(checkedIn(answer.body)).toEqual(["o1 Red"]);
    expect(only(answer, "vary")).toBe("Accept, Accept-Encoding");
    expect(only(answer, "content-security-policy")).toContain("default-src 'none'");
    expect((await nginx.get("/products/none?sku=RED-S", html)).status).toBe(404);
  }
});

test("hostile queries get an answer, and none of them is in a log", async () => {
  const nginx = await runShop();
  const queries = [
    "sku=%",
    "sku=%00",
    "sku=é",
    `sku=${"x".repeat(7_000)}`,
    "o1=%C3",
    "sku[]=a&o1[]=b&o1=White",
    "o1=a&o1=b",
  ];
  for (const query of queries) {
    const { status } = await nginx.get(Buffer.from(`/products/tee?${query}`).toString("latin1"), html);
    expect([query, status]).toEqual([query, 200]);
  }
  expect((await nginx.get(`/products/tee?sku=${"x".repeat(9_000)}`, html)).status).toBe(414);
  await expect.poll(() => nginx.requests().length).toBeGreaterThan(queries.length);
  expect(nginx.errors() + JSON.stringify(nginx.requests())).not.toMatch(/sku|o1=|xxxx/);
});
