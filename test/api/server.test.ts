import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { createDatabase } from "../database.ts";
import { startMariadb, stopMariadb } from "../global-setup.ts";
import { token } from "./api.ts";
import { freePort, run, until } from "./server-process.ts";

const settings = async (databaseUrl: string) => ({
  API_PORT: String(await freePort()),
  BASE_URL: "https://shop.example",
  DATABASE_URL: databaseUrl,
  ERP_PULL_API_TOKEN: token,
});

const ask = (env: { API_PORT: string }, path: string) =>
  fetch(`http://127.0.0.1:${env.API_PORT}${path}`, { headers: { "x-ecom-api-token": token } });

test("bad settings are all named in one message, and the process ends with 1", async () => {
  const { output, ended } = run("server.ts", { API_PORT: "x", ERP_PULL_API_TOKEN: "secret" });
  expect(await ended).toBe(1);
  expect(output.stdout).toBe("");
  expect(output.stderr.trim().split("\n")).toHaveLength(5);
  expect(output.stderr).not.toContain("secret");
});

test("a taken port is one clear message", async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const env = await settings(url);
  const first = run("server.ts", env);
  await until(
    () => ask(env, "/api/erp/status"),
    ({ ok }) => ok,
  );
  const second = run("server.ts", env);
  expect(await second.ended).toBe(1);
  expect(second.output.stderr).toMatch(/EADDRINUSE|in use/);
  expect(second.output.stderr.trim().split("\n")).toHaveLength(1);
  expect(first.child.exitCode).toBe(null);
});

test("without migrations it says so and answers 503, and serves as soon as they have run", async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const env = await settings(url);
  const { output, child, ended } = run("server.ts", env);
  const answer = await until(
    () => ask(env, "/api/orders"),
    () => true,
  );
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await (await ask(env, "/api/erp/status")).json()).toMatchObject({ status: "degraded" });
  await until(
    async () => output.stdout,
    (text) => text.includes("run the migrations"),
  );
  const migration = run("migrate.ts", { DATABASE_URL: url });
  expect(await migration.ended).toBe(0);
  expect(migration.output.stdout).toMatch(/^(Applied 2026-\S+\.\n)+$/);
  expect((await ask(env, "/api/orders")).status).toBe(200);
  await until(
    async () => output.stdout,
    (text) => text.includes("The database answers."),
  );
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  const again = run("migrate.ts", { DATABASE_URL: url });
  expect(await again.ended).toBe(0);
  expect(again.output.stdout).toBe("The database is up to date.\n");
});

test("it logs one line a request, with nothing of the request's own in it", async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const env = await settings(url);
  const { output } = run("server.ts", env);
  await until(
    () => ask(env, "/api/erp/status"),
    ({ ok }) => ok,
  );
  await ask(env, "/api/orders/4711?secret=sesame");
  const text = await until(
    async () => output.stdout,
    (text) => text.includes("/api/orders/:id"),
  );
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ route }) => route === "/api/orders/:id")).toMatchObject([
    { method: "GET", status: 400, reqId: expect.any(String), ms: expect.any(Number) },
  ]);
  for (const private_ of ["sesame", "4711", token]) expect(text).not.toContain(private_);
});

test("scripts say what is wrong in one line and end with 1", async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const cases = [
    run("migrate.ts", {}),
    run("migrate.ts", { DATABASE_URL: "mysql://root@localhost/x?socketPath=%2Fnowhere%2Fdb.sock" }),
    run("import-products.ts", { DATABASE_URL: url }, "/nowhere/products.json"),
    run("demo-orders.ts", { DATABASE_URL: url }),
  ];
  for (const { ended, output } of cases) {
    expect(await ended).toBe(1);
    expect(output.stderr).toMatch(/\S/);
    expect(output.stderr).not.toMatch(/ {4}at /);
  }
});

test("a database that is killed, hangs or comes back: 503, a prompt status, then 200 by itself", {
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "twinfront-outage-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  let mariadb = await startMariadb(folder);
  onTestFinished(() => stopMariadb(mariadb));
  const socket = encodeURIComponent(join(folder, "db.sock"));
  const env = await settings(`mysql://root@localhost/mysql?socketPath=${socket}`);
  expect(await run("migrate.ts", env).ended).toBe(0);
  const server = run("server.ts", env);
  await until(
    () => ask(env, "/api/orders"),
    ({ ok }) => ok,
  );

  mariadb.kill("SIGKILL");
  const down = await until(
    () => ask(env, "/api/orders"),
    ({ status }) => status === 503,
  );
  expect(down.headers.get("content-type")).toBe("application/problem+json");
  expect(await down.json()).toMatchObject({ type: "https://shop.example/developers#unavailable", status: 503 });
  await expectPromptStatus(env, "degraded");

  mariadb = await startMariadb(folder);
  await until(
    () => ask(env, "/api/orders"),
    ({ ok }) => ok,
  );
  await expectPromptStatus(env, "ok");

  mariadb.kill("SIGSTOP");
  const hung = Array.from({ length: 15 }, () => ask(env, "/api/orders"));
  for (let count = 0; count < 3; count += 1) await expectPromptStatus(env, "degraded");
  expect((await Promise.all(hung)).map(({ status }) => status)).toEqual(Array(15).fill(503));
  mariadb.kill("SIGCONT");
  await until(
    () => ask(env, "/api/orders"),
    ({ ok }) => ok,
  );
  await until(
    async () => (await ask(env, "/api/erp/status")).json(),
    (status) => JSON.stringify(status).includes('"ok"'),
  );

  mariadb.kill("SIGSTOP");
  const begin = Date.now();
  server.child.kill("SIGTERM");
  await server.ended;
  expect(Date.now() - begin).toBeLessThan(5_000);
  mariadb.kill("SIGCONT");
});

async function expectPromptStatus(env: { API_PORT: string }, status: string): Promise<void> {
  const begin = Date.now();
  const answer = await ask(env, "/api/erp/status");
  expect(Date.now() - begin).toBeLessThan(1_000);
  expect(answer.status).toBe(200);
  const queue = status === "ok" ? { pending: 0, failed: 0 } : { pending: null, failed: null };
  expect(await answer.json()).toEqual({
    status,
    pull_api: { configured: true },
    webhook: { configured: false },
    queue,
    last_success_at: null,
    version: "1.0.0",
  });
}

test("demo orders go into the private database on the given socket", async () => {
  const folder = inject("mariadbSocket");
  const { output, ended } = run("demo-orders.ts", {}, `--socket=${folder}`);
  expect(await ended).toBe(1);
  expect(output.stderr).toContain("twinfront");
});
