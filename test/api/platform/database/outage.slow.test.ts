import { rm } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../../../nginx/local/ports.ts";
import { privateDatabaseAddress } from "../../../../nginx/local/private-database.ts";
import { startDatabase } from "../../../database.ts";
import { makeDatabaseFolder, stopDatabase } from "../../../global-setup.ts";
import { token } from "../../api.ts";
import { run, until } from "../../server-process.ts";

/** Starts an API process with its own database server and waits until it serves requests. */
async function startShop() {
  const folder = makeDatabaseFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const database = await startDatabase(folder);
  onTestFinished(() => stopDatabase(database));
  const env = {
    API_PORT: String(await findFreePort()),
    BASE_URL: "https://shop.example",
    DATABASE_URL: privateDatabaseAddress(folder).url,
    ERP_PULL_API_TOKEN: token,
  };
  expect(await run("commands/migrate.ts", env).ended).toBe(0);
  const server = run("server.ts", env);
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${env.API_PORT}${path}`, { headers: { "x-ecom-api-token": token } });
  await untilServing(ask);
  return { folder, mysqld: database.child, server, ask };
}

type Ask = (path: string) => Promise<Response>;

const untilServing = (ask: Ask) => {
  const orders = () => ask("/api/orders");
  return until(orders, ({ ok }) => ok);
};

test("while the database is down, orders get 503 and the status answers promptly; once it is back, the API recovers", async () => {
  const { folder, mysqld, ask } = await startShop();
  mysqld.kill("SIGKILL");
  const orders = () => ask("/api/orders");
  const down = await until(orders, ({ status }) => status === 503);
  expect([down.headers.get("content-type"), down.headers.get("retry-after")]).toEqual([
    "application/problem+json",
    "5",
  ]);
  expect(await down.json()).toMatchObject({ type: "https://shop.example/developers#unavailable", status: 503 });
  await expectStatus(ask, "degraded");
  const revived = await startDatabase(folder);
  onTestFinished(() => stopDatabase(revived));
  await untilServing(ask);
  await expectStatus(ask, "ok");
});

test("while the database hangs, orders get 503 and the status answers promptly; once it responds, the API recovers", async () => {
  const { mysqld, server, ask } = await startShop();
  mysqld.kill("SIGSTOP");
  onTestFinished(() => void mysqld.kill("SIGCONT"));
  const hung = Array.from({ length: 15 }, () => ask("/api/orders?since_id=471147114711")); // more than the pool's connections
  const first = Promise.race(hung).then(() => "a request that hung");
  expect(await Promise.race([first, expectStatus(ask, "degraded")])).toBe(undefined); // the status answers first
  for (let count = 0; count < 2; count += 1) await expectStatus(ask, "degraded");
  expect((await Promise.all(hung)).map(({ status }) => status)).toEqual(Array(15).fill(503));
  mysqld.kill("SIGCONT");
  await untilServing(ask);
  await expectStatus(ask, "ok");
  expect(server.output.stdout).not.toMatch(/471147114711|since_id/);
});

test("after SIGTERM, a process whose database hangs answers the requests it has accepted, then exits", async () => {
  const { mysqld, server, ask } = await startShop();
  mysqld.kill("SIGSTOP");
  onTestFinished(() => void mysqld.kill("SIGCONT"));
  const hung = Array.from({ length: 15 }, () => ask("/api/orders"));
  await expectStatus(ask, "degraded"); // by now the other requests have arrived
  server.child.kill("SIGTERM");
  expect((await Promise.all(hung)).map(({ status }) => status)).toEqual(Array(15).fill(503));
  expect(await server.ended).toBe(0);
});

async function expectStatus(ask: Ask, status: string): Promise<void> {
  const answer = await ask("/api/erp/status");
  expect(answer.status).toBe(200);
  const known = status === "ok" ? false : null;
  expect(await answer.json()).toEqual({
    status,
    pull_api: { configured: true },
    webhook: { configured: false },
    queue: { pending: null, failed: null, waiting: known, failing: known },
    last_success_at: null,
    version: "1.0.0",
  });
}
