import { expect, test } from "vitest";
import { fromNow } from "../../../../api/platform/database/columns.ts";
import { queueStateReader, readQueueStates } from "../../../../api/platform/outbox/queue-state.ts";
import { queueMail } from "../../../../api/selling/mail/queue.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { startPushing } from "../../partners/erp/deliveries.ts";
import { newOrder } from "../../selling/orders/new-order.ts";
import { answer } from "../webhook/erp-server.ts";

const IDLE = { pending: 0, failed: 0, overdueSeconds: 0 };

test("an operator sees how many jobs wait and failed, and how long the one that is due has waited", async () => {
  const { push, db } = await startPushing(answer(410));
  await db.deleteFrom("mails").execute();
  expect(await readQueueStates(db)).toEqual({ deliveries: IDLE, mails: IDLE });
  await push(1);
  await queueMail(db, 1, "order_received");
  await queueMail(db, 1, "payment_received");
  await db
    .updateTable("mails")
    .set({ next_attempt_at: fromNow(600_000) })
    .execute();
  const waiting = { pending: 2, failed: 0, overdueSeconds: 0 };
  expect(await readQueueStates(db)).toEqual({ deliveries: { ...IDLE, failed: 1 }, mails: waiting });
  await db
    .updateTable("mails")
    .set({ next_attempt_at: fromNow(-95_000) })
    .where("kind", "=", "order_received")
    .execute();
  const { mails } = await readQueueStates(db);
  expect(mails.overdueSeconds).toBeGreaterThanOrEqual(90);
});

test("a delivery that failed counts no longer once a newer version of its order was pushed", async () => {
  const { push, db, erp } = await startPushing(answer(410));
  await placeOrder(db, newOrder());
  await push(1);
  await push(2);
  await db.updateTable("deliveries").set({ superseded: 1 }).where("order_id", "=", 1).execute();
  expect(erp.received).toHaveLength(2);
  expect((await readQueueStates(db)).deliveries).toEqual({ ...IDLE, failed: 1 });
});

test("the state of the queues is unknown, not zero, while the database is away", async () => {
  const { db } = await startPushing();
  const read = queueStateReader(db);
  expect(await read()).toMatchObject({ deliveries: IDLE });
  await db.schema.dropTable("mails").execute();
  expect(await read()).toBeNull();
});
