import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeSender } from "../../../api/webhook/sender.ts";
import { certificate } from "./erp-certificate.ts";
import * as erp from "./erp-server.ts";

const message = { webhookId: "msg_order_7_2", body: Buffer.from('{"type":"order.pushed","name":"Žofie 🐎"}') };

/** One attempt at an ERP that behaves like this, with a second in all. */
async function attempt(behaviour: erp.Behaviour) {
  const far = await erp.startErp(behaviour);
  const result = await makeSender(erp.webhookTo(far.url), { totalMs: 1_000, connectMs: 500 })(message);
  return { far, result };
}

test("an attempt is one signed POST of exactly these bytes", async () => {
  const begin = Date.now();
  const { far, result } = await attempt(erp.accept);
  expect(result).toMatchObject({ outcome: "delivered", httpStatus: 200, excerpt: "ok", retryAfterMs: 0 });
  expect(far.received).toHaveLength(1);
  const [{ method, url, headers, body } = { method: "", url: "", headers: {}, body: Buffer.alloc(0) }] = far.received;
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
  ["a host that resets", erp.reset, { outcome: "connection", httpStatus: null, excerpt: null }],
  ["a host that speaks no HTTP", erp.garbage, { outcome: "connection", httpStatus: null }],
])("%s", async (_name, behaviour, wanted) => {
  expect((await attempt(behaviour)).result).toMatchObject(wanted);
});

test.each([301, 302, 303, 307, 308])("a redirect %i is a failure and is not followed", async (status) => {
  const elsewhere = await erp.startErp();
  const { result } = await attempt(erp.answer(status, { Location: elsewhere.url }));
  expect(result).toMatchObject({ outcome: "redirect", httpStatus: status });
  expect(elsewhere.connections).toBe(0);
});

test.each([
  ["hangs", erp.hang, null],
  ["drips its body", erp.drip, 200],
  ["drips its headers", erp.slowHeaders, null],
])("a host that %s is given up in time and not called delivered", async (_name, behaviour, httpStatus) => {
  const { result } = await attempt(behaviour);
  expect(result).toMatchObject({ outcome: "timeout", httpStatus });
  expect(result.durationMs).toBeGreaterThan(900);
});

test("a 200 whose body breaks off isn't a delivery", async () => {
  const { result } = await attempt((response) => {
    response.writeHead(200, { "Content-Length": "1000" }).write("half", () => response.socket?.resetAndDestroy());
  });
  expect(result).toMatchObject({ outcome: "connection", httpStatus: 200, excerpt: "half" });
});

test("of ten megabytes a little is read and 1 KiB is kept", async () => {
  const { far, result } = await attempt(erp.flood);
  expect(result).toMatchObject({ outcome: "delivered", excerpt: "x".repeat(1_024) });
  expect(Number(far.received[0]?.headers["x-sent"])).toBeLessThan(159); // of 160 pieces; some wait in the kernel
});

test("an excerpt is text of at most 1 KiB, whatever came", async () => {
  const bytes = (body: Buffer) => attempt((response) => void response.end(body));
  const binary = (await bytes(Buffer.alloc(2_000, 0xff))).result.excerpt ?? "";
  expect(binary).toBe("\ufffd".repeat(341));
  const cut = (await bytes(Buffer.from(`${"x".repeat(1_022)}🐎`))).result.excerpt;
  expect(cut).toBe("x".repeat(1_022));
});

test("proxies of the environment are not used", async () => {
  const proxy = await erp.startErp();
  for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"]) vi.stubEnv(name, proxy.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect((await attempt(erp.accept)).result.outcome).toBe("delivered");
  expect(proxy.connections).toBe(0);
});

test("a certificate that nobody vouches for, or of another name, is a failure to connect", async () => {
  const far = await erp.startErp(erp.accept, certificate);
  const attemptAt = async (host: string) => {
    const webhook = erp.webhookTo(`https://${host}:${far.port}/orders`);
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    return (await makeSender(webhook, { resolve, totalMs: 1_000 })(message)).outcome;
  };
  expect(await attemptAt("erp.example")).toBe("connection");
  const trusted = getCACertificates();
  setDefaultCACertificates([...trusted, certificate.cert]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  expect(await attemptAt("erp.example")).toBe("delivered");
  expect(await attemptAt("127.0.0.1")).toBe("connection");
  expect(await attemptAt("other.example")).toBe("connection");
  expect(far.received).toHaveLength(1);
});
