import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";

interface Stored {
  id: number;
  payments: string;
  refunds: string;
}
interface Payment {
  id: number;
  method: string;
  reference?: string | null;
  amount: string;
  status: string;
}
interface Refund {
  id: number;
  created_at: string;
  reason?: string | null;
  amount: string;
}

const ORDERS_AT_ONCE = 500;

/** Payments that a row can't hold as they were: how many, and in which orders. */
interface Report {
  merged: { count: number; orders: Set<number> };
  cut: { count: number; orders: Set<number> };
}

/**
 * Copies payments and refunds, which were stored as JSON alone, into their tables. It can be interrupted and run again:
 * an existing row gets the same values. Spaces around a method or reference go, a blank reference becomes null, a text
 * too long for its column is cut to a unique one, and of a payment that an order had twice the last state is kept.
 * Prints how many were cut and merged, and in which orders.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const report: Report = { merged: { count: 0, orders: new Set() }, cut: { count: 0, orders: new Set() } };
  for (let after = 0; ; ) {
    const { rows } = await sql<Stored>`
      select id, payments, refunds from orders
      where id > ${after} and (json_length(payments) > 0 or json_length(refunds) > 0)
      order by id limit ${ORDERS_AT_ONCE}
    `.execute(db);
    const last = rows.at(-1);
    if (!last) break;
    await fillPayments(db, rows, report);
    await fillRefunds(db, rows);
    after = last.id;
  }
  print("payments had the method and reference of another one; their last state was kept", report.merged);
  print("payments had a method or reference that was too long; it was cut", report.cut);
}

const print = (what: string, { count, orders }: Report["cut"]) => {
  if (count > 0) console.warn(`${count} ${what}. Check these orders: ${[...orders].join(", ")}.`);
};

async function fillPayments(db: Kysely<unknown>, orders: readonly Stored[], report: Report): Promise<void> {
  const rows = orders.flatMap((order) => {
    const stored: Payment[] = JSON.parse(order.payments);
    return distinct(stored, order.id, report).map(
      ({ id, method, reference, amount, status }) =>
        sql`(${order.id}, ${id}, ${method}, ${reference}, ${amount}, ${status})`,
    );
  });
  if (rows.length === 0) return;
  await sql`
    insert into order_payments (order_id, position, method, reference, amount, status) values ${sql.join(rows)}
    on duplicate key update amount = values(amount), status = values(status)
  `.execute(db);
}

/** Payments as the table can hold them, the order's first id for each method and reference. */
function distinct(stored: readonly Payment[], order: number, { merged, cut }: Report): Payment[] {
  const payments: Payment[] = [];
  for (const payment of stored) {
    const method = fit(payment.method, 64);
    const reference = fit(payment.reference ?? "", 255) || null;
    if (method !== payment.method.trim() || (reference ?? "") !== (payment.reference ?? "").trim()) {
      cut.count += 1;
      cut.orders.add(order);
    }
    const twin = payments.find((other) => reference && other.method === method && other.reference === reference);
    if (!twin) payments.push({ ...payment, method, reference });
    else {
      Object.assign(twin, { amount: payment.amount, status: payment.status });
      merged.count += 1;
      merged.orders.add(order);
    }
  }
  return payments;
}

/** A hash takes the place of what doesn't fit, so that two texts stay two. */
function fit(text: string, characters: number): string {
  const trimmed = [...text.trim()];
  if (trimmed.length <= characters) return trimmed.join("");
  const hash = createHash("sha256").update(text.trim()).digest("hex").slice(0, 32);
  return `${trimmed.slice(0, characters - hash.length - 1).join("")} ${hash}`;
}

async function fillRefunds(db: Kysely<unknown>, orders: readonly Stored[]): Promise<void> {
  const rows = orders.flatMap((order) => {
    const refunds: Refund[] = JSON.parse(order.refunds);
    return refunds.map(
      ({ id, created_at, reason, amount }) =>
        sql`(${order.id}, ${id}, ${new Date(created_at)}, ${reason ?? null}, ${amount})`,
    );
  });
  if (rows.length === 0) return;
  await sql`
    insert into order_refunds (order_id, position, created_at, reason, amount) values ${sql.join(rows)}
    on duplicate key update amount = values(amount)
  `.execute(db);
}
