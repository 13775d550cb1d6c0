import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Db } from "../../api/platform/database/pool.ts";

/** Returns the value of `run` and every statement that mysql2 sends meanwhile. */
export async function countStatements<T>(run: () => Promise<T>): Promise<{ statements: string[]; value: T }> {
  const statements: string[] = [];
  const record = (message: unknown) => statements.push((message as { query: string }).query);
  const channels = ["tracing:mysql2:query:start", "tracing:mysql2:execute:start"];
  for (const channel of channels) subscribe(channel, record);
  const value = await run();
  for (const channel of channels) unsubscribe(channel, record);
  return { statements, value };
}

/** A database with which whoever uses it waits for `work` after each statement: what others do at just that moment. */
export const withWorkBetween = (db: Db, work: () => Promise<void>): Db =>
  db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await work();
      return result;
    },
  });
