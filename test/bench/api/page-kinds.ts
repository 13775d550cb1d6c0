import type { Connection, RowDataPacket } from "mysql2/promise";

export const PAGE = 50;

/** A way to walk through the orders. */
export interface PageKind {
  name: string;
  parameter: "since_id" | "changed_after";
  column: "id" | "sequence";
  statuses: readonly string[];
}

const walks = [
  { parameter: "since_id", column: "id" },
  { parameter: "changed_after", column: "sequence" },
] as const;
const filters = [[], ["pending"], ["pending", "on_hold"]] as const;

/** All that there are: by id and by change; of any status, of one and of two. */
export const PAGE_KINDS: readonly PageKind[] = walks.flatMap((walk) =>
  filters.map((statuses) => ({
    ...walk,
    statuses,
    name: [walk.parameter, ...(statuses.length > 0 ? [`status=${statuses}`] : [])].join(", "),
  })),
);

/** The address of the page after a number. */
export const pathOf = ({ parameter, statuses }: PageKind, after: number): string =>
  `/api/orders?${parameter}=${after}${statuses.length > 0 ? `&status=${statuses}` : ""}`;

/** The number after which the last full page begins. */
export async function findLastPage(connection: Connection, { column, statuses }: PageKind): Promise<number> {
  const [[row]] = await connection.query<RowDataPacket[]>(
    `select ${column} as number from orders ${statuses.length > 0 ? "where status in (?)" : ""} order by ${column} desc limit 1 offset ${PAGE}`,
    [statuses],
  );
  return row?.["number"];
}
