import { expect, test } from "vitest";
import type { Db } from "../../../api/database/pool.ts";
import { placeOrder } from "../../../api/orders/place-order.ts";
import { listOrders } from "../../../api/orders/queries.ts";
import { openTestDatabase, startApi } from "../api.ts";
import { newOrder } from "./new-order.ts";

test("a page says of each order what the order says alone, to the byte", async () => {
  const { db, get } = await startApi();
  for (const note of [null, "请开增值税发票。", 'With "quotes"\n🎁']) await placeOrder(db, newOrder({ note }));
  const alone = await Promise.all([1, 2, 3].map(async (id) => (await get(`/api/orders/${id}`)).body));
  const page = await get("/api/orders");
  expect(page.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(page.body).toBe(`{"orders":[${alone}],"next_since_id":3,"has_more":false}`);
});

test.for(["id", "sequence"] as const)(
  "by %s, what lies before the next orders of a status is not read",
  async (column) => {
    const db = await openTestDatabase();
    await db.transaction().execute(async (transaction) => {
      for (let count = 0; count < 400; count += 1) await placeOrder(transaction, newOrder({ status: "completed" }));
      for (let count = 0; count < 40; count += 1) await placeOrder(transaction, newOrder());
    });
    await db.connection().execute(async (connection) => {
      const before = await rowsRead(connection);
      const { orders } = await listOrders(connection, { column, after: 0, limit: 2 }, ["pending", "on_hold"]);
      expect(orders.map(({ row }) => row.id)).toEqual([401, 402]);
      expect((await rowsRead(connection)) - before).toBeLessThan(20);
    });
  },
);

/** Along indexes, by this connection. MariaDB and MySQL keep that in different places. */
async function rowsRead(connection: Db): Promise<number> {
  const { version } = await connection
    .selectNoFrom(({ fn }) => fn<string>("version").as("version"))
    .executeTakeFirstOrThrow();
  const place = version.includes("MariaDB") ? "information_schema" : "performance_schema";
  const rows = await connection
    .withTables<{ session_status: Record<"variable_name" | "variable_value", string> }>()
    .withSchema(place)
    .selectFrom("session_status")
    .select("variable_value")
    .where("variable_name", "in", ["Handler_read_key", "Handler_read_next", "Handler_icp_attempts"])
    .execute();
  return rows.reduce((sum, row) => sum + Number(row.variable_value), 0);
}
