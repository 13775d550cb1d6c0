import type { FeedProduct } from "../../contract/built-files/products.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { noteEffective, storeShown, withEffectiveOffers } from "./effective-offers.ts";
import { readErpPrices, recordPrices } from "./prices.ts";
import { toColumns } from "./product-columns.ts";
import { storeVariants } from "./variants.ts";

export interface ImportResult {
  added: number;
  changed: number;
  archived: number;
  unchanged: number;
}

/** Rows per statement: a few hundred kilobytes, well below max_allowed_packet (16 MB or more). */
const ROWS_AT_ONCE = 100;

/**
 * Brings products and their variants up to date with the catalogue, in one transaction that locks the sequence row:
 * readers see all of it or nothing. An unchanged product keeps its sequence and updated_at, and a removed one is
 * archived. A renamed product keeps the id of its `formerly` slug; an archived product that has the new slug gets
 * another one. `at` is the time of the change. Products say what is left of versions that are counted, and the ERP's
 * prices where the stored shop's facts let it decide them, and are changed only if that is new. Throws RangeError when an
 * empty catalogue would archive everything.
 */
export function importProducts(db: Db, catalogue: readonly FeedProduct[], at = new Date()): Promise<ImportResult> {
  return inTransaction(db, async (transaction) => {
    // Locks the sequence row without taking a number yet, so that two imports can't work from the same state.
    const { last_id, last_sequence } = await takeNumbers(transaction, "products", { ids: 0, sequences: 0 });
    const known = await readKnown(transaction);
    if (catalogue.length === 0 && known.length > 0)
      throw new RangeError("/products is empty, which would archive the whole catalogue. Build the site again.");
    const erpPrices = await readErpPrices(transaction);
    const effective = await withEffectiveOffers(transaction, catalogue, erpPrices);
    const { added, changed, archived, displaced, unchanged } = compare(effective, known);
    let sequence = last_sequence;
    const mark = (status: "active" | "archived") => {
      sequence += 1;
      return { status, sequence, updated_at: at };
    };
    for (const { id, slug } of displaced) {
      const values = { slug, ...mark("archived") };
      await transaction.updateTable("products").set(values).where("id", "=", id).execute();
    }
    for (const { id, columns } of changed) {
      const values = { ...columns, ...mark("active") };
      await transaction.updateTable("products").set(values).where("id", "=", id).execute();
    }
    const rows = added.map((columns, index) => ({
      ...columns,
      ...mark("active"),
      id: last_id + index + 1,
      created_at: at,
    }));
    for (let first = 0; first < rows.length; first += ROWS_AT_ONCE)
      await transaction
        .insertInto("products")
        .values(rows.slice(first, first + ROWS_AT_ONCE))
        .execute();
    for (const { id } of archived) {
      await transaction.updateTable("products").set(mark("archived")).where("id", "=", id).execute();
    }
    await takeNumbers(transaction, "products", { ids: added.length, sequences: sequence - last_sequence });
    await storeVariants(transaction, catalogue);
    await storeShown(transaction, catalogue, effective);
    await recordPrices(transaction, catalogue, erpPrices, at);
    await noteEffective(transaction, sequence);
    return { added: added.length, changed: changed.length, archived: archived.length, unchanged };
  });
}

const readKnown = (db: Db) => db.selectFrom("products").select(["id", "slug", "status", "content_hash"]).execute();

/** The differences between the known rows and the catalogue. */
function compare(catalogue: readonly FeedProduct[], known: Awaited<ReturnType<typeof readKnown>>) {
  const bySlug = new Map(known.map((row) => [row.slug, row]));
  const displaced: { id: number; slug: string }[] = [];
  const leaving = new Map(known.filter(({ status }) => status === "active").map((row) => [row.id, row]));
  const added: Columns[] = [];
  const changed: { id: number; columns: Columns }[] = [];
  let unchanged = 0;
  for (const product of catalogue) {
    const columns = toColumns(product);
    // The current slug first: when two pages are merged, the one that stays keeps its id. But a product renamed to the
    // slug of an archived one keeps its own id.
    const rows = [product.slug, ...product.formerly].flatMap((slug) => bySlug.get(slug) ?? []);
    const row = rows.find(({ status }) => status === "active") ?? rows[0];
    const holder = bySlug.get(product.slug);
    if (holder && holder !== row) displaced.push({ id: holder.id, slug: archivedSlug(holder) });
    if (row) leaving.delete(row.id);
    if (!row) added.push(columns);
    else if (row.status === "active" && row.content_hash === columns.content_hash) unchanged += 1;
    else changed.push({ id: row.id, columns });
  }
  return { added, changed, archived: [...leaving.values()], displaced, unchanged };
}

/** An unused slug, within the column's 191 characters. */
function archivedSlug({ id, slug }: { id: number; slug: string }): string {
  const end = `-archived-${id}`;
  return [...slug].slice(0, 191 - end.length).join("") + end;
}

type Columns = ReturnType<typeof toColumns>;
