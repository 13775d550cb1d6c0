import { expect, test } from "vitest";
import { withIdempotencyKey } from "../../../../api/platform/http/idempotency.ts";
import { openTestDatabase } from "../../api.ts";

const key = { header: "k", orderId: 1, within: ["partner", "POST", "/"], request: {} };

/** Starts a request that holds its key so long that another request can take it over. */
async function startAbandoned() {
  const db = await openTestDatabase();
  const work = Promise.withResolvers<{ status: number; body: string }>();
  const started = Promise.withResolvers<void>();
  const first = withIdempotencyKey(db, key, () => {
    started.resolve();
    return work.promise;
  });
  await started.promise;
  const longAgo = new Date(Date.now() - 31_000);
  await db.updateTable("idempotency_keys").set({ created_at: longAgo }).execute();
  const read = () => withIdempotencyKey(db, key, async () => ({ status: 500, body: "run again" }));
  return { db, first, work, read };
}

test("a request that lost its key doesn't overwrite the answer of the request that took it over", async () => {
  const { db, first, work, read } = await startAbandoned();
  const second = await withIdempotencyKey(db, key, async () => ({ status: 200, body: "second" }));
  expect(second).toEqual({ status: 200, body: "second", replayed: false });
  work.resolve({ status: 202, body: "first" });
  expect(await first).toEqual({ status: 202, body: "first", replayed: false });
  expect(await read()).toEqual({ status: 200, body: "second", replayed: true });
});

test("a request that lost its key and fails doesn't free it while the other request runs", async () => {
  const { db, first, work, read } = await startAbandoned();
  const other = Promise.withResolvers<{ status: number; body: string }>();
  const second = withIdempotencyKey(db, key, async () => {
    work.reject(new Error("failed late"));
    await expect(first).rejects.toThrow("failed late");
    return other.promise;
  });
  await expect(first).rejects.toThrow("failed late");
  await expect(read()).rejects.toMatchObject({ status: 409 });
  other.resolve({ status: 200, body: "second" });
  expect(await second).toMatchObject({ body: "second" });
});
