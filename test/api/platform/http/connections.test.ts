import { connect } from "node:net";
import { Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { buildApp } from "../../../../api/app.ts";
import { makeLoggerOptions, secretsOf } from "../../../../api/platform/monitoring/log.ts";
import { openTestDatabase, token } from "../../api.ts";

/** Starts an app on a port. `send` sends bytes and resolves with the answer; `log` holds the log's lines. */
async function listen() {
  const log: string[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      log.push(String(line));
      done();
    },
  });
  const logger = { ...makeLoggerOptions(secretsOf({ pullTokens: [token] })), stream };
  const db = await openTestDatabase();
  const app = buildApp({ db, baseUrl: "https://shop.example", pullTokens: [token], rateLimitPerMinute: 0, logger });
  onTestFinished(() => app.close());
  const port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
  const send = (bytes: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
      let received = "";
      socket.on("data", (data) => {
        received += data;
      });
      socket.on("end", () => resolve(received));
      socket.on("error", reject);
    });
  return { log, send };
}

const badRequest = { type: "https://shop.example/developers#bad-request", status: 400 };

test("bytes that aren't HTTP get a 400 problem", async () => {
  const { send } = await listen();
  for (const bytes of ["nonsense\r\n\r\n", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`]) {
    const [head = "", body = ""] = (await send(bytes)).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(head).toContain("Content-Type: application/problem+json");
    expect(JSON.parse(body)).toMatchObject(badRequest);
  }
});

test("a malformed request is refused and logged under its request id from nginx", async () => {
  const { log, send } = await listen();
  const id = "0123456789abcdef0123456789abcdef";
  const answer = await send(`GET / HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${id}\r\nContent-Length: x\r\n\r\n`);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toContain(`X-Request-Id: ${id}`);
  expect(JSON.parse(body).instance).toBe(id);
  expect(log.filter((line) => line.includes(id)).map((line) => JSON.parse(line))).toMatchObject([
    { reqId: id, status: 400, code: expect.stringMatching(/^HPE_/) },
  ]);
  const forged = await send('GET / HTTP/1.1\r\nX-Request-Id: "quote"-and-more\r\nContent-Length: x\r\n\r\n');
  expect(forged).toMatch(/X-Request-Id: [0-9a-f-]{36}\r\n/);
});

test("a request without Host is answered as usual", async () => {
  const { send } = await listen();
  for (const line of ["GET /api/erp/status HTTP/1.0\r\n", "GET /api/erp/status HTTP/1.1\r\nConnection: close\r\n"])
    expect(await send(`${line}\r\n`)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\{"status":"ok"/s);
});

test("an unknown Expect header gets 400, and 100-continue is supported", async () => {
  const { send } = await listen();
  const ask = (expectation: string) =>
    send(`GET /api/erp/status HTTP/1.1\r\nHost: a\r\nExpect: ${expectation}\r\nConnection: close\r\n\r\n`);
  const [head = "", body = ""] = (await ask("nonsense")).split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(JSON.parse(body)).toMatchObject(badRequest);
  expect(head.toLowerCase()).toContain(`x-request-id: ${JSON.parse(body).instance}`);
  expect(await ask("100-Continue")).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
});
