import type { Kysely } from "kysely";
import { fillEmailKeys } from "../email-keys.ts";

/** It can be interrupted and run again: only orders without a key get one, and nothing else of them changes. */
export const up = (db: Kysely<unknown>): Promise<void> => fillEmailKeys(db);
