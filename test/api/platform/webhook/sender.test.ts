import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeSender } from "../../../../api/platform/webhook/sender.ts";
import { certificate } from "./erp-certificate.ts";
import * as erp from "./erp-server.ts";

const message = { webhookId: "msg_order_7_2", body: Buffer.from('{"type":"order.pushed","name":"Žofie 🐎"}') };

const patient = { totalMs: 60_000, connectMs: 30_000 };

/** Attempts one delivery to an ERP with this behaviour. */
async function attempt(behaviour: erp.Behaviour, limits = patient) {
  const target = await erp.startErp(behaviour);
  const result = await makeSender(erp.webhookTo(target.url), limits)(message);
  return { target, result };
}

test("an attempt is one signed POST of exactly these bytes", async () => {
  const begin = Date.now();
  const { target, result } = await attempt(erp.accept);
  expect(result).toMatchObject({ outcome: "delivered", httpStatus: 200, excerpt: "ok", retryAfterMs: 0 });
  expect(target.received).toHaveLength(1);
  const [{ method, url, headers, body } = { method: "", url: "", headers: {}, body: Buffer.alloc(0) }] =
    target.received;
  expect([method, url]).toEqual(["POST", "/orders"]);
  expect(body.equals(message.body)).toBe(true);
  expect(headers).toMatchObject({ "content-type": "application/json", "webhook-id": "msg_order_7_2" });
  const timestamp = Number(headers["webhook-timestamp"]);
  expect(timestamp).toBeGreaterThanOrEqual(Math.floor(begin / 1_000));
  expect(timestamp).toBeLessThanOrEqual(Date.now() / 1_000);
  expect(() => new StandardWebhook(erp.secret).verify(body.toString(), headers)).not.toThrow();
});

test.each([
  ["201", erp.answer(201), { outcome: "delivered", httpStatus: 201 }],
  ["204", erp.answer(204), { outcome: "delivered", httpStatus: 204, excerpt: "" }],
  ["400", erp.answer(400, {}, "no such customer"), { outcome: "status", httpStatus: 400, excerpt: "no such customer" }],
  ["410", erp.answer(410), { outcome: "gone", httpStatus: 410 }],
  ["429", erp.answer(429, { "Retry-After": "60" }), { outcome: "status", httpStatus: 429, retryAfterMs: 60_000 }],
  ["503", erp.answer(503, { "Retry-After": "x" }), { outcome: "status", httpStatus: 503, retryAfterMs: 0 }],
  ["a host that resets the connection", erp.reset, { outcome: "connection", httpStatus: null, excerpt: null }],
  ["a host that doesn't speak HTTP", erp.garbage, { outcome: "connection", httpStatus: null }],
])("for %s, the outcome and status are recorded", async (_name, behaviour, wanted) => {
  expect((await attempt(behaviour)).result).toMatchObject(wanted);
});

test.each([301, 302, 303, 307, 308])("a %i redirect is a failure and isn't followed", async (status) => {
  const redirectTarget = await erp.startErp();
  const { result } = await attempt(erp.answer(status, { Location: redirectTarget.url }));
  expect(result).toMatchObject({ outcome: "redirect", httpStatus: status });
  expect(redirectTarget.connections).toBe(0);
});

test.each([
  ["hangs", erp.hang, null],
  ["drips its body", erp.drip, 200],
  ["drips its headers", erp.slowHeaders, null],
])("an attempt at a host that %s times out and doesn't count as delivered", async (_name, behaviour, httpStatus) => {
  const { result } = await attempt(behaviour, { totalMs: 1_000, connectMs: 500 });
  expect(result).toMatchObject({ outcome: "timeout", httpStatus });
  expect(result.durationMs).toBeGreaterThan(900);
});

test("a 200 with an incomplete body doesn't count as delivered", async () => {
  const { result } = await attempt((response) => {
    response.writeHead(200, { "Content-Length": "1000" }).write("half", () => response.socket?.resetAndDestroy());
  });
  expect(result).toMatchObject({ outcome: "connection", httpStatus: 200, excerpt: "half" });
});

test("only the start of a 10 MB answer is read, and 1 KiB is kept", async () => {
  const { target, result } = await attempt(erp.flood);
  expect(result).toMatchObject({ outcome: "delivered", excerpt: "x".repeat(1_024) });
  expect(Number(target.received[0]?.headers["x-sent"])).toBeLessThan(159); // of 160 pieces; the kernel buffers some
});

test("an excerpt is valid text of at most 1 KiB, even for binary answers and split characters", async () => {
  const bytes = (body: Buffer) => attempt((response) => void response.end(body));
  const binary = (await bytes(Buffer.alloc(2_000, 0xff))).result.excerpt ?? "";
  expect(binary).toBe("\ufffd".repeat(341));
  const cut = (await bytes(Buffer.from(`${"x".repeat(1_022)}🐎`))).result.excerpt;
  expect(cut).toBe("x".repeat(1_022));
});

test("proxies in the environment are ignored", async () => {
  const proxy = await erp.startErp();
  for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"]) vi.stubEnv(name, proxy.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect((await attempt(erp.accept)).result.outcome).toBe("delivered");
  expect(proxy.connections).toBe(0);
});

test("an untrusted certificate, or one for another host name, is a connection failure", async () => {
  const target = await erp.startErp(erp.accept, certificate);
  const attemptAt = async (host: string) => {
    const webhook = erp.webhookTo(`https://${host}:${target.port}/orders`);
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    return (await makeSender(webhook, { resolve, ...patient })(message)).outcome;
  };
  expect(await attemptAt("erp.example")).toBe("connection");
  const trusted = getCACertificates();
  setDefaultCACertificates([...trusted, certificate.cert]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  expect(await attemptAt("erp.example")).toBe("delivered");
  expect(await attemptAt("127.0.0.1")).toBe("connection");
  expect(await attemptAt("other.example")).toBe("connection");
  expect(target.received).toHaveLength(1);
});
