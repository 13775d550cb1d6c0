import type { Findings } from "../row.ts";

/** Not measured yet. */
export const benchApi = async (): Promise<Findings> => ({ rows: [] });
