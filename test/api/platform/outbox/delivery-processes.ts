import type { Db } from "../../../../api/platform/database/pool.ts";
import { findFreePort } from "../../../../nginx/local/ports.ts";
import { openMigratedDatabase, token } from "../../api.ts";
import { until, untilServing } from "../../server-process.ts";
import { type Behaviour, secret, startErp } from "../webhook/erp-server.ts";

/** Prepares a migrated database, an ERP and the settings of processes that deliver to it. */
export async function prepare(behaviour?: Behaviour, databaseUrl?: string) {
  const { db, url } = await openMigratedDatabase(databaseUrl);
  const erp = await startErp(behaviour);
  const env = {
    API_PORT: String(await findFreePort()),
    BASE_URL: "https://shop.example",
    DATABASE_URL: url,
    ERP_PULL_API_TOKEN: token,
    ERP_WEBHOOK_URL: erp.url,
    ERP_WEBHOOK_SECRET: secret,
    ERP_WEBHOOK_ALLOW: "127.0.0.0/8",
    ERP_WEBHOOK_ALLOW_HTTP: "true",
  };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${env.API_PORT}${path}`, { ...init, headers: { "x-ecom-api-token": token } });
  return { erp, db, env, ask, untilServing: () => untilServing(env.API_PORT) };
}

export const untilDelivered = (db: Db, count: number) =>
  until(
    () => db.selectFrom("deliveries").select("id").where("state", "=", "delivered").execute(),
    ({ length }) => length === count,
  );

export const idsOf = ({ received }: Awaited<ReturnType<typeof startErp>>) =>
  received.map(({ headers }) => headers["webhook-id"]).sort();
