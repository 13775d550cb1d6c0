import { expect, test } from "vitest";
import { deleteExpired } from "../../../api/jobs/retention.ts";
import { ago } from "../../../api/platform/database/columns.ts";
import { placeOrder } from "../../../api/selling/orders/place-order.ts";
import { boughtOrder } from "../selling/mail/mail-shop.ts";
import { startAssistant } from "./assistant-shop.ts";
import { verifyFor } from "./verified.ts";

const handOver = { reason: "complaint", message: "My name is Ada Novák.", contact: "ada@example.com" };
const status = { order_number: "A-1001" };
const day = 24 * 3_600_000;

test("every call leaves one row with tool, status, hashes and whether it was verified, and none of its texts", async () => {
  const { db, call } = await startAssistant();
  const { id } = await placeOrder(db, boughtOrder());
  await call("hand_over", handOver, { conversation: "chat-of-ada" });
  await call("order_status", status, { conversation: "chat-of-ada" });
  await verifyFor(db, "chat-of-ada", id);
  await call("order_status", status, { conversation: "chat-of-ada" });
  await call("order_status", {}, { conversation: "chat-of-ada" });
  await call("order_status", status, { conversation: "chat-of-eve", headers: { "assistant-identity": "forged" } });
  await call("unknown", status);
  const rows = await db.selectFrom("assistant_calls").selectAll().orderBy("id").execute();
  expect(rows.map(({ tool, status, is_verified }) => [tool, status, is_verified])).toEqual([
    ["hand_over", 200, 0],
    ["order_status", 422, 0],
    ["order_status", 200, 1],
    ["order_status", 400, 0],
    ["order_status", 401, 0],
  ]);
  const [passed, asked, again, invalid, forged] = rows;
  expect(passed?.conversation_key).toMatch(/^[0-9a-f]{64}$/);
  expect([asked?.conversation_key, again?.conversation_key]).toEqual([
    passed?.conversation_key,
    passed?.conversation_key,
  ]);
  expect([invalid?.conversation_key, forged?.conversation_key]).toEqual([null, null]);
  expect(asked?.arguments_hash).toBe(again?.arguments_hash);
  expect(asked?.arguments_hash).not.toBe(passed?.arguments_hash);
  expect(JSON.stringify(rows)).not.toMatch(/Ada|ada|A-1001|chat-of/);
});

test("an answer that is stored for an Idempotency-Key is a call of its own", async () => {
  const { db, call } = await startAssistant();
  const headers = { "idempotency-key": "once" };
  for (let times = 0; times < 2; times += 1) await call("hand_over", handOver, { headers });
  expect(await db.selectFrom("assistant_calls").select("status").execute()).toEqual([{ status: 200 }, { status: 200 }]);
});

test("a conversation makes 30 calls a minute, and another isn't slowed down by it", async () => {
  const { call } = await startAssistant({ rateLimitPerMinute: 1_000, now: () => 0 });
  const statuses: number[] = [];
  for (let times = 0; times < 31; times += 1) statuses.push((await call("order_status", status)).statusCode);
  expect(statuses).toEqual([...Array(30).fill(422), 429]);
  expect((await call("order_status", status)).headers["retry-after"]).toBe("60");
  expect((await call("order_status", status, { conversation: "chat-2" })).statusCode).toBe(422);
});

test("the assistant's token makes as many requests a minute as a partner's", async () => {
  const { call } = await startAssistant({ rateLimitPerMinute: 3, now: () => 0 });
  const statuses: number[] = [];
  for (let times = 0; times < 4; times += 1)
    statuses.push((await call("order_status", status, { conversation: `chat-${times}` })).statusCode);
  expect(statuses).toEqual([422, 422, 422, 429]);
});

test("calls and cases are deleted after 90 days, verifications after a day, and nothing younger", async () => {
  const { db, call } = await startAssistant();
  const { id } = await placeOrder(db, boughtOrder());
  const fill = async () => {
    await call("hand_over", handOver);
    await verifyFor(db, "chat-1", id);
  };
  const count = async () =>
    Promise.all(
      (["assistant_calls", "cases", "verifications"] as const).map(
        async (table) => (await db.selectFrom(table).select("id").execute()).length,
      ),
    );
  await fill();
  const old = ago(90 * day + 1_000) as never;
  await db.updateTable("assistant_calls").set({ called_at: old }).execute();
  await db.updateTable("cases").set({ created_at: old }).execute();
  await db
    .updateTable("verifications")
    .set({ created_at: ago(day + 1_000) as never })
    .execute();
  await fill();
  expect(await count()).toEqual([2, 2, 2]);
  await deleteExpired(db);
  expect(await count()).toEqual([1, 1, 1]);
});
