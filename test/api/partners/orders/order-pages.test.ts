import { expect, test } from "vitest";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { listOrders } from "../../../../api/selling/orders/queries.ts";
import { openTestDatabase, startApi } from "../../api.ts";
import { sessionValues } from "../../platform/database/session-values.ts";
import { newOrder } from "../../selling/orders/new-order.ts";

test("an order on a page is byte for byte what its own address returns", async () => {
  const { db, get } = await startApi();
  for (const note of [null, "请开增值税发票。", 'With "quotes"\n🎁']) await placeOrder(db, newOrder({ note }));
  const alone = await Promise.all([1, 2, 3].map(async (id) => (await get(`/api/orders/${id}`)).body));
  const page = await get("/api/orders");
  expect(page.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(page.body).toBe(`{"orders":[${alone}],"next_since_id":3,"has_more":false}`);
});

test.for(["id", "sequence"] as const)(
  "paging by %s with a status filter doesn't read the orders before the first match",
  async (column) => {
    const db = await openTestDatabase();
    await db.transaction().execute(async (transaction) => {
      for (let count = 0; count < 400; count += 1) await placeOrder(transaction, newOrder({ status: "completed" }));
      for (let count = 0; count < 40; count += 1) await placeOrder(transaction, newOrder());
    });
    await db.connection().execute(async (connection) => {
      const before = await rowsRead(connection);
      const { orders } = await listOrders(connection, { column, after: 0, upTo: 440, limit: 2 }, [
        "pending",
        "on_hold",
      ]);
      expect(orders.map(({ row }) => row.id)).toEqual([401, 402]);
      expect((await rowsRead(connection)) - before).toBeLessThan(20);
    });
  },
);

/** The rows that this connection has read along indexes. */
async function rowsRead(connection: Db): Promise<number> {
  const reads = ["Handler_read_key", "Handler_read_next", "Handler_icp_attempts"];
  const counts = await sessionValues(connection, "session_status", ...reads);
  return counts.reduce((sum, count) => sum + Number(count), 0);
}
