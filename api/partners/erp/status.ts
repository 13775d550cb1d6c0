import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type, { type TSchema } from "typebox";
import packageJson from "../../package.json" with { type: "json" };
import { ago } from "../../platform/database/columns.ts";
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

/** So that a delivery which succeeds at once is never seen: whoever looks often would see each order come. */
const SEEN_AFTER_MS = 60_000;

/** Whether a delivery of longer than SEEN_AFTER_MS ago is in this state, and no newer one has taken its place. */
async function isAny(db: Db, state: "pending" | "failed"): Promise<boolean> {
  const delivery = await db
    .selectFrom("deliveries")
    .select("id")
    .where("state", "=", state)
    .where("superseded", "=", 0)
    .where("created_at", "<", ago(SEEN_AFTER_MS))
    .limit(1)
    .executeTakeFirst();
  return delivery !== undefined;
}

async function readQueue(db: Db): Promise<{ waiting: boolean; failing: boolean }> {
  const [waiting, failing] = await Promise.all([isAny(db, "pending"), isAny(db, "failed")]);
  return { waiting, failing };
}

/** The time to wait for the database; the status is promised within a second. */
const PATIENCE_MS = 700;

/**
 * A field that partners may still read (site/src/developers/pages/developers-fields.mdx, Versions): it told anybody how the shop
 * sells.
 */
const retired = <T extends TSchema>(schema: T) => nullable({ ...schema, deprecated: true });

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
        pending: retired(wholeNumber("Retired: always null. See `waiting`.", 0)),
        failed: retired(wholeNumber("Retired: always null. See `failing`.", 0)),
        waiting: nullable(
          Type.Boolean({
            description:
              "Whether one has waited for more than a minute, for a retry for instance; null while unknown. How many, and when, is in `GET /api/erp/orders/{id}/deliveries`, for partners alone.",
          }),
        ),
        failing: nullable(
          Type.Boolean({
            description:
              "Whether one has failed for good, and its order wasn't pushed again since; null while unknown.",
          }),
        ),
      },
      { description: "Deliveries to the webhook." },
    ),
    last_success_at: retired(time("Retired: always null.", "2026-10-18T08:13:05.000Z")),
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

/** GET /api/erp/status: public, never dependent on the database, and silent about when orders come and how many. */
export const statusRoutes: FastifyPluginAsyncTypebox<Dependencies> = async (
  app,
  { db, pullTokens, webhookConfigured },
) => {
  // Null when the database is down or hangs.
  const readQueueOrNull = boundedReader(() => readQueue(db), PATIENCE_MS);
  const pullConfigured = pullTokens.length > 0;

  app.get("/status", { schema: statusSchema }, async (_request, reply) => {
    const queue = await readQueueOrNull();
    const health = queue === null ? ("degraded" as const) : ("ok" as const);
    reply.header("Cache-Control", "no-cache");
    return {
      status: pullConfigured || webhookConfigured ? health : ("unconfigured" as const),
      pull_api: { configured: pullConfigured },
      webhook: { configured: webhookConfigured },
      queue: { pending: null, failed: null, ...(queue ?? { waiting: null, failing: null }) },
      last_success_at: null,
      version: packageJson.version,
    };
  });
};
