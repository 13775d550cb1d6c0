import { ago } from "../../platform/database/columns.ts";
import { deleteInBatches } from "../../platform/database/delete-in-batches.ts";
import type { Db } from "../../platform/database/pool.ts";
import { ASKED_FOR_MS } from "./verification.ts";

const KEPT_MS = 90 * 24 * 3_600_000;

/** A job that deletes calls and cases after 90 days, and verifications after a day. */
export const makeAssistantRetention = (db: Db) => (signal: AbortSignal) =>
  deleteInBatches(
    [
      () => db.deleteFrom("assistant_calls").where("called_at", "<", ago(KEPT_MS)).orderBy("called_at"),
      () => db.deleteFrom("cases").where("created_at", "<", ago(KEPT_MS)).orderBy("created_at"),
      () => db.deleteFrom("verifications").where("created_at", "<", ago(ASKED_FOR_MS)).orderBy("created_at"),
    ],
    signal,
  );
