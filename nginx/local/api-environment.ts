import { findFreePort } from "./ports.ts";
import type { Session } from "./session.ts";
import { openDatabase } from "./shop-database.ts";
import { keptToken } from "./token.ts";

/** Settings of the API's processes. */
export interface ApiEnvironment extends Record<string, string | undefined> {
  API_PORT: string;
  METRICS_PORT: string;
  BASE_URL: string;
  DATABASE_URL: string;
  ERP_PULL_API_TOKEN: string;
}

/** The API's settings: what was set, and what the starter provides in its place, the private database started. */
export async function provideApiEnvironment(session: Session): Promise<ApiEnvironment> {
  const { settings } = session;
  return {
    ...settings.environment,
    API_PORT: String(settings.apiPort ?? (await findFreePort())),
    METRICS_PORT: String(settings.metricsPort ?? (await findFreePort())),
    BASE_URL: settings.baseUrl,
    DATABASE_URL: await openDatabase(session),
    ERP_PULL_API_TOKEN: settings.token ?? keptToken(settings.dataDir),
  };
}
