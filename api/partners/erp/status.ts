import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import packageJson from "../../package.json" with { type: "json" };
import { toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { boundedReader } from "../../platform/database/readiness.ts";
import {
  answerHeaders,
  commonProblems,
  limitHeaders,
  problemResponse,
  tooMany,
} from "../../platform/http/problem-schema.ts";
import { noParameters, nullable, oneOf, text, time, wholeNumber } from "../../platform/http/schema-types.ts";

interface Queue {
  pending: number;
  failed: number;
  last_success_at: string | null;
}

/** The numbers of pending and failed deliveries, and when the webhook last accepted one: three index lookups. */
async function readQueue(db: Db): Promise<Queue> {
  const { pending, failed, last_success_at } = await db
    .selectNoFrom(({ selectFrom, fn }) => [
      selectFrom("deliveries").select(fn.countAll<number>().as("n")).where("state", "=", "pending").as("pending"),
      selectFrom("deliveries")
        .select(fn.countAll<number>().as("n"))
        .where("state", "=", "failed")
        .where("superseded", "=", 0) // a newer version was pushed instead
        .as("failed"),
      selectFrom("deliveries")
        .select((deliveries) => deliveries.fn.max("delivered_at").as("at"))
        .as("last_success_at"),
    ])
    .executeTakeFirstOrThrow();
  return { pending: pending ?? 0, failed: failed ?? 0, last_success_at: last_success_at && toRfc3339(last_success_at) };
}

/** The time to wait for the database; the status is promised within a second. */
const PATIENCE_MS = 700;

/** Makes a reader of the queue that resolves within PATIENCE_MS, to null when the database is down or hangs. */
const queueReader = (db: Db) => boundedReader(() => readQueue(db), PATIENCE_MS);

const configured = Type.Object({ configured: Type.Boolean({ description: "Whether it is configured." }) });

const Status = Type.Object(
  {
    status: oneOf(["ok", "degraded", "unconfigured"], {
      description: "`degraded` while the database is unavailable; `unconfigured` without a token and a webhook.",
      example: "ok",
    }),
    pull_api: { ...configured, description: "The endpoints that need the partner token." },
    webhook: { ...configured, description: "Where orders are pushed to." },
    queue: Type.Object(
      {
        pending: nullable(wholeNumber("Waiting or to be retried; null while unknown.", 0)),
        failed: nullable(wholeNumber("Given up and not superseded by a newer version; null while unknown.", 0)),
      },
      { description: "Deliveries to the webhook." },
    ),
    last_success_at: nullable(
      time("When the webhook last accepted an order; null if never, or while unknown.", "2026-10-18T08:13:05.000Z"),
    ),
    version: text("The version of this service.", "1.0.0"),
  },
  { $id: "Status", description: "The configuration and state of the ERP integration, without secrets or addresses." },
);

const statusSchema = {
  operationId: "getErpStatus",
  tags: ["Public"],
  summary: "Status of the ERP integration",
  description:
    "Doesn't need a token. Answers within a second even while the database is unavailable, up to 60 times a minute per address.",
  security: [],
  querystring: noParameters,
  response: {
    200: {
      ...Status,
      headers: {
        ...answerHeaders,
        ...limitHeaders,
        "Cache-Control": { type: "string", enum: ["no-cache"], description: "Revalidate before every use." },
      },
    },
    ...commonProblems,
    429: tooMany("More than 60 requests a minute from one address."),
    503: problemResponse("This service is temporarily unavailable."),
  },
};

interface Dependencies {
  db: Db;
  pullTokens: readonly string[];
  webhookConfigured: boolean;
}

/** GET /api/erp/status: public, and never dependent on the database. */
export const statusRoutes: FastifyPluginAsyncTypebox<Dependencies> = async (
  app,
  { db, pullTokens, webhookConfigured },
) => {
  const readQueue = queueReader(db);
  const pullConfigured = pullTokens.length > 0;

  app.get("/status", { schema: statusSchema }, async (_request, reply) => {
    const queue = await readQueue();
    const health = queue ? ("ok" as const) : ("degraded" as const);
    reply.header("Cache-Control", "no-cache");
    return {
      status: pullConfigured || webhookConfigured ? health : ("unconfigured" as const),
      pull_api: { configured: pullConfigured },
      webhook: { configured: webhookConfigured },
      queue: { pending: queue?.pending ?? null, failed: queue?.failed ?? null },
      last_success_at: queue?.last_success_at ?? null,
      version: packageJson.version,
    };
  });
};
