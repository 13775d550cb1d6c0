import { createHash } from "node:crypto";
import { Writable } from "node:stream";
import { expect, test, vi } from "vitest";
import type { AppDependencies } from "../../../../api/app.ts";
import { readEnv } from "../../../../api/env.ts";
import { makeLoggerOptions, redactLine, secretsOf } from "../../../../api/platform/monitoring/log.ts";
import { startApi, token } from "../../api.ts";

const awkward = `a-token-with-"quotes"-and-\\backslashes\\`;
const key = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
const env = readEnv({
  API_PORT: "1",
  BASE_URL: "https://shop.example",
  DATABASE_URL: "mysql://a@b/c",
  ERP_PULL_API_TOKEN: `${token},${awkward}`,
  ERP_WEBHOOK_URL: "https://erp.partner.example/orders",
  ERP_WEBHOOK_SECRET: `whsec_${key}`,
});

/** Starts an app that logs as the server does; `logged` and `parsed` return its log. */
async function startLogging(overrides: Partial<AppDependencies> = {}) {
  const lines: string[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  });
  const shop = await startApi({ ...overrides, logger: { ...makeLoggerOptions(secretsOf(env)), stream } });
  return { ...shop, logged: () => lines.join(""), parsed: () => lines.map((line) => JSON.parse(line)) };
}

test("secrets and e-mail addresses are redacted anywhere in a line, which stays valid JSON", async () => {
  const { app, logged, parsed } = await startLogging();
  const email = "žofie.o'neil+erp@post.example";
  const others = ["who!is{it}=#1@post.example", "ada@почта.xn--p1ai"];
  app.log.warn(`getaddrinfo ENOTFOUND erp.partner.example for ${email}`);
  app.log.error({ err: new Error(`refused ${awkward} and ${token}`) }, "a request failed");
  app.log.info({ sent: [`v1,whsec_${key}`, { deep: { deeper: { author: email } } }] }, "x");
  app.log.info(`from:\n${others.join("\n")}`);
  for (const private_ of [
    token,
    "quotes",
    key,
    "erp.partner.example",
    "post.example",
    "žofie",
    "o'neil",
    "who!",
    "p1ai",
  ])
    expect(logged()).not.toContain(private_);
  expect(parsed().map(({ msg }) => msg)).toEqual([
    expect.stringContaining("ENOTFOUND [redacted] for"),
    "a request failed",
    "x",
    "from:\n[e-mail]\n[e-mail]",
  ]);
  expect(parsed()[1].err.stack).toMatch(/^\s+at .*log-redaction\.test\.ts/);
});

test("fields with a private name are redacted, also one level down", async () => {
  const { app, logged } = await startLogging();
  const customer = { first_name: "Zdeňka", phone: "+420 123" };
  app.log.info({ customer, headers: { a: "Zdeňka" }, order: { customer, billing_address: customer } }, "x");
  app.log.info({ url: "/api/orders?Zdeňka", request: { password: "Zdeňka", email: "Zdeňka" } }, "x");
  expect(logged()).not.toContain("Zdeňka");
});

test("a database error is logged with its code and stack, without the statement's values", async () => {
  const { app, db, logged, parsed } = await startLogging();
  app.get("/broken", async () => {
    const row = { name: "Zdeňka", last_id: 1, last_sequence: 1 };
    await db.insertInto("counters").values([row, row]).execute();
  });
  expect((await app.inject("/broken")).statusCode).toBe(500);
  expect(parsed()[0]).toMatchObject({
    msg: "a request failed",
    err: { code: "ER_DUP_ENTRY", message: "The database rejected a statement.", stack: expect.stringMatching(/ at /) },
  });
  expect(logged()).not.toContain("Zdeňka");
});

test("an answer after its handlerTimeout is logged without the URL", async () => {
  const { app, parsed, logged } = await startLogging();
  const late = Promise.withResolvers<object>();
  app.get("/late", { handlerTimeout: 20 }, () => late.promise);
  expect((await app.inject("/late?471147114711")).statusCode).toBe(503);
  late.resolve({});
  await vi.waitFor(() => expect(parsed().at(-1)?.msg).toMatch(/^An answer came too late/));
  expect(logged()).not.toContain("471147114711");
});

const redactorFor = (webhook: string, database = "mysql://a@b/c") =>
  redactLine(
    secretsOf(
      readEnv({
        API_PORT: "1",
        BASE_URL: "https://shop.example",
        DATABASE_URL: database,
        ERP_WEBHOOK_URL: webhook,
        ERP_WEBHOOK_SECRET: `whsec_${key}`,
      }),
    ),
  );

test.for([
  ["https://erp/orders", '{"route":"/api/erp/status","msg":"the ERP asked for /api/orders"}'],
  ["https://status/api/orders", '{"route":"/api/orders","status":200}'],
])("a webhook at %s doesn't hide the API's own routes and fields", ([webhook = "", line = ""]) => {
  expect(redactorFor(webhook)(line)).toBe(line);
});

test("a webhook's host is redacted where it is a host, and its path and query anywhere, together or apart", () => {
  const line = redactorFor("https://erp/hooks/T0000-B1111-secret?token=abc&key=a%20long%20enough%20one");
  for (const text of [
    "getaddrinfo ENOTFOUND erp",
    "connect ECONNREFUSED erp:443",
    "POST https://erp/hooks/T0000-B1111-secret?token=abc&key=a%20long%20enough%20one failed",
    "no T0000-B1111-secret, no token=abc&key=a%20long%20enough%20one, no a long enough one",
  ])
    expect(line(text)).not.toMatch(/erp(?!-)|T0000|token|long/);
  const short = redactorFor("https://erp.example/in?k=1");
  expect(short('"x /in?k=1 y"')).toBe('"x [redacted] y"');
  expect(short('{"path":"/in","query":"?k=1"}')).toBe('{"path":"[redacted]","query":"[redacted]"}');
  expect(redactorFor("https://erp.example/?k=1")('"GET / of ?k=1, ?k=12"')).toBe('"GET / of [redacted], ?k=12"');
});

test("a long database password is redacted anywhere, and a short one in a URL", () => {
  const long = redactorFor("https://erp.example/", "mysql://shop:p%40ss-word-long@db/shop");
  expect(long("p@ss-word-long, mysql://shop:p%40ss-word-long@db/shop")).toBe(
    "[redacted], mysql://shop:[redacted]@db/shop",
  );
  const short = redactorFor("https://erp.example/", "mysql://root:info@db/shop");
  expect(short('{"level":"info","msg":"mysql://root:info@db"}')).toBe(
    '{"level":"info","msg":"mysql://root:[redacted]@db"}',
  );
});

test("a log line identifies the partner by the start of the token's SHA-256, if the token is valid", async () => {
  const other = "another-partner-token-of-enough-letters";
  const { app, parsed, get, logged } = await startLogging({ pullTokens: [token, other] });
  await get("/api/orders");
  await app.inject({ url: "/api/orders", headers: { "x-ecom-api-token": other } });
  await app.inject({ url: "/api/orders", headers: { "x-ecom-api-token": "wrong" } });
  await app.inject("/api/erp/status");
  const name = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
  const answers = parsed().filter(({ msg }) => msg === "answered");
  expect(answers.map(({ partner }) => partner)).toEqual([name(token), name(other), undefined, undefined]);
  expect(logged()).not.toContain(other);
});
