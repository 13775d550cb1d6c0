import type { Db } from "../../../../api/platform/database/pool.ts";

/** Whether the server is a MariaDB; otherwise it's a MySQL. */
export async function isMariadb(db: Db): Promise<boolean> {
  const version = db.selectNoFrom(({ fn }) => fn<string>("version").as("version"));
  return (await version.executeTakeFirstOrThrow()).version.includes("MariaDB");
}

/** The values of a session's variables or counts, those that the server has. MariaDB and MySQL keep them in different schemas. */
export async function sessionValues(
  db: Db,
  table: "session_status" | "session_variables",
  ...names: readonly string[]
): Promise<string[]> {
  const rows = await db
    .withTables<Record<typeof table, Record<"variable_name" | "variable_value", string>>>()
    .withSchema((await isMariadb(db)) ? "information_schema" : "performance_schema")
    .selectFrom(table)
    .select("variable_value")
    .where("variable_name", "in", names)
    .execute();
  return rows.map(({ variable_value }) => variable_value);
}
