import { readJson, toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";

// A person walks to the shelf with a page or a list in hand, and comes back with numbers. If a parcel has left meanwhile, or a
// colleague has counted, nobody but them can say whether their number is from before or after.

/**
 * What had happened when somebody opened a page or a list to count by: the last parcel's id in `order_history`, and the last
 * count's in `stock_history`. Both get theirs under the lock of the orders' sequence row, so no smaller one appears later.
 */
export interface Opened {
  parcel: number;
  count: number;
}

/** A parcel that was recorded since, as far as it has a SKU. */
interface ParcelSince {
  /** The order's. */
  number: string;
  units: number;
  /** RFC 3339. */
  at: string;
}

interface CountSince {
  /** As they were called then. */
  by: string;
  /** Pieces on the shelf; null: not counted any more. */
  shelf: number | null;
  /** RFC 3339. */
  at: string;
}

/** What has happened to a SKU since somebody began to count. */
export interface Since {
  parcels: ParcelSince[];
  counts: CountSince[];
}

/** What has happened until now. Read it before what is shown to whoever counts. */
export async function readOpened(db: Db): Promise<Opened> {
  const parcel = await db
    .selectFrom("order_history")
    .select("id")
    .where("act", "=", SENT)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  const count = await db.selectFrom("stock_history").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return { parcel: parcel?.id ?? 0, count: count?.id ?? 0 };
}

/** The act that records a parcel (orders/acts.ts). */
const SENT = "sent";

/** For a form or a list. A spreadsheet takes it for neither a number nor a day, either of which it would write in its own way. */
export const writeOpened = ({ parcel, count }: Opened): string => `p${parcel}c${count}`;

/** Undefined for what writeOpened hasn't written. */
export function parseOpened(text: string): Opened | undefined {
  const [, parcel, count] = /^p(\d{1,15})c(\d{1,15})$/.exec(text) ?? [];
  return parcel === undefined || count === undefined ? undefined : { parcel: Number(parcel), count: Number(count) };
}

/** What has happened to SKUs since each was opened; one to which nothing has isn't among them. */
export async function readSince(
  db: Db,
  asked: readonly { sku: string; opened?: Opened | undefined }[],
): Promise<Map<string, Since>> {
  const opened = new Map(asked.flatMap(({ sku, opened }) => (opened ? [[sku, opened] as const] : [])));
  const since = new Map<string, Since>();
  if (opened.size === 0) return since;
  const of = (sku: string) => {
    const known = since.get(sku) ?? { parcels: [], counts: [] };
    since.set(sku, known);
    return known;
  };
  for (const { id, sku, ...parcel } of await readParcels(db, opened))
    if (id > (opened.get(sku)?.parcel ?? id)) of(sku).parcels.push(parcel);
  for (const { id, sku, ...count } of await readCounts(db, opened))
    if (id > (opened.get(sku)?.count ?? id)) of(sku).counts.push(count);
  return since;
}

/** The parcels in which these SKUs were, from the earliest time that one of them was opened at, oldest first. */
async function readParcels(db: Db, opened: ReadonlyMap<string, Opened>) {
  const skus = [...opened.keys()];
  const rows = await db
    .selectFrom("order_history")
    .innerJoin("orders", "orders.id", "order_history.order_id")
    .select(["order_history.id", "order_id", "done_at", "number", "fulfillments"])
    .where("order_history.id", ">", Math.min(...[...opened.values()].map(({ parcel }) => parcel)))
    .where("act", "=", SENT)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("order_lines")
          .select("order_lines.id")
          .whereRef("order_lines.order_id", "=", "order_history.order_id")
          .where("sku", "in", skus),
      ),
    )
    .orderBy("order_history.id")
    .execute();
  if (rows.length === 0) return [];
  const lines = await db
    .selectFrom("order_lines")
    .select(["id", "sku"])
    .where("order_id", "in", [...new Set(rows.map(({ order_id }) => order_id))])
    .where("sku", "in", skus)
    .execute();
  // Each act has added a parcel at the end, so that the last acts are those of the last parcels.
  const ofOrders = Map.groupBy(rows, ({ order_id }) => order_id);
  const parcels = [...ofOrders.values()].flatMap((acts) => {
    const [first] = acts;
    const sent = first?.fulfillments ? readJson(first.fulfillments).slice(-acts.length) : [];
    return sent.flatMap(({ lines: pieces }, place) => {
      const act = acts[place];
      return act ? [{ ...act, pieces }] : [];
    });
  });
  return parcels.flatMap(({ id, number, done_at, pieces }) =>
    pieces.flatMap(({ line_id, quantity }) => {
      const sku = lines.find((line) => line.id === line_id)?.sku ?? undefined;
      return sku === undefined ? [] : [{ id, sku, number, units: quantity, at: toRfc3339(done_at) }];
    }),
  );
}

/** The counts of these SKUs, from the earliest time that one of them was opened at, oldest first. */
async function readCounts(db: Db, opened: ReadonlyMap<string, Opened>) {
  const rows = await db
    .selectFrom("stock_history")
    .select(["id", "sku", "done_by", "became", "done_at"])
    .where("id", ">", Math.min(...[...opened.values()].map(({ count }) => count)))
    .where("sku", "in", [...opened.keys()])
    .orderBy("id")
    .execute();
  return rows.map(({ id, sku, done_by, became, done_at }) => ({
    ...{ id, sku, by: done_by, shelf: became, at: toRfc3339(done_at) },
  }));
}
