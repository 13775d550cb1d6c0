/** Rows per statement, to keep locks short. */
const BATCH = 200;

interface Deletion {
  limit(rows: number): { executeTakeFirstOrThrow(): Promise<{ numDeletedRows: bigint }> };
}

/** Runs each deletion in small batches until it finds nothing more or `signal` aborts. */
export async function deleteInBatches(deletions: readonly (() => Deletion)[], signal: AbortSignal): Promise<void> {
  for (const deletion of deletions) {
    let deleted: bigint;
    do deleted = (await deletion().limit(BATCH).executeTakeFirstOrThrow()).numDeletedRows;
    while (deleted === BigInt(BATCH) && !signal.aborted);
  }
}
