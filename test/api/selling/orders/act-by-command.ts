import type { Db } from "../../../../api/platform/database/pool.ts";
import { type Act, actOnOrder, COMMAND, type Done } from "../../../../api/selling/orders/acts.ts";
import type { FollowUp } from "../../../../api/selling/orders/place-order.ts";

/** Does to an order that exists what `npm run order` would. */
export async function actByCommand(db: Db, number: string, act: Act, followUp: FollowUp): Promise<Done> {
  const done = await actOnOrder(db, { number }, act, { by: COMMAND, followUp });
  if (!done) throw new RangeError(`No order has the number ${number}.`);
  return done;
}
