import { afterAll, beforeAll, expect, test } from "vitest";
import { headerLines, rawRequest } from "./raw-request.ts";
import { runNginx, type TestNginx } from "./run-nginx.ts";

let nginx: TestNginx;

beforeAll(async () => {
  nginx = await runNginx({});
});
afterAll(() => nginx.stop());

const post = (path: string, kibibytes: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${kibibytes * 1_024}\r\nConnection: close\r\n\r\n`;
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
  ...["/api/stock", "/api/prices", "/index.php/api/stock"].flatMap((path): [string, string, number, string][] => [
    [`a body for ${path} is too large`, post(path, 300), 413, "payload-too-large"],
    [`a body for ${path} isn't, but the API is down`, post(path, 200) + " ".repeat(200 * 1_024), 503, "unavailable"],
  ]),
  ["the address is too long", `GET /api/${long} HTTP/1.1\r\nHost: x\r\n\r\n`, 414, "uri-too-long"],
  ["a header is too large", `GET /api/orders HTTP/1.1\r\nHost: x\r\nX: ${long}\r\n\r\n`, 400, "bad-request"],
  ["an escape is broken", "GET /api/%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request"],
  [
    "the path is oddly spelled",
    "GET //api/./orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    503,
    "unavailable",
  ],
  ["the HTTP version is unsupported", "GET /api/orders HTTP/3.0\r\nHost: x\r\n\r\n", 400, "bad-request"],
  ["Host is missing in HTTP/1.0, which allows it", "GET /api/orders HTTP/1.0\r\n\r\n", 503, "unavailable"],
  ["Host is missing", "GET /api/orders HTTP/1.1\r\n\r\n", 400, "bad-request"],
])("under /api/, if %s, the answer is problem+json", async (_what, message, status, slug) => {
  const answer = await rawRequest(nginx.port, message);
  expect(answer.status).toBe(status);
  expect(headerLines(answer, "content-type")).toEqual(["application/problem+json"]);
  const problem = JSON.parse(answer.body);
  expect(problem).toMatchObject({ type: `https://shop.example/developers#${slug}`, status });
  expect(headerLines(answer, "x-request-id")).toEqual([problem.instance]);
  expect(headerLines(answer, "cache-control")).toEqual(["no-store"]);
  expect(headerLines(answer, "retry-after")).toEqual(status === 503 ? ["5"] : []);
});
