import { expect, test } from "vitest";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
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
      const { orders } = await listOrders(
        connection,
        { column, after: 0, upTo: 440, limit: 2 },
        { statuses: ["pending", "on_hold"] },
      );
      expect(orders.map(({ row }) => row.id)).toEqual([401, 402]);
      expect((await rowsRead(connection)) - before).toBeLessThan(20);
    });
  },
);

test("an order is found by its number and by the partner's id, exactly, without reading others", async () => {
  const { db, get } = await startApi();
  await db.transaction().execute(async (transaction) => {
    for (let count = 0; count < 200; count += 1)
      await placeOrder(transaction, newOrder({ external_id: count < 100 ? `SO-${count}` : null }));
    for (let count = 0; count < 5; count += 1) await placeOrder(transaction, newOrder({ external_id: "SO-again" }));
  });
  await changeOrder(db, 7, { status: "cancelled" });
  const found = async (query: string) => {
    const { orders, ...end } = (await get(`/api/orders?${query}`)).json();
    return [...orders.map(({ number }: { number: string }) => number), Object.values(end).join()];
  };
  expect(await found("number=A-1007")).toEqual(["A-1007", "7,false"]);
  expect(await found("external_id=SO-6")).toEqual(["A-1007", "7,false"]);
  expect(await found("external_id=SO-6&number=A-1007&status=cancelled&changed_after=200&limit=1")).toEqual([
    ...["A-1007", "206,false"],
  ]);
  expect((await get("/api/orders?number=A-1007")).json().orders).toEqual([(await get("/api/orders/7")).json()]);
  for (const query of [
    ...["number=A-9999", "number=A-1007&status=pending", "external_id=so-6", "external_id=SO"],
    ...["external_id=SO-6&number=A-1008", "number=A-1007&since_id=7", "external_id=%E5%AD%AB"],
  ])
    expect(await found(query), query).toEqual([query.includes("since_id=7") ? "7,false" : "0,false"]);
  for (const query of [
    ...["number=1007", "number=a-1007", "number=A-01", "number=", "number=A-1007%20", "number=A-1007,A-1008"],
    ...["external_id=", "external_id=%20SO-1", `external_id=${"x".repeat(192)}`, "external_id=a%0Ab"],
    ...["number=A-1007&number=A-1008", "external_id=SO-1&external_id=SO-1"],
  ])
    expect((await get(`/api/orders?${query}`)).statusCode, query).toBe(400);
  await db.connection().execute(async (connection) => {
    for (const filter of [{ number: "A-1201" }, { externalId: "SO-again", statuses: ["pending" as const] }])
      for (const column of ["id", "sequence"] as const) {
        const before = await rowsRead(connection);
        const { orders } = await listOrders(connection, { column, after: 0, upTo: 206, limit: 50 }, filter);
        expect(orders.map(({ row }) => row.id)).toEqual(filter.number ? [201] : [201, 202, 203, 204, 205]);
        expect((await rowsRead(connection)) - before).toBeLessThan(20);
      }
  });
});

test("several orders with one id in the partner's system are paged, and the link keeps the filter", async () => {
  const { db, get } = await startApi();
  for (let count = 0; count < 3; count += 1) await placeOrder(db, newOrder({ external_id: "SO 1" }));
  const page = await get("/api/orders?external_id=SO%201&limit=2");
  expect(page.json()).toMatchObject({ orders: [{ id: 1 }, { id: 2 }], has_more: true });
  const next = '<?external_id=SO+1&limit=2&since_id=2>; rel="next"';
  expect(String(page.headers["link"]).split(/[?&>]/).sort()).toEqual(next.split(/[?&>]/).sort());
  const [, query] = /<(.*)>/.exec(String(page.headers["link"])) ?? [];
  expect((await get(`/api/orders${query}`)).json()).toMatchObject({ orders: [{ id: 3 }], has_more: false });
});

/** The rows that this connection has read along indexes. */
async function rowsRead(connection: Db): Promise<number> {
  const reads = ["Handler_read_key", "Handler_read_next", "Handler_icp_attempts"];
  const counts = await sessionValues(connection, "session_status", ...reads);
  return counts.reduce((sum, count) => sum + Number(count), 0);
}
