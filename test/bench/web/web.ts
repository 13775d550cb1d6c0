import type { Findings } from "../row.ts";

/** Not measured yet. */
export const benchWeb = async (): Promise<Findings> => ({ rows: [] });
