import { expect, onTestFinished, test } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { openDatabase } from "../../../../api/platform/database/pool.ts";
import { createMetrics, type QueueStates } from "../../../../api/platform/monitoring/metrics.ts";
import { findFreePort } from "../../../../nginx/local/ports.ts";
import { createDatabase } from "../../../database.ts";
import { startApi, token } from "../../api.ts";
import { run, until } from "../../server-process.ts";

/** The lines of a metric, without its buckets. */
const linesOf = (text: string, name: string) =>
  text.split("\n").filter((line) => line.startsWith(name) && !line.includes("_bucket"));

test("answers are counted by method, route template and status; unknown addresses share one label", async () => {
  const metrics = createMetrics();
  const { app, get } = await startApi({ metrics });
  const begin = performance.now();
  for (const url of ["/api/orders/1", "/api/orders/2", "/api/orders/x", "/api/orders?limit=5"]) await get(url);
  for (const url of ["/", "/wp-login.php", "/api/orders/1/lines", "/api/erp/orders/x"]) await get(url);
  await app.inject({ url: "/api/products" });
  for (const method of ["DELETE", "OPTIONS"] as const) await app.inject({ method, url: "/api/products" });
  await app.inject({ method: "HEAD", url: "/api/erp/status" });
  const text = await metrics.registry.metrics();
  expect(linesOf(text, "http_requests_total").sort()).toEqual([
    'http_requests_total{method="GET",route="/api/orders",status="200"} 1',
    'http_requests_total{method="GET",route="/api/orders/:id",status="400"} 1',
    'http_requests_total{method="GET",route="/api/orders/:id",status="404"} 2',
    'http_requests_total{method="GET",route="/api/products",status="401"} 1',
    'http_requests_total{method="GET",route="unknown",status="404"} 4',
    'http_requests_total{method="HEAD",route="/api/erp/status",status="200"} 1',
    'http_requests_total{method="other",route="unknown",status="401"} 2',
  ]);
  expect(linesOf(text, "http_request_duration_seconds_count").sort()).toHaveLength(6);
  const [sum = ""] =
    text.match(/(?<=http_request_duration_seconds_sum\{method="GET",route="\/api\/orders\/:id"\} ).*/) ?? [];
  expect(Number(sum)).toBeGreaterThan(0);
  expect(Number(sum)).toBeLessThan((performance.now() - begin) / 1_000);
});

test("wrong credentials, exceeded limits and database errors are counted", async () => {
  const metrics = createMetrics();
  const { app, get } = await startApi({ metrics, rateLimitPerMinute: 2 });
  const wrong = { "x-ecom-api-token": "wrong" };
  for (let count = 0; count < 23; count += 1) await app.inject({ url: "/api/orders", headers: wrong });
  for (let count = 0; count < 61; count += 1) await app.inject({ url: "/api/erp/status" });
  for (let count = 0; count < 5; count += 1) await get("/api/orders");
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const socketless = openDatabase(readDatabaseAddress({ DATABASE_URL: "mysql://a@127.0.0.1:1/b" }), {
    countError: metrics.countDatabaseError,
  });
  const empty = openDatabase(readDatabaseAddress({ DATABASE_URL: url }), { countError: metrics.countDatabaseError });
  for (const db of [socketless, empty]) {
    await expect(db.selectFrom("orders").select("id").execute()).rejects.toThrow();
    await db.destroy();
  }
  const text = await metrics.registry.metrics();
  expect(linesOf(text, "auth_failures_total")).toEqual(["auth_failures_total 23"]);
  expect(linesOf(text, "rate_limited_total").sort()).toEqual([
    'rate_limited_total{limit="credentials"} 2',
    'rate_limited_total{limit="status"} 1',
    'rate_limited_total{limit="token"} 3',
  ]);
  expect(linesOf(text, "database_errors_total").sort()).toEqual([
    'database_errors_total{code="ECONNREFUSED"} 1',
    'database_errors_total{code="ER_NO_SUCH_TABLE"} 1',
  ]);
});

test("attempts and the queues are shown; unknown queues are left out, not shown as 0", async () => {
  const metrics = createMetrics();
  const deliveries = { pending: 3, failed: 1, overdueSeconds: 0 };
  const mails = { pending: 2, failed: 0, overdueSeconds: 40 };
  let queues: QueueStates | null = { deliveries, mails };
  metrics.watchQueues(async () => queues);
  metrics.countAttempt("delivered", 0.2);
  metrics.countAttempt("timeout", 15);
  const text = await metrics.registry.metrics();
  expect(linesOf(text, "webhook_attempts_total")).toEqual([
    'webhook_attempts_total{outcome="delivered"} 1',
    'webhook_attempts_total{outcome="timeout"} 1',
  ]);
  expect(linesOf(text, "webhook_deliveries")).toEqual([
    'webhook_deliveries{state="pending"} 3',
    'webhook_deliveries{state="failed"} 1',
  ]);
  expect(linesOf(text, "mails")).toEqual(['mails{state="pending"} 2', 'mails{state="failed"} 0']);
  expect(linesOf(text, "queue_overdue_seconds")).toEqual([
    'queue_overdue_seconds{queue="deliveries"} 0',
    'queue_overdue_seconds{queue="mails"} 40',
  ]);
  queues = null;
  const unknown = await metrics.registry.metrics();
  for (const name of ["webhook_deliveries{", "mails{", "queue_overdue_seconds{"])
    expect(linesOf(unknown, name)).toEqual([]);
});

test("a process serves its metrics on their own port, only at /metrics", async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const env = {
    API_PORT: String(await findFreePort()),
    METRICS_PORT: String(await findFreePort()),
    BASE_URL: "https://shop.example",
    DATABASE_URL: url,
    ERP_PULL_API_TOKEN: token,
  };
  const { child, ended, output } = run("server.ts", env);
  const ask = (port: string, path: string, method = "GET") => fetch(`http://127.0.0.1:${port}${path}`, { method });
  await until(
    () => ask(env.API_PORT, "/api/erp/status"),
    ({ ok }) => ok,
  );
  const answer = await ask(env.METRICS_PORT, "/metrics");
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await answer.text();
  expect(text).toMatch(/^http_requests_total\{method="GET",route="\/api\/erp\/status",status="200"\} 1$/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
  for (const path of ["/", "/metrics/", "/api/erp/status"])
    expect((await ask(env.METRICS_PORT, path)).status).toBe(404);
  expect((await ask(env.METRICS_PORT, "/metrics", "POST")).status).toBe(405);
  expect((await ask(env.API_PORT, "/metrics")).status).toBe(404);
  const second = run("server.ts", { ...env, API_PORT: String(await findFreePort()) });
  expect(await second.ended).toBe(1); // METRICS_PORT is in use
  expect(second.output.stderr.trim().split("\n")).toEqual([expect.stringContaining(`EADDRINUSE`)]);
  const third = run("server.ts", { ...env, METRICS_PORT: String(await findFreePort()) });
  expect(await third.ended).toBe(1);
  child.kill("SIGTERM");
  expect([await ended, output.stderr]).toEqual([0, ""]);
});
