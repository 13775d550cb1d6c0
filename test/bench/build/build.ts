import type { Findings } from "../row.ts";

/** Not measured yet. */
export const benchBuild = async (): Promise<Findings> => ({ rows: [] });
