import { onTestFinished } from "vitest";
import { type AppDependencies, buildApp } from "../../api/app.ts";
import { migrate } from "../../api/database/migrate.ts";
import { type Db, openDatabase } from "../../api/database/pool.ts";
import { readDatabaseAddress } from "../../api/env.ts";
import { createDatabase } from "../database.ts";

export const token = "a-partner-token-of-thirty-two-letters";

/** An app on a database of its own, migrated and empty; both are gone when the test is. `statements`: what the app ran. */
export async function startApi(different: Partial<AppDependencies> = {}) {
  const db = await openTestDatabase();
  const statements: string[] = [];
  const counted = db.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const app = buildApp({
    db: counted,
    baseUrl: "https://shop.example",
    pullTokens: [token],
    rateLimitPerMinute: 0,
    ...different,
  });
  onTestFinished(() => app.close());
  const get = (url: string, headers: Record<string, string> = {}) =>
    app.inject({ method: "GET", url, headers: { authorization: `Bearer ${token}`, ...headers } });
  return { app, db, get, statements };
}

/** A migrated, empty database. */
export const openTestDatabase = async (): Promise<Db> => (await openMigratedDatabase()).db;

/** The same with its URL, or the database at a URL that is given, which stays when the test is over. */
export async function openMigratedDatabase(given?: string): Promise<{ db: Db; url: string }> {
  const { url, drop } = given === undefined ? await createDatabase() : { url: given, drop: async () => {} };
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: url }));
  onTestFinished(async () => {
    await db.destroy();
    await drop();
  });
  await migrate(db);
  return { db, url };
}

/** Runs this migration and those after it once more, as after an upgrade that was broken off. Returns their names. */
export async function migrateAgain(db: Db, name: string): Promise<string[]> {
  const recorded = db.withTables<{ kysely_migration: { name: string } }>();
  await recorded.deleteFrom("kysely_migration").where("name", ">=", name).execute();
  return migrate(db);
}
