import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { privateDatabaseAddress } from "../../../../nginx/local/private-database.ts";
import { startDatabase } from "../../../database.ts";
import { eventually } from "../../../eventually.ts";
import { makeDatabaseFolder, stopDatabase } from "../../../global-setup.ts";
import { passTime, queueOrders } from "../../partners/erp/deliveries.ts";
import { run, until } from "../../server-process.ts";
import { idsOf, prepare, untilDelivered } from "./delivery-processes.ts";

test("if the database is killed while deliveries are claimed, the worker recovers automatically and delivers them all", async () => {
  const folder = makeDatabaseFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const first = await startDatabase(folder);
  onTestFinished(() => stopDatabase(first));
  const { erp, db, env } = await prepare(
    (response) => sleep(20).then(() => void response.end()),
    privateDatabaseAddress(folder).url,
  );
  await queueOrders(db, 300);
  const worker = run("worker.ts", env);
  await eventually(() => expect(erp.received.length).toBeGreaterThan(50));
  first.child.kill("SIGKILL");
  await eventually(() => expect(worker.output.stdout).toContain("Deliveries are paused"));
  const second = await startDatabase(folder);
  onTestFinished(() => stopDatabase(second));
  await until(
    () => passTime(db).then(() => true),
    () => true,
  );
  await untilDelivered(db, 300);
  expect(new Set(idsOf(erp)).size).toBe(300);
  expect(idsOf(erp).length).toBeLessThanOrEqual(300 + 2 * 16); // only attempts in flight can arrive twice
  expect(worker.output.stdout.match(/Deliveries are paused/g)).toHaveLength(1);
  expect(worker.output.stdout).not.toContain('"level":50');
});

test("after SIGTERM, a process that delivers exits even if its database hangs", async () => {
  const folder = makeDatabaseFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const database = await startDatabase(folder);
  onTestFinished(() => stopDatabase(database));
  const { env, untilServing } = await prepare(undefined, privateDatabaseAddress(folder).url);
  const server = run("server.ts", env);
  await untilServing();
  database.child.kill("SIGSTOP");
  onTestFinished(() => void database.child.kill("SIGCONT"));
  await sleep(1_000); // the worker queries due deliveries
  server.child.kill("SIGTERM");
  expect(await server.ended).toBe(0);
});
