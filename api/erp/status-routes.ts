import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import type { Db } from "../database/database.ts";
import { answerHeaders, commonProblems, limitHeaders, problemResponse, tooMany } from "../http/problem-schema.ts";
import { noParameters, nullable, oneOf, text, time, wholeNumber } from "../http/schema-types.ts";
import packageJson from "../package.json" with { type: "json" };
import { watchQueue } from "./status.ts";

const configured = Type.Object({ configured: Type.Boolean({ description: "Whether it is set up." }) });

const Status = Type.Object(
  {
    status: oneOf(["ok", "degraded", "unconfigured"], {
      description: "`degraded` while the database is away; `unconfigured` while neither token nor webhook is set up.",
      example: "ok",
    }),
    pull_api: { ...configured, description: "The endpoints behind the partner token." },
    webhook: { ...configured, description: "Where orders are pushed to." },
    queue: Type.Object(
      {
        pending: nullable(wholeNumber("Waiting or to be tried again; null while unknown.", 0)),
        failed: nullable(
          wholeNumber("Given up, and no newer version of the order was pushed since; null while unknown.", 0),
        ),
      },
      { description: "Deliveries to the webhook." },
    ),
    last_success_at: nullable(
      time("When the webhook last took an order; null if never, or while unknown.", "2026-10-18T08:13:05.000Z"),
    ),
    version: text("The version of this service.", "1.0.0"),
  },
  { $id: "Status", description: "How the ERP integration is set up and how it fares; no secrets, no addresses." },
);

const statusSchema = {
  operationId: "getErpStatus",
  tags: ["Public"],
  summary: "Status of the ERP integration",
  description:
    "Needs no token. Answers within a second even while the database is away, 60 times a minute to an address.",
  security: [],
  querystring: noParameters,
  response: {
    200: {
      ...Status,
      headers: {
        ...answerHeaders,
        ...limitHeaders,
        "Cache-Control": { type: "string", enum: ["no-cache"], description: "Ask again." },
      },
    },
    ...commonProblems,
    429: tooMany("More than 60 requests a minute from one address."),
    503: problemResponse("This service is away for the moment."),
  },
};

interface Dependencies {
  db: Db;
  pullTokens: readonly string[];
  webhookConfigured: boolean;
}

/** GET /api/erp/status (design §6): public, and never dependent on the database. */
export const statusRoutes: FastifyPluginAsyncTypebox<Dependencies> = async (
  app,
  { db, pullTokens, webhookConfigured },
) => {
  const readQueue = watchQueue(db);
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
