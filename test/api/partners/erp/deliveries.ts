import type { AppDependencies } from "../../../../api/app.ts";
import { fromNow, now } from "../../../../api/platform/database/columns.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { makeSender } from "../../../../api/platform/webhook/sender.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { startApi, token } from "../../api.ts";
import { type Behaviour, startErp, webhookTo } from "../../platform/webhook/erp-server.ts";
import { newOrder } from "../../selling/orders/new-order.ts";

/** No attempt of a test reaches these, however busy the machine is. */
const limits = { totalMs: 100_000, connectMs: 60_000 };

/** Starts an app with a webhook, its ERP and an order with id 1. */
export async function startPushing(behaviour?: Behaviour, overrides: Partial<AppDependencies> = {}) {
  const erp = await startErp(behaviour);
  const api = await startApi({ send: makeSender(webhookTo(erp.url), limits), ...overrides });
  await placeOrder(api.db, newOrder());
  const push = (id = 1, payload?: object, headers: Record<string, string> = {}) =>
    api.app.inject({
      method: "POST",
      url: `/api/erp/orders/${id}/push`,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
  const deliveries = async (id = 1) => (await api.get(`/api/erp/orders/${id}/deliveries`)).json().deliveries;
  return { ...api, erp, push, deliveries };
}

/** Makes every planned attempt due and every lease expired. */
export async function passTime(db: Db): Promise<void> {
  const past = { next_attempt_at: fromNow(-1_000), leased_until: fromNow(-1_000) };
  await db.updateTable("deliveries").set(past).where("next_attempt_at", "is not", null).execute();
}

/** Stores `count` orders, each with a delivery that is due, or `unpushed` without one. */
export async function queueOrders(db: Db, count: number, unpushed?: "unpushed"): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const ids: number[] = [];
    for (let index = 0; index < count; index += 1) ids.push((await placeOrder(transaction, newOrder())).id);
    if (unpushed) return;
    const rows = ids.map((id) => ({
      order_id: id,
      order_version: 1,
      resend: 1,
      webhook_id: `msg_order_${id}_1`,
      body: Buffer.from("{}"),
      state: "pending" as const,
      next_attempt_at: now(),
      created_at: now(),
    }));
    await transaction.insertInto("deliveries").values(rows).execute();
  });
}
