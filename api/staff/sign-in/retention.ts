import { ago } from "../../platform/database/columns.ts";
import { deleteInBatches } from "../../platform/database/delete-in-batches.ts";
import type { Db } from "../../platform/database/pool.ts";
import { CHALLENGE_KEPT_MS, LINK_KEPT_MS, SESSION_KEPT_MS } from "./lifetimes.ts";

/** A job that deletes editors' links, challenges and sessions that have expired. */
export const makeEditorRetention = (db: Db) => (signal: AbortSignal) =>
  deleteInBatches(
    [
      () => db.deleteFrom("editor_links").where("created_at", "<", ago(LINK_KEPT_MS)).orderBy("created_at"),
      () => db.deleteFrom("editor_challenges").where("created_at", "<", ago(CHALLENGE_KEPT_MS)).orderBy("created_at"),
      () => db.deleteFrom("editor_sessions").where("created_at", "<", ago(SESSION_KEPT_MS)).orderBy("created_at"),
    ],
    signal,
  );
