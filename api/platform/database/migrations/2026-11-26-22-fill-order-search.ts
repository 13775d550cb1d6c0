import { catchUpSearch } from "../order-search.ts";
import type { Db } from "../pool.ts";

/** It can be interrupted and run again: it goes on where it was. An earlier release may place orders meanwhile. */
export const up = (db: Db): Promise<void> => catchUpSearch(db);
