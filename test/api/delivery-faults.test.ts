import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Db, openDatabase } from "../../api/database.ts";
import { readDatabaseAddress } from "../../api/env.ts";
import { migrate } from "../../api/migrations.ts";
import { privateDatabaseAddress, startPrivateDatabase } from "../../nginx/local/private-database.ts";
import { createDatabase } from "../database.ts";
import { makeDatabaseFolder, stopDatabase } from "../global-setup.ts";
import { token } from "./api.ts";
import { passTime, queueOrders } from "./deliveries.ts";
import { type Behaviour, secret, startErp } from "./erp-server.ts";
import { freePort, run, until } from "./server-process.ts";

vi.setConfig({ testTimeout: 60_000 }); // real processes, on machines that have other work

/** A migrated database, an ERP, and the settings of processes that deliver from one to the other. */
async function prepare(behaviour?: Behaviour, databaseUrl?: string) {
  const created = databaseUrl === undefined ? await createDatabase() : { url: databaseUrl, drop: async () => {} };
  const erp = await startErp(behaviour);
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: created.url }));
  onTestFinished(async () => {
    await db.destroy();
    await created.drop();
  });
  await migrate(db);
  const env = {
    API_PORT: String(await freePort()),
    BASE_URL: "https://shop.example",
    DATABASE_URL: created.url,
    ERP_PULL_API_TOKEN: token,
    ERP_WEBHOOK_URL: erp.url,
    ERP_WEBHOOK_SECRET: secret,
    ERP_WEBHOOK_ALLOW: "127.0.0.0/8",
    ERP_WEBHOOK_ALLOW_HTTP: "true",
  };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${env.API_PORT}${path}`, { ...init, headers: { "x-ecom-api-token": token } });
  const untilServing = () =>
    until(
      () => ask("/api/orders"),
      ({ ok }) => ok,
    );
  return { erp, db, env, ask, untilServing };
}

const untilDelivered = (db: Db, count: number) =>
  until(
    () => db.selectFrom("deliveries").select("id").where("state", "=", "delivered").execute(),
    ({ length }) => length === count,
  );

const idsOf = ({ received }: Awaited<ReturnType<typeof startErp>>) =>
  received.map(({ headers }) => headers["webhook-id"]).sort();

test("the API is killed between the ERP's 2xx and writing it down: one duplicate, the same id, delivered", async () => {
  const { erp, db, env, ask, untilServing } = await prepare();
  await queueOrders(db, 1, "unpushed");
  const server = run("server.ts", env);
  await untilServing();
  erp.behaviour = (response) => {
    server.child.kill("SIGKILL");
    response.end("taken");
  };
  await expect(ask("/api/erp/orders/1/push", { method: "POST" })).rejects.toThrow();
  await server.ended;
  erp.behaviour = (response) => void response.end("taken again");
  run("server.ts", env);
  await untilServing();
  const read = async () => (await ask("/api/erp/orders/1/deliveries")).json();
  expect(await read()).toMatchObject({ deliveries: [{ state: "pending", attempts: [{ outcome: "in_flight" }] }] });
  await passTime(db);
  await untilDelivered(db, 1);
  expect(idsOf(erp)).toEqual(["msg_order_1_1", "msg_order_1_1"]);
  expect(await read()).toMatchObject({
    deliveries: [{ state: "delivered", attempts: [{ outcome: "lost" }, { outcome: "delivered" }] }],
  });
});

test("two processes share a queue of 1,000 orders: each is delivered once", async () => {
  const { erp, db, env } = await prepare();
  await queueOrders(db, 1_000);
  const workers = [run("worker.ts", env), run("worker.ts", env)];
  await untilDelivered(db, 1_000);
  expect(idsOf(erp)).toHaveLength(1_000);
  expect(new Set(idsOf(erp)).size).toBe(1_000);
  for (const { child, ended, output } of workers) {
    expect(output.stdout).toContain('"msg":"attempted"'); // both had a share
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  }
});

test("the database is killed while deliveries are claimed: nothing is lost, and the worker goes on by itself", async () => {
  const folder = makeDatabaseFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const first = await startPrivateDatabase(folder);
  onTestFinished(() => stopDatabase(first));
  const { erp, db, env } = await prepare(
    (response) => sleep(20).then(() => void response.end()),
    privateDatabaseAddress(folder).url,
  );
  await queueOrders(db, 300);
  const worker = run("worker.ts", env);
  await vi.waitFor(() => expect(erp.received.length).toBeGreaterThan(50), { timeout: 10_000, interval: 5 });
  first.child.kill("SIGKILL");
  await vi.waitFor(() => expect(worker.output.stdout).toContain("Deliveries wait"), 10_000);
  const second = await startPrivateDatabase(folder);
  onTestFinished(() => stopDatabase(second));
  await until(
    () => passTime(db).then(() => true),
    () => true,
  );
  await untilDelivered(db, 300);
  expect(new Set(idsOf(erp)).size).toBe(300);
  expect(idsOf(erp).length).toBeLessThanOrEqual(300 + 2 * 16); // at most what was in flight came twice
  expect(worker.output.stdout.match(/Deliveries wait/g)).toHaveLength(1);
  expect(worker.output.stdout).not.toContain('"level":50');
});

test("SIGTERM in the middle of an attempt: it ends, its result is written and answered, and the process is gone", async () => {
  const { erp, db, env, ask, untilServing } = await prepare();
  await queueOrders(db, 1, "unpushed");
  const server = run("server.ts", env);
  await untilServing();
  const { promise, resolve } = Promise.withResolvers<void>();
  erp.behaviour = (response) => promise.then(() => void response.end());
  const pushed = ask("/api/erp/orders/1/push", { method: "POST" });
  await vi.waitFor(() => expect(erp.received).toHaveLength(1), 5_000);
  server.child.kill("SIGTERM");
  await sleep(300);
  expect(server.child.exitCode).toBe(null);
  resolve();
  expect((await pushed).status).toBe(200);
  expect(await server.ended).toBe(0);
  await untilDelivered(db, 1);
  expect(erp.received).toHaveLength(1);
});

test("a process that delivers ends within five seconds though its database hangs", async () => {
  const folder = makeDatabaseFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const database = await startPrivateDatabase(folder);
  onTestFinished(() => stopDatabase(database));
  const { env, untilServing } = await prepare(undefined, privateDatabaseAddress(folder).url);
  const server = run("server.ts", env);
  await untilServing();
  database.child.kill("SIGSTOP");
  onTestFinished(() => void database.child.kill("SIGCONT"));
  await sleep(1_000); // the worker asks for what is due
  const begin = Date.now();
  server.child.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  expect(Date.now() - begin).toBeLessThan(5_000);
});

test("the worker alone names everything that is wrong with its settings, and needs a webhook", async () => {
  const wrong = run("worker.ts", { DATABASE_URL: "mysql://x", ERP_WEBHOOK_URL: "http://erp.example/orders" });
  const unset = run("worker.ts", { DATABASE_URL: "mysql://root@localhost/x" });
  expect([await wrong.ended, await unset.ended]).toEqual([1, 1]);
  expect(wrong.output.stderr.trim().split("\n")).toHaveLength(4);
  expect(unset.output.stderr).toContain("ERP_WEBHOOK_URL is missing");
});
