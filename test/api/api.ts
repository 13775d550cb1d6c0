import { inject, onTestFinished } from "vitest";
import { type AppDependencies, buildApp } from "../../api/app.ts";
import { readDatabaseAddress } from "../../api/env.ts";
import { migrate } from "../../api/platform/database/migrate.ts";
import { COMMAND, type Db, openDatabase, SERVING } from "../../api/platform/database/pool.ts";
import { openBuilds } from "../../api/platform/private-pages/builds.ts";
import { createDatabase } from "../database.ts";

export const token = "a-partner-token-of-thirty-two-letters";

/** What the app is made of, with the folder or http address of its private pages in place of its builds. */
export interface Overrides extends Partial<AppDependencies> {
  sessionPages?: string;
}

/**
 * An app on the given database, or on its own, which is migrated and empty; removed after the test. `statements`: the
 * kinds that the app ran on its own.
 */
export async function startApi({ sessionPages, ...overrides }: Overrides = {}) {
  const db = overrides.db ?? (await openTestDatabase());
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
    ...(sessionPages !== undefined && { builds: openBuilds(sessionPages) }),
    ...overrides,
  });
  onTestFinished(() => app.close());
  const get = (url: string, headers: Record<string, string> = {}) =>
    app.inject({ method: "GET", url, headers: { authorization: `Bearer ${token}`, ...headers } });
  return { app, db, get, statements };
}

/** As many connections as the API's, and a command's patience: on a busy machine the API's own timeouts are reached. */
export const PATIENT = { ...COMMAND, connections: SERVING.connections };

/** Opens a migrated, empty database, which is dropped after the test. */
export const openTestDatabase = async (): Promise<Db> => (await openMigratedDatabase()).db;

/** The same with its URL. A database at a `given` URL is migrated and isn't dropped. */
export async function openMigratedDatabase(given?: string): Promise<{ db: Db; url: string }> {
  const { url, drop } =
    given === undefined ? await createDatabase(inject("schema")) : { url: given, drop: async () => {} };
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: url }), { timeouts: PATIENT });
  onTestFinished(async () => {
    await db.destroy();
    await drop();
  });
  if (given !== undefined) await migrate(db);
  return { db, url };
}

/** Runs this migration and later ones again, as after an interrupted upgrade. Returns their names. */
export async function migrateAgain(db: Db, name: string): Promise<string[]> {
  const recorded = db.withTables<{ kysely_migration: { name: string } }>();
  await recorded.deleteFrom("kysely_migration").where("name", ">=", name).execute();
  return migrate(db);
}
