import type { RowDataPacket } from "mysql2/promise";
import { weightBudget } from "../../weight-budget.ts";
import type { Row } from "../row.ts";
import type { BenchDatabase } from "./database.ts";
import { PAGE_KINDS, pathOf } from "./page-kinds.ts";
import { AS_PARTNER } from "./processes.ts";

const LIMITS = [1, 50, 250];

/** Counts at the server what the database is asked for each kind of page, at several limits. */
export async function countStatements({ connection }: BenchDatabase, api: string): Promise<Row> {
  const asked = async () => {
    const [[row]] = await connection.query<RowDataPacket[]>("show global status like 'Com_select'");
    return Number(row?.["Value"]);
  };
  const count = async (path: string, limit: number) => {
    const before = await asked();
    const answer = await fetch(`${api}${path}&limit=${limit}`, { headers: AS_PARTNER });
    const { orders } = (await answer.json()) as { orders: unknown[] };
    if (orders.length !== limit) throw new Error(`A page of ${limit} orders came with ${orders.length}.`);
    return (await asked()) - before;
  };
  const counts: number[] = [];
  for (const kind of PAGE_KINDS) {
    for (const limit of LIMITS) {
      const path = pathOf(kind, 0);
      // The API also looks for deliveries that are due; the least of three has nothing of that in it.
      counts.push(Math.min(await count(path, limit), await count(path, limit), await count(path, limit)));
    }
  }
  return {
    what: "Statements for a page of orders",
    unit: "statements",
    ours: { name: "API", values: [Math.max(...counts)] },
    bar: { atMost: weightBudget.statementsOfList },
    note: `the most that any kind of page took, ${LIMITS.join(", ")} orders long; counted by the server`,
  };
}
