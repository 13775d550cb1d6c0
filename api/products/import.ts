import { createHash } from "node:crypto";
import { takeNumbers } from "../counter.ts";
import { type Db, inTransaction } from "../database.ts";
import type { FeedProduct } from "./catalogue-file.ts";

export interface ImportResult {
  added: number;
  changed: number;
  archived: number;
  unchanged: number;
}

/**
 * Makes the products table say what the catalogue says, in one transaction that holds the counter row: readers see
 * all of it or nothing. An unchanged product keeps its sequence and updated_at; one that left stays as archived; one
 * that was `formerly` another keeps that one's id. `at` is the time of the change.
 */
export function importProducts(db: Db, catalogue: readonly FeedProduct[], at = new Date()): Promise<ImportResult> {
  return inTransaction(db, async (transaction) => {
    // No number yet: this holds the row, so that two imports never work from the same state.
    const { last_id, last_sequence } = await takeNumbers(transaction, "products", { ids: 0, sequences: 0 });
    const stored = await transaction.selectFrom("products").select(["id", "slug", "status", "content_hash"]).execute();
    const bySlug = new Map(stored.map((row) => [row.slug, row]));
    const left = new Map(stored.filter(({ status }) => status === "active").map((row) => [row.id, row]));
    const result = { added: 0, changed: 0, archived: 0, unchanged: 0 };
    let sequence = last_sequence;
    for (const product of catalogue) {
      // The present slug first: two pages that became one keep the id of the one that stays.
      const known = [product.slug, ...product.formerly]
        .map((slug) => bySlug.get(slug))
        .find((row) => row !== undefined);
      const values = { ...toColumns(product), status: "active" as const, updated_at: at };
      if (known) left.delete(known.id);
      if (known?.status === "active" && known.content_hash === values.content_hash) {
        result.unchanged += 1;
        continue;
      }
      sequence += 1;
      if (known) {
        result.changed += 1;
        await transaction
          .updateTable("products")
          .set({ ...values, sequence })
          .where("id", "=", known.id)
          .execute();
      } else {
        result.added += 1;
        const row = { ...values, id: last_id + result.added, sequence, created_at: at };
        await transaction.insertInto("products").values(row).execute();
      }
    }
    for (const id of left.keys()) {
      sequence += 1;
      result.archived += 1;
      const values = { status: "archived" as const, sequence, updated_at: at };
      await transaction.updateTable("products").set(values).where("id", "=", id).execute();
    }
    await takeNumbers(transaction, "products", { ids: result.added, sequences: sequence - last_sequence });
    return result;
  });
}

function toColumns({ slug, url, title, description, brand, category, images, specifications, variants }: FeedProduct) {
  const columns = {
    slug,
    url,
    title,
    description,
    brand,
    category,
    images: JSON.stringify(images.map(({ url, alt }) => ({ url, alt }))),
    specifications: JSON.stringify(specifications.map(({ name, value }) => ({ name, value }))),
    variants: JSON.stringify(
      variants.map(({ options, ...variant }) => ({ ...variant, options: Object.entries(options) })),
    ),
  };
  return { ...columns, content_hash: createHash("sha256").update(JSON.stringify(columns)).digest("hex") };
}
