import { type QueryExecutorProvider, sql } from "kysely";
import { emailKey } from "../mail/email-address.ts";

const ORDERS_AT_ONCE = 500;
/** Of the column; no mailbox has a longer address (RFC 5321, section 4.5.3.1.3). */
const MOST_CHARACTERS = 254;

/** The key of an order's address as its column holds it; null for what isn't an address. */
export function orderEmailKey(...emails: readonly (string | null | undefined)[]): string | null {
  const key = emailKey(emails.find(Boolean) ?? "");
  return key !== undefined && key.length <= MOST_CHARACTERS ? key : null;
}

/** Not an order that was erased since it was read, either. */
const isUnfilled = sql`email_key is null
  and (json_unquote(json_extract(buyer, '$.email')) <> '' or json_unquote(json_extract(customer, '$.email')) <> '')`;

interface Stored {
  id: number;
  buyer: string | null;
  customer: string | null;
}

/**
 * Fills the key of orders that an earlier release wrote, which goes on while the next one is started. Versions and
 * sequences stay, since partners see nothing of it. That release may have erased a person too, without knowing of the
 * key.
 */
export async function fillEmailKeys(db: QueryExecutorProvider): Promise<void> {
  await sql`
    update orders set email_key = null
    where email_key is not null and coalesce(json_unquote(json_extract(buyer, '$.email')), '') = ''
      and coalesce(json_unquote(json_extract(customer, '$.email')), '') = ''
  `.execute(db);
  for (let after = 0; ; ) {
    const { rows } = await sql<Stored>`
      select id, json_unquote(json_extract(buyer, '$.email')) as buyer,
        json_unquote(json_extract(customer, '$.email')) as customer
      from orders where id > ${after} and ${isUnfilled}
      order by id limit ${ORDERS_AT_ONCE}
    `.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    const keys = rows.flatMap(({ id, buyer, customer }) => {
      const key = orderEmailKey(buyer, customer);
      return key === null ? [] : [{ id, key }];
    });
    if (keys.length > 0)
      await sql`
        update orders set email_key = case id ${sql.join(
          keys.map(({ id, key }) => sql`when ${id} then ${key}`),
          sql` `,
        )} end
        where ${isUnfilled} and id in (${sql.join(keys.map(({ id }) => id))})
      `.execute(db);
    after = last.id;
  }
}
