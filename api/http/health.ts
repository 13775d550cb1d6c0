import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { describeOutage } from "../database/outage.ts";
import type { Db } from "../database/pool.ts";
import { boundedReader, probeDatabase } from "../database/readiness.ts";
import { ApiError } from "./problem.ts";
import { noParameters } from "./schema-types.ts";

/** The operator is promised an answer within a second. */
const PATIENCE_MS = 900;

/**
 * GET /api/health/live: the process answers; GET /api/health/ready: its database does too, with the schema of this release, else 503 and why. For the operator,
 * who asks the API's own port: nginx keeps the public out, and openapi.json does not name them.
 */
export const healthRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  const findFault = boundedReader(
    () =>
      probeDatabase(db).then(
        () => "",
        (error) => describeOutage(error) ?? null,
      ),
    PATIENCE_MS,
  );
  const schema = { hide: true, querystring: noParameters };
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("Cache-Control", "no-store");
  });

  app.get("/live", { schema }, async () => ({ status: "live" }));

  app.get("/ready", { schema }, async () => {
    const fault = await findFault();
    if (fault === "") return { status: "ready" };
    throw new ApiError("unavailable", fault ?? "The database does not answer.", { headers: { "Retry-After": "5" } });
  });
};
