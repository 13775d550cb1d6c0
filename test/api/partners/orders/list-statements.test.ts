import { expect, test } from "vitest";
import { importProducts } from "../../../../api/selling/catalogue/import.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { weightBudget } from "../../../weight-budget.ts";
import { startApi } from "../../api.ts";
import { product } from "../../selling/catalogue/catalogue.ts";
import { newLine, newOrder } from "../../selling/orders/new-order.ts";
import { countStatements } from "../../statements.ts";

const LISTS = [
  ...["", "&since_id=1", "&changed_after=1", "&status=pending", "&changed_after=1&status=pending,on_hold"].map(
    (filter) => ({ noun: "orders", filter }),
  ),
  ...["", "&since_id=1", "&changed_after=1"].map((filter) => ({ noun: "products", filter })),
];

test("a list takes at most two statements, the same number for one entry as for all", async () => {
  const { db, get } = await startApi();
  for (let count = 0; count < 5; count += 1) await placeOrder(db, newOrder({ lines: [newLine(), newLine()] }));
  await importProducts(
    db,
    ["a", "b", "c", "d", "e"].map((slug) => product(slug)),
    new Date("2026-10-18T08:00:00Z"),
  );
  for (const { noun, filter } of LISTS) {
    const read = (limit: number) => countStatements(() => get(`/api/${noun}?limit=${limit}${filter}`));
    const [one, all] = [await read(1), await read(250)];
    expect([one, all].map(({ value }) => value.json()[noun].length)).toEqual([1, filter.includes("=1") ? 4 : 5]);
    expect(all.statements.length).toBe(one.statements.length);
    expect(all.statements.length).toBeLessThanOrEqual(weightBudget.statementsOfList);
    expect(all.statements.length).toBeGreaterThan(0);
  }
  const { statements } = await countStatements(() => get("/api/products"));
  expect(statements.length).toBeLessThanOrEqual(weightBudget.statementsOfList);
});

test("a page of orders takes two statements, a third if any of them lack a current as_placed, and one if it's empty", async () => {
  const { db, get } = await startApi();
  for (let count = 0; count < 5; count += 1) await placeOrder(db, newOrder({ lines: [newLine(), newLine()] }));
  await changeOrder(db, 4, { status: "cancelled" });
  const count = async (url: string) => (await countStatements(() => get(url))).statements.length;
  for (const filter of ["limit=1", "limit=250", "status=pending,cancelled", "changed_after=2"])
    expect(await count(`/api/orders?${filter}`)).toBe(2);
  await db.updateTable("orders").set({ as_placed: null, as_placed_shape: null }).where("id", "<", 4).execute();
  expect(await count("/api/orders")).toBe(3);
  expect(await count("/api/orders?since_id=3")).toBe(2);
  expect(await count("/api/orders?since_id=5")).toBe(1);
  for (const filter of ["orders?number=A-1005", "orders?external_id=none&changed_after=1", "products?sku=none"])
    expect(await count(`/api/${filter}`)).toBe(2);
});
