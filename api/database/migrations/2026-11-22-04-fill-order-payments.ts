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

/**
 * Gives the payments and refunds that were stored as JSON alone their rows. It may be broken off and run again: a row
 * that is there already gets the same values. Of one reference that an order had twice, the last state is kept.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<Stored>`
      select id, payments, refunds from orders
      where id > ${after} and (json_length(payments) > 0 or json_length(refunds) > 0)
      order by id limit ${ORDERS_AT_ONCE}
    `.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    await fillPayments(db, rows);
    await fillRefunds(db, rows);
    after = last.id;
  }
}

async function fillPayments(db: Kysely<unknown>, orders: readonly Stored[]): Promise<void> {
  const rows = orders.flatMap((order) => {
    const payments: Payment[] = JSON.parse(order.payments);
    return payments.map(
      ({ id, method, reference, amount, status }) =>
        sql`(${order.id}, ${id}, ${method}, ${reference ?? null}, ${amount}, ${status})`,
    );
  });
  if (rows.length === 0) return;
  await sql`
    insert into order_payments (order_id, position, method, reference, amount, status) values ${sql.join(rows)}
    on duplicate key update amount = values(amount), status = values(status)
  `.execute(db);
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
