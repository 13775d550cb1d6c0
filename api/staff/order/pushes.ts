import type { Db } from "../../platform/database/pool.ts";
import type { Order } from "../../selling/orders/schema.ts";

/** A message to the ERP's webhook with what became of it, as far as the order's page shows it. */
export interface Push {
  order_version: number;
  state: "pending" | "delivered" | "failed";
  superseded: boolean;
  created_at: string;
  next_attempt_at: string | null;
  attempts: readonly { started_at: string; outcome: (typeof OUTCOMES)[number]; http_status: number | null }[];
}

/** What became of an attempt. */
export const OUTCOMES = [
  ...(["delivered", "status", "redirect", "gone", "timeout", "connection", "refused_address"] as const),
  ...(["in_flight", "lost"] as const),
] as const;

/** The pushes of orders, which are the partners' (partners/erp/). */
export interface Pushes {
  /** Those of an order, the newest first. */
  list(orderId: number): Promise<readonly Push[]>;
  /** Queues another one of a locked order, as it is. Throws ActRefused. */
  again(transaction: Db, order: Order): Promise<void>;
}
