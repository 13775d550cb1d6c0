import { isDeepStrictEqual } from "node:util";
import { readPostcode } from "../../contract/territories.ts";
import { ago } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { ActRefused } from "./act-refused.ts";
import { changeOrder, type OrderChange } from "./change-order.ts";
import type { FollowUp } from "./place-order.ts";
import type { Order } from "./schema.ts";
import { isErased } from "./who-ordered.ts";

type Buyer = NonNullable<Order["buyer"]>;
type Address = NonNullable<Order["shipping_address"]>;

/** An address without its country, which decided tax and delivery. */
type CorrectedAddress = Omit<Address, "country_code">;

/** What a person corrects of an order; null where the order has nobody, or no such address. */
export interface Correction {
  buyer: Omit<Buyer, "vat_id"> | null;
  billing_address: CorrectedAddress | null;
  shipping_address: CorrectedAddress | null;
  /** Whether tax and delivery are the same at both; the shop's zones know. */
  isSameDelivery: (was: Address, is: Address) => boolean;
}

/**
 * Corrects who ordered and the addresses of a locked order of which nothing was sent. The country stays, and the postcode
 * where it decides tax or delivery. With another e-mail address, links that went to the old one open nothing any more, nor
 * do browsers that such a link let in. `who` corrects. Throws ActRefused.
 */
export async function correctOrder(
  transaction: Db,
  order: Order,
  { isSameDelivery, ...given }: Correction,
  followUp: FollowUp,
  who: string,
): Promise<void> {
  const corrected: NonNullable<OrderChange["corrected"]> = {};
  const buyer = order.buyer && given.buyer && { ...order.buyer, ...given.buyer };
  if (buyer && !isDeepStrictEqual(buyer, order.buyer)) corrected.buyer = buyer;
  for (const name of ["billing_address", "shipping_address"] as const) {
    const [was, is] = [order[name], given[name]];
    if (!was || !is) continue;
    const address = { ...was, ...is, postal_code: spellPostcode(was.country_code, is.postal_code) };
    if (!isDeepStrictEqual(address, was)) corrected[name] = address;
  }
  if (Object.keys(corrected).length === 0) return;
  requireCorrectable(order);
  const { shipping_address: was } = order;
  if (was && corrected.shipping_address && !isSameDelivery(was, corrected.shipping_address))
    throw new ActRefused("content", "This postcode would change the tax or the delivery.", "place");
  const hasNewEmail = corrected.buyer !== undefined && corrected.buyer?.email !== order.buyer?.email;
  if (hasNewEmail) await endOldLinks(transaction, order.id);
  await changeOrder(transaction, order.id, { corrected, who }, new Date(), followUp);
}

/** As the checkout writes it (people/checkout/details.ts). */
const spellPostcode = (country: string, text: string | null): string | null =>
  text === null ? null : (readPostcode(country, text) ?? text.toUpperCase().replaceAll(/\s+/g, " "));

/** Throws ActRefused for an order whose goods are on their way, that has ended, or whose person was erased. */
function requireCorrectable(order: Order): void {
  const { number, status, fulfillments } = order;
  if (fulfillments.length > 0)
    throw new ActRefused("state", `Goods of ${number} were sent, so its addresses stay as they are.`, "was_sent");
  if (status !== "pending" && status !== "processing" && status !== "on_hold")
    throw new ActRefused("state", `${number} is ${status}, so its addresses stay as they are.`, "ended");
  if (isErased(order)) throw new ActRefused("state", "The person who ordered was erased.", "erased");
}

/** Throws ActRefused while a mail is on its way to the old address, whose link would go on working. */
async function endOldLinks(transaction: Db, orderId: number): Promise<void> {
  const mails = await transaction
    .selectFrom("mails")
    .select(({ and, eb }) =>
      and([eb("state", "=", "pending"), eb("lease_token", "is not", null), eb("next_attempt_at", ">", ago(0))]).as(
        "isBeingSent",
      ),
    )
    .where("order_id", "=", orderId)
    .forUpdate() // none is begun before the transaction ends
    .execute();
  if (mails.some(({ isBeingSent }) => Number(isBeingSent) === 1))
    throw new ActRefused("state", "A mail about the order is being sent right now.", "mail_running");
  for (const table of ["order_keys", "verifications"] as const)
    await transaction.deleteFrom(table).where("order_id", "=", orderId).execute();
  // The browser in which it was placed stays: no mail has opened it there.
  await transaction
    .deleteFrom("session_orders")
    .where("order_id", "=", orderId)
    .where("session_id", "not in", ({ selectFrom }) =>
      selectFrom("placements").select("placements.session_id").where("placements.order_id", "=", orderId),
    )
    .execute();
}
