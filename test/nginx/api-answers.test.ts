import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runNginx, type TestNginx } from "./run-nginx.ts";

/** Stands where the API stands, and answers each address `/api/<status>` with that status, as a problem. */
const api = createServer(({ url = "" }, response) => {
  asked.push(url);
  const status = Number(/\d{3}/.exec(url)?.[0] ?? 200);
  const headers = { "Content-Type": "application/problem+json", "Retry-After": "42", RateLimit: '"token";r=0;t=42' };
  response.writeHead(status, headers).end(`{"status":${status},"detail":"The API's own words."}`);
});
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
  "%i from the API passes with its own body and headers",
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
])("the public cannot reach %s: the API does not hear of it", async (path) => {
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

/** The path as it is written: fetch would tidy it. */
async function askRaw(method: string, path: string) {
  const sent = request({ host: "127.0.0.1", port: nginx.port, method, path }).end();
  const [answer]: IncomingMessage[] = await once(sent, "response");
  if (!answer) throw new Error("nginx did not answer.");
  const chunks: Buffer[] = await answer.toArray();
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks).toString() };
}
