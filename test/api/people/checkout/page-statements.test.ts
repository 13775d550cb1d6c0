import { expect, test } from "vitest";
import { MAX_LINES } from "../../../../api/people/basket/items.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { addSkus } from "../../../../api/selling/stock/ledger.ts";
import { weightBudget } from "../../../weight-budget.ts";
import type { Customer } from "../../platform/private-pages/pages.ts";
import { variantAt } from "../../selling/quote/shop.ts";
import { countStatements } from "../../statements.ts";
import { placeFields } from "./filled-form.ts";
import { enterDetails, place, review, startCheckout } from "./start-checkout.ts";

/** Adds versions to the catalogue and puts one piece of each into the basket. */
async function fillBasket(db: Db, customer: Customer, lines: number): Promise<void> {
  const variants = Array.from({ length: lines }, (_, line) => variantAt("5.00", { sku: `LINE-${lines}-${line}` }));
  await db.insertInto("product_variants").values(variants).execute();
  await addSkus(db, variants);
  await customer.post("/cart/lines", { items: variants.map(({ sku }) => `${sku}:1`).join(",") });
}

test("from the lock of the sequence row, which every other order waits for, to the COMMIT placing takes seven statements, however many lines", async () => {
  const { db, otherCustomer } = await startCheckout();
  for (const lines of [1, MAX_LINES]) {
    const customer = otherCustomer();
    await fillBasket(db, customer, lines);
    const fields = await review(customer);
    const { statements } = await countStatements(() => place(customer, fields));
    const lock = statements.findIndex((statement) => statement.includes("update counters"));
    const commit = statements.findIndex((statement) => /^commit/i.test(statement));
    const between = statements
      .slice(lock + 1, commit)
      .map((statement) => /^(?:insert(?: ignore)? into|update) `(\w+)`/.exec(statement)?.[1]);
    expect(between).toEqual(["stock", "orders", "stock_holds", "order_lines", "order_search", "mails", "placements"]);
    // Nothing else locks it.
    expect(statements.filter((statement) => statement.includes("counters"))).toHaveLength(2);
  }
});

test("basket, review, placing and the order's page take the same number of statements for one line as for 100", async () => {
  const { db, otherCustomer } = await startCheckout();
  const counts = [];
  for (const lines of [1, MAX_LINES]) {
    const customer = otherCustomer();
    await fillBasket(db, customer, lines);
    await enterDetails(customer);
    const basket = await countStatements(() => customer.get("/cart"));
    const review = await countStatements(() => customer.get("/checkout/review"));
    const placing = await countStatements(() => place(customer, placeFields(review.value.payload)));
    const path = String(placing.value.headers.location);
    const order = await countStatements(() => customer.get(path));
    expect([basket, review, order].map(({ value }) => value.statusCode)).toEqual([200, 200, 200]);
    expect(order.value.payload.match(/LINE-/g)).toHaveLength(lines);
    counts.push([basket, review, placing, order].map(({ statements }) => statements.length));
  }
  const [one, all] = counts;
  expect(all).toEqual(one);
  const { statementsOfPrivatePage, statementsOfPlacing } = weightBudget;
  const [basket, review, placing, order] = one ?? [];
  for (const count of [basket, review, order]) expect(count).toBeLessThanOrEqual(statementsOfPrivatePage);
  expect(placing).toBeLessThanOrEqual(statementsOfPlacing);
});
