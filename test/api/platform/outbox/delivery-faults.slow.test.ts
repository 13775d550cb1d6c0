import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { eventually } from "../../../eventually.ts";
import { passTime, queueOrders } from "../../partners/erp/deliveries.ts";
import { run } from "../../server-process.ts";
import { idsOf, prepare, untilDelivered } from "./delivery-processes.ts";

test("if the API is killed before it records the ERP's 2xx, the order is delivered once more with the same id", async () => {
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

test("two processes share a queue of 1,000 orders and deliver each once", async () => {
  const { erp, db, env } = await prepare();
  const workers = [run("worker.ts", env), run("worker.ts", env)];
  let queued = 0;
  const queue = async (count: number) => {
    await queueOrders(db, count);
    queued += count;
  };
  // Both have begun before the thousand are due.
  await eventually(async () => {
    await queue(1);
    for (const { output } of workers) expect(output.stdout).toContain('"msg":"delivered"');
  });
  await queue(1_000);
  await untilDelivered(db, queued);
  expect(idsOf(erp)).toHaveLength(queued);
  expect(new Set(idsOf(erp)).size).toBe(queued);
  for (const { child, ended } of workers) {
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  }
});

test("after SIGTERM, an attempt in flight finishes, its result is recorded and answered, and the process exits", async () => {
  const { erp, db, env, ask, untilServing } = await prepare();
  await queueOrders(db, 1, "unpushed");
  const server = run("server.ts", env);
  await untilServing();
  const { promise, resolve } = Promise.withResolvers<void>();
  erp.behaviour = (response) => promise.then(() => void response.end());
  const pushed = ask("/api/erp/orders/1/push", { method: "POST" });
  await eventually(() => expect(erp.received).toHaveLength(1));
  server.child.kill("SIGTERM");
  await sleep(300);
  expect(server.child.exitCode).toBe(null);
  resolve();
  expect((await pushed).status).toBe(200);
  expect(await server.ended).toBe(0);
  await untilDelivered(db, 1);
  expect(erp.received).toHaveLength(1);
});

test("the worker reports all problems with its settings and requires a webhook", async () => {
  const wrong = run("worker.ts", { DATABASE_URL: "mysql://x", ERP_WEBHOOK_URL: "http://erp.example/orders" });
  const unset = run("worker.ts", { DATABASE_URL: "mysql://root@localhost/x" });
  expect([await wrong.ended, await unset.ended]).toEqual([1, 1]);
  expect(wrong.output.stderr.trim().split("\n")).toHaveLength(4);
  expect(unset.output.stderr).toContain("ERP_WEBHOOK_URL is missing");
});
