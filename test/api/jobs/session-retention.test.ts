import { expect, test } from "vitest";
import { makeFollowUp } from "../../../api/follow-up.ts";
import { jobs } from "../../../api/jobs/jobs.ts";
import { deleteExpired } from "../../../api/jobs/retention.ts";
import { fromNow, now } from "../../../api/platform/database/columns.ts";
import type { Db } from "../../../api/platform/database/pool.ts";
import { startWorker } from "../../../api/platform/outbox/worker.ts";
import { eventually } from "../../eventually.ts";
import { placeFields } from "../people/checkout/filled-form.ts";
import { enterDetails, place, review, startCheckout } from "../people/checkout/start-checkout.ts";

const DAY_MS = 24 * 3_600_000;

const count = async (db: Db, table: "sessions" | "basket_lines" | "checkouts" | "placements" | "session_orders") =>
  (
    await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as("n"))
      .executeTakeFirstOrThrow()
  ).n;

const unusedFor = (db: Db, days: number) =>
  db
    .updateTable("sessions")
    .set({ used_at: fromNow(-days * DAY_MS - 1_000) })
    .execute();

const unchangedFor = (db: Db, days: number) =>
  db
    .updateTable("checkouts")
    .set({ updated_at: fromNow(-days * DAY_MS - 1_000) })
    .execute();

test("a session and its basket are deleted 30 days after their last use", async () => {
  const { db } = await startCheckout();
  await unusedFor(db, 29);
  await deleteExpired(db);
  expect([await count(db, "sessions"), await count(db, "basket_lines")]).toEqual([1, 1]);
  await unusedFor(db, 30);
  await deleteExpired(db);
  expect([await count(db, "sessions"), await count(db, "basket_lines")]).toEqual([0, 0]);
});

test("the shop says how long", async () => {
  const { db } = await startCheckout({
    facts: { keep: { baskets: 3, checkouts: 1, deliveries: 90, invoices: 2_557 } },
  });
  await unusedFor(db, 3);
  await deleteExpired(db);
  expect(await count(db, "sessions")).toBe(0);
});

test("fault 38: a cleanup while a checkout is open leaves it, its session and its basket", async () => {
  const { db, customer } = await startCheckout();
  const fields = await review(customer);
  await unusedFor(db, 30);
  await unchangedFor(db, 6);
  await deleteExpired(db);
  await unusedFor(db, 0); // the customer is back
  expect((await place(customer, fields)).headers.location).toBe("/account/orders/A-1001");
});

test("fault 38: a checkout that expired while its review page was open is entered again, and the basket is still there", async () => {
  const { db, customer } = await startCheckout();
  const fields = await review(customer);
  await unchangedFor(db, 7);
  await deleteExpired(db);
  expect(await count(db, "checkouts")).toBe(0);
  const late = await place(customer, fields);
  expect(late.headers.location).toBe(`/checkout/review?checkout=${fields["checkout"]}`);
  expect((await customer.get(String(late.headers.location))).headers.location).toBe("/checkout");
  await enterDetails(customer);
  const again = placeFields((await customer.get("/checkout/review")).payload);
  expect((await place(customer, again)).headers.location).toBe("/account/orders/A-1001");
});

test("a placed checkout is deleted too, and its form still leads to the order", async () => {
  const { db, customer } = await startCheckout();
  const fields = await review(customer);
  await place(customer, fields);
  await unchangedFor(db, 7);
  await deleteExpired(db);
  expect([await count(db, "checkouts"), await count(db, "placements"), await count(db, "session_orders")]).toEqual([
    0, 1, 1,
  ]);
  expect((await place(customer, fields)).headers.location).toBe("/account/orders/A-1001");
});

test("an order stays when the session that placed it is deleted", async () => {
  const { db, get, customer } = await startCheckout();
  await place(customer, await review(customer));
  await unusedFor(db, 30);
  await deleteExpired(db);
  expect([await count(db, "sessions"), await count(db, "session_orders"), await count(db, "placements")]).toEqual([
    0, 0, 1,
  ]);
  expect((await get("/api/orders/1")).statusCode).toBe(200);
});

test("counts of requests are deleted after an hour", async () => {
  const { db, customer } = await startCheckout();
  await place(customer, await review(customer));
  const old = { name: "find", client: "192.0.2.1", began_at: fromNow(-3_600_001), requests: 1 };
  await db.insertInto("request_counts").values(old).execute();
  await deleteExpired(db);
  expect(await db.selectFrom("request_counts").select("name").execute()).toEqual([{ name: "placements" }]);
});

test("more than a batch is deleted in one go", async () => {
  const { db } = await startCheckout();
  const old = (number: number) => ({ token_hash: `${number}`, created_at: now(), used_at: fromNow(-31 * DAY_MS) });
  await db
    .insertInto("sessions")
    .values(Array.from({ length: 450 }, (_, number) => old(number)))
    .execute();
  await deleteExpired(db);
  expect(await count(db, "sessions")).toBe(1);
});

test("without the shop's facts no session is deleted and nothing fails", async () => {
  const { db } = await startCheckout();
  await unusedFor(db, 30);
  await db.deleteFrom("shop_facts").execute();
  await deleteExpired(db);
  expect(await count(db, "sessions")).toBe(1);
});

test("a worker without a webhook and mails deletes sessions too", async () => {
  const { db } = await startCheckout();
  await unusedFor(db, 30);
  const log = { info() {}, warn() {}, error() {} };
  const worker = startWorker(
    [],
    jobs({ db, followUp: makeFollowUp({ pushWhen: "manual" }), stripe: undefined }, log),
    log,
  );
  try {
    await eventually(async () => {
      if ((await count(db, "sessions")) > 0) throw new Error("The session is still there.");
    });
  } finally {
    await worker.stop();
  }
});
