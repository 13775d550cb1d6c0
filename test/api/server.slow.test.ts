import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { writeJson } from "../../api/platform/database/columns.ts";
import { runCommand } from "../../api/run-command.ts";
import { findFreePort } from "../../nginx/local/ports.ts";
import { privateDatabaseAddress } from "../../nginx/local/private-database.ts";
import { bareEnvironment } from "../bare-environment.ts";
import { createDatabase, startDatabase } from "../database.ts";
import { makeDatabaseFolder, stopDatabase } from "../global-setup.ts";
import { openMigratedDatabase, token } from "./api.ts";
import { shopFacts } from "./selling/quote/shop.ts";
import { run, until } from "./server-process.ts";

const settings = async (databaseUrl: string) => ({
  API_PORT: String(await findFreePort()),
  BASE_URL: "https://shop.example",
  DATABASE_URL: databaseUrl,
  ERP_PULL_API_TOKEN: token,
});

const ask = (env: { API_PORT: string }, path: string) =>
  fetch(`http://127.0.0.1:${env.API_PORT}${path}`, { headers: { "x-ecom-api-token": token } });

test("all invalid settings are reported in one message, and the process exits with 1", async () => {
  const { output, ended } = run("server.ts", { API_PORT: "x", ERP_PULL_API_TOKEN: "secret" });
  expect(await ended).toBe(1);
  expect(output.stdout).toBe("");
  expect(output.stderr.trim().split("\n")).toHaveLength(5);
  expect(output.stderr).not.toContain("secret");
});

test("a port in use is reported in one line, and the process exits with 1", async () => {
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

test("a server whose log goes to a full disk answers all the same, and stops when it's told to", async () => {
  const env = await settings("mysql://nobody@127.0.0.1:1/nothing");
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, ["api/server.ts"], {
    cwd: join(import.meta.dirname, "../.."),
    env: { ...bareEnvironment(), ...env },
    stdio: ["ignore", full, full],
  });
  closeSync(full);
  onTestFinished(() => void child.kill("SIGKILL"));
  const statuses = await until(
    () => Promise.all(["/api/orders", "/api/health/live"].map(async (path) => (await ask(env, path)).status)),
    () => true,
  );
  expect(statuses).toEqual([503, 200]);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("with Stripe's keys, a shop in a currency that Stripe can't take is refused at the start", async () => {
  const { db, url } = await openMigratedDatabase();
  const facts = writeJson<unknown>(shopFacts({ currency: "KWD" }));
  await db.insertInto("shop_facts").values({ id: 1, facts, imported_at: new Date() }).execute();
  const stripe = { STRIPE_SECRET_KEY: "sk_test_0123456789", STRIPE_WEBHOOK_SECRET: "whsec_0123456789" };
  const { output, ended } = run("server.ts", { ...(await settings(url)), ...stripe });
  expect(await ended).toBe(1);
  expect(output.stderr).toContain("Stripe can't take every amount in KWD");
  expect(output.stderr).not.toContain("0123456789");
});

test("before the migrations have run, the server says so and answers 503; afterwards it serves without a restart", async () => {
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
    (text) => text.includes("run `npm run migrate`"),
  );
  const migration = run("commands/migrate.ts", { DATABASE_URL: url });
  expect(await migration.ended).toBe(0);
  expect(migration.output.stdout).toMatch(
    /^(Applied 2026-\S+\.\n)+\d+ migrations applied; the database is up to date\.\n$/,
  );
  expect((await ask(env, "/api/orders")).status).toBe(200);
  await until(
    async () => output.stdout,
    (text) => text.includes("The database responds."),
  );
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  const again = run("commands/migrate.ts", { DATABASE_URL: url });
  expect(await again.ended).toBe(0);
  expect(again.output.stdout).toBe("The database is up to date.\n");
});

test("each request is logged in one line, without its token, id or query string", async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const env = await settings(url);
  const { output } = run("server.ts", env);
  await until(
    () => ask(env, "/api/erp/status"),
    ({ ok }) => ok,
  );
  await ask(env, "/api/orders/471147114711?secret=sesame");
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
  for (const private_ of ["sesame", "471147114711", token]) expect(text).not.toContain(private_);
});

test("scripts report errors without a stack trace and exit with 1", async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const cases = [
    run("commands/migrate.ts", {}),
    run("commands/migrate.ts", { DATABASE_URL: "mysql://root@localhost/x?socketPath=%2Fnowhere%2Fdb.sock" }),
    run("commands/import.ts", { DATABASE_URL: url }, "/nowhere/products.json"),
    run("commands/demo-orders.ts", { DATABASE_URL: url }),
  ];
  for (const { ended, output } of cases) {
    expect(await ended).toBe(1);
    expect(output.stderr).toMatch(/\S/);
    expect(output.stderr).not.toMatch(/ {4}at /);
  }
});

test("demo orders are added to the private database on the given socket, not to DATABASE_URL", async () => {
  const folder = makeDatabaseFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const database = await startDatabase(folder);
  onTestFinished(() => stopDatabase(database));
  const { socketPath, url: DATABASE_URL } = privateDatabaseAddress(folder);
  expect(await run("commands/migrate.ts", { DATABASE_URL }).ended).toBe(0);
  const otherDatabase = { DATABASE_URL: "mysql://root@203.0.113.9/elsewhere" };
  const { output, ended } = run("commands/demo-orders.ts", otherDatabase, socketPath);
  expect(await ended).toBe(0);
  expect(output.stdout).toBe("Added 180 demo orders.\n");
});

test("commands report in one line that DATABASE_URL doesn't respond, denies access or needs migrations", async () => {
  const catalogue = join(mkdtempSync(join(tmpdir(), "twinfront-test-")), "products.json");
  onTestFinished(() => rmSync(dirname(catalogue), { recursive: true }));
  writeFileSync(catalogue, '{"products":[]}');
  mkdirSync(join(dirname(catalogue), ".session"));
  writeFileSync(join(dirname(catalogue), ".session", "store.json"), JSON.stringify(shopFacts()));
  const unreachable = { DATABASE_URL: "mysql://a:sesame@127.0.0.1:1/b" };
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const missing = new URL(url);
  missing.pathname = "/there_is_none";
  const cases = [
    [run("commands/migrate.ts", unreachable), "The database in DATABASE_URL doesn't respond (ECONNREFUSED)."],
    [run("commands/import.ts", unreachable, catalogue), "The database in DATABASE_URL doesn't respond (ECONNREFUSED)."],
    [
      run("commands/migrate.ts", { DATABASE_URL: missing.href }),
      "The server in DATABASE_URL denied access: check user, password and database name (ER_BAD_DB_ERROR).",
    ],
    [
      run("commands/import.ts", { DATABASE_URL: url }, catalogue),
      "The database's tables are missing or out of date: run `npm run migrate`.",
    ],
  ] as const;
  for (const [{ ended, output }, message] of cases)
    expect([await ended, output.stdout, output.stderr.trim()]).toEqual([1, "", message]);
});

test("a command prints a bug with its stack trace, and an expected error without", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => {
    printed.mockRestore();
    process.exitCode = 0;
  });
  const fail = (error: unknown) =>
    runCommand(async () => {
      throw error;
    });
  await fail(new TypeError("x is undefined"));
  expect(printed.mock.lastCall?.[0]).toMatch(/x is undefined\n\s+at .*server\.slow\.test\.ts/);
  await fail(new Error("The migration 1 failed", { cause: new ReferenceError("y") }));
  expect(printed.mock.lastCall?.[0]).toMatch(/^The migration 1 failed\nReferenceError: y\n\s+at /);
  await fail(new RangeError("The catalogue is empty."));
  expect(printed.mock.lastCall?.[0]).toBe("The catalogue is empty.");
});
