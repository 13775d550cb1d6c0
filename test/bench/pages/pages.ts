import type { Findings } from "../row.ts";

/** Not measured yet. */
export const benchPages = async (): Promise<Findings> => ({ rows: [] });
