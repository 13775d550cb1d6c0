import { currencyDigits } from "../../contract/currencies.ts";
import { readJson, toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { AttentionReason, StoredAddress, StoredBuyer, StoredCustomer } from "../../platform/database/tables.ts";
import { showEmail } from "../../platform/mail/email-address.ts";
import { showMoney } from "../../selling/orders/money.ts";
import type { Order } from "../../selling/orders/schema.ts";
import type { OrderRow } from "../../selling/orders/to-order.ts";

/** An order as lists show it. */
export interface ListedOrder extends Pick<Order, "id" | "number" | "currency"> {
  status: Order["status"];
  payment_status: Order["payment_status"];
  fulfillment_status: Order["fulfillment_status"];
  /** RFC 3339. */
  placed_at: string;
  email: string;
  name: string;
  company: string;
  postal_code: string;
  city: string;
  country_code: string;
  /** What of the total is tax, and the total. */
  tax: string;
  total: string;
  refunded: string;
  due: string;
  /** Why a person must look at it, the oldest reason first. */
  matters: AttentionReason[];
}

const COLUMNS = [
  ...(["id", "number", "status", "payment_status", "fulfillment_status", "currency", "created_at"] as const),
  ...(["placed_at", "buyer", "customer", "billing_address", "shipping_address", "billing_kept_until"] as const),
  ...(["tax", "total", "refunded", "due"] as const),
] as const;

/** Orders by their ids, in this order. */
export async function readListed(db: Db, ids: readonly number[]): Promise<ListedOrder[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom("orders").select(COLUMNS).where("id", "in", ids).execute();
  const matters = await db
    .selectFrom("attention")
    .select(["order_id", "reason"])
    .where("order_id", "in", ids)
    .where("done_at", "is", null)
    .orderBy("since")
    .orderBy("id")
    .execute();
  const mattersOf = Map.groupBy(matters, ({ order_id }) => order_id);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    const reasons = (mattersOf.get(id) ?? []).map(({ reason }) => reason);
    return row ? toListed(row, [...new Set(reasons)]) : [];
  });
}

function toListed(row: Pick<OrderRow, (typeof COLUMNS)[number]>, matters: AttentionReason[]): ListedOrder {
  const digits = currencyDigits(row.currency);
  return {
    ...{ id: row.id, number: row.number, currency: row.currency },
    ...{ status: row.status, payment_status: row.payment_status, fulfillment_status: row.fulfillment_status },
    placed_at: toRfc3339(row.placed_at ?? row.created_at),
    ...describePerson(row),
    tax: showMoney(row.tax, digits),
    total: showMoney(row.total, digits),
    refunded: showMoney(row.refunded, digits),
    due: showMoney(row.due, digits),
    matters,
  };
}

/** Who ordered, and where it goes; "" where that isn't known, or isn't to be known any more. */
function describePerson(row: Pick<OrderRow, (typeof COLUMNS)[number]>) {
  const buyer: StoredBuyer | StoredCustomer | null = row.buyer
    ? readJson(row.buyer)
    : row.customer && readJson(row.customer);
  const [shipping, billing] = [row.shipping_address, row.billing_address].map((json) => json && readJson(json));
  const isErased = row.billing_kept_until !== null || buyer?.email === "";
  if (isErased) return { email: "", name: "", company: "", postal_code: "", city: "", country_code: "" };
  const address: StoredAddress | null = shipping ?? billing ?? null;
  const named = buyer && (nameOf(buyer) !== "" || buyer.company) ? buyer : address;
  return {
    email: buyer ? showEmail(buyer.email) : "",
    name: named ? nameOf(named) : "",
    company: named?.company ?? "",
    postal_code: address?.postal_code ?? "",
    city: address?.city ?? "",
    country_code: address?.country_code ?? "",
  };
}

const nameOf = ({ first_name, last_name }: { first_name?: string | null; last_name?: string | null }): string =>
  [first_name, last_name].filter(Boolean).join(" ");
