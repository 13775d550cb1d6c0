import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runNginx, type TestNginx } from "./run-nginx.ts";

/** Stands in for the API: answers `/api/<status>` with that status and a problem. */
const api = createServer(({ url = "" }, response) => {
  asked.push(url);
  const path = url.split("?")[0];
  if (path === "/api/long-header") return void response.writeHead(200, { Link: "x".repeat(40_000) }).end("{}");
  if (/^\/api\/(orders|products|stock|erp|tools)/.test(path ?? ""))
    return void response
      .writeHead(200, { "Content-Type": "application/json; charset=utf-8", ETag: '"1-1"', Vary: "Authorization" })
      .end(orders);
  if (path === "/api/broken") return void response.destroy();
  if (path === "/from-api")
    return void response.writeHead(200, { "Content-Type": "Text/HTML; charset=utf-8" }).end("<p>");
  const status = Number(/\d{3}/.exec(url)?.[0] ?? 200);
  const headers = { "Content-Type": "application/problem+json", "Retry-After": "42", RateLimit: '"token";r=0;t=42' };
  const long = new URLSearchParams(url.split("?")[1]).get("header");
  response
    .writeHead(status, { ...headers, ...(long ? { "X-Long": long } : {}) })
    .end(`{"status":${status},"detail":"The API's own words."}`);
});
const orders = JSON.stringify({ orders: Array(50).fill({ status: "processing", currency: "EUR" }) });
const asked: string[] = [];
let nginx: TestNginx;

beforeAll(async () => {
  await once(api.listen(0, "127.0.0.1"), "listening");
  const { port } = api.address() as AddressInfo;
  nginx = await runNginx({ "404.html": "<h1>Not found</h1>", "404.md": "# Not found\n" }, port);
});
afterAll(async () => {
  await nginx.stop();
  api.close();
});
beforeEach(() => void asked.splice(0));

test.each([404, 409, 422, 429, 500, 502, 503, 504])(
  "%i from the API passes through with its own body and headers",
  async (status) => {
    const answer = await fetch(`${nginx.url}/index.php/api/${status}`, { method: "POST" });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ status, detail: "The API's own words." });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/problem+json",
      "retry-after": "42",
      ratelimit: '"token";r=0;t=42',
    });
  },
);

test.each([
  "/api/health/live",
  "/api/health/ready",
  "/api/health/",
  "/index.php/api/health/live",
  "/api//health/live",
  "/api/./health/live",
  "/api/orders/../health/live",
  "/api/%68ealth/live",
  "/index.php/api/%68ealth%2flive",
  "/api/health/live?x=1",
])("the public can't reach %s, and the API gets no request", async (path) => {
  for (const method of ["GET", "HEAD", "POST"]) {
    const { status, headers, body } = await askRaw(method, path);
    expect([status, headers["content-type"]]).toEqual([404, "application/problem+json"]);
    if (method === "HEAD") continue;
    expect(JSON.parse(body)).toEqual({
      type: "https://shop.example/developers#not-found",
      title: "Not Found",
      status: 404,
      detail: "There is nothing at this address.",
      instance: headers["x-request-id"],
    });
  }
  expect(asked).toEqual([]);
});

test("an HTML answer from the API, with a charset in its type, has a page's policies", async () => {
  const { headers } = await fetch(`http://127.0.0.1:${nginx.facesPort}/from-api`);
  expect(headers.get("content-security-policy")).toContain("script-src 'self'");
  expect(headers.get("permissions-policy")).toContain("camera=()");
});

test.each<[path: string, kib: number]>([
  ["/api/orders/1/invoices", 4_104],
  ["/index.php/api//orders/1/invoices", 4_104],
  ["/api/orders/1/payments", 64],
  ["/index.php/api/orders/1/payments", 64],
  ["/api/orders/x/invoices", 64],
  ["/api/orders/1/invoices/1", 64],
  ["/api/stock", 256],
  ["/api/prices", 256],
])("a body sent to %s reaches the API up to %i KiB", async (path, kib) => {
  const within = await fetch(nginx.url + path, { method: "POST", body: Buffer.alloc(kib * 1_024) });
  await within.text();
  expect([within.status, asked.length]).toEqual([200, 1]);
  // What is too large is refused before it's read.
  const { status, body } = await askRaw("POST", path, { "Content-Length": kib * 1_024 + 1 });
  expect([status, JSON.parse(body).title, asked.length]).toEqual([413, "Payload Too Large", 1]);
});

test("headers of 8 KB from the API pass through", async () => {
  const header = "x".repeat(8000);
  const answer = await fetch(`${nginx.url}/api/200?header=${header}`);
  expect([answer.status, answer.headers.get("x-long")]).toEqual([200, header]);
});

test("a 503 is in the access log with the API's status and without the query string", async () => {
  for (const path of ["/api/long-header?token=sesame", "/api/broken?token=sesame", "/api/503?token=sesame"])
    expect((await fetch(nginx.url + path)).status).toBe(503);
  await expect
    .poll(() => nginx.requests())
    .toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: "/api/long-header", status: 503, api_status: "502" }),
        // Twice on a kept-alive connection: nginx retries once.
        expect.objectContaining({ path: "/api/broken", status: 503, api_status: expect.stringMatching(/^502/) }),
        expect.objectContaining({ path: "/api/503", status: 503, api_status: "503" }),
      ]),
    );
  expect(JSON.stringify(nginx.requests()) + nginx.errors()).not.toContain("sesame");
});

test("what partners read is compressed for whoever takes gzip, with a weak ETag, and nothing else of the API is", async () => {
  const gzip = { "accept-encoding": "br, gzip" };
  for (const path of [
    ...["/api/orders", "/api/orders?limit=250", "/api/orders/1", "/index.php/api/products", "/api/stock"],
    ...["/api/erp/orders/1/preview", "/api/erp/orders/1/deliveries"],
  ]) {
    const compressed = await askRaw("GET", path, gzip);
    expect(compressed.headers, path).toMatchObject({ "content-encoding": "gzip", etag: 'W/"1-1"' });
    expect(compressed.headers.vary).toBe("Accept-Encoding, Authorization");
    expect(String(gunzipSync(compressed.bytes))).toBe(orders);
    const plain = await askRaw("GET", path);
    expect([plain.headers["content-encoding"], plain.headers.etag, plain.body]).toEqual([undefined, '"1-1"', orders]);
  }
  for (const path of ["/api/tools", "/api/orders/1/payments", "/api/erp/status"])
    expect((await askRaw("POST", path, gzip)).headers["content-encoding"], path).toBe(undefined);
});

/** Sends the path unchanged; fetch would normalise it. */
async function askRaw(method: string, path: string, headers: Record<string, string | number> = {}) {
  const sent = request({ host: "127.0.0.1", port: nginx.port, method, path, headers });
  if ("Content-Length" in headers) sent.flushHeaders();
  else sent.end();
  const [answer]: IncomingMessage[] = await once(sent, "response");
  if (!answer) throw new Error("nginx did not answer.");
  const chunks: Buffer[] = await answer.toArray();
  sent.destroy();
  const bytes = Buffer.concat(chunks);
  return { status: answer.statusCode, headers: answer.headers, bytes, body: bytes.toString() };
}
