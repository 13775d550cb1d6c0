import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { describeOutage } from "../database/outage.ts";
import type { Db } from "../database/pool.ts";
import { boundedReader, probeDatabase } from "../database/readiness.ts";
import { ApiError } from "./problem.ts";
import { noParameters } from "./schema-types.ts";

/** Operators are promised an answer within a second. */
const PATIENCE_MS = 900;

interface HealthOptions {
  db: Db;
  /** What is made of the site's builds: templates, search, mails and so on; nothing without private pages. */
  ofBuilds: readonly { findFault(): Promise<string | undefined> }[];
}

/**
 * GET /api/health/live: the process responds. GET /api/health/ready: the database does too, with this release's tables;
 * otherwise 503 and why. `private_pages` says why the newest build's templates, search or mails aren't used, for instance.
 * Both are on the API's own port only: nginx blocks them, and openapi.json leaves them out.
 */
export const healthRoutes: FastifyPluginAsyncTypebox<HealthOptions> = async (app, { db, ofBuilds }) => {
  const findFault = boundedReader(
    () =>
      probeDatabase(db).then(
        () => "",
        (error) => describeOutage(error) ?? null,
      ),
    PATIENCE_MS,
  );
  // A search that is still being indexed isn't a fault.
  const findBuildFaults = boundedReader(() => Promise.all(ofBuilds.map((each) => each.findFault())), PATIENCE_MS);
  const schema = { hide: true, querystring: noParameters };
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("Cache-Control", "no-store");
  });

  app.get("/live", { schema }, async () => ({ status: "live" }));

  app.get("/ready", { schema }, async () => {
    const [fault, buildFaults] = await Promise.all([findFault(), findBuildFaults()]);
    const privatePages = [...new Set(buildFaults?.filter((each) => each !== undefined))].join(" ");
    if (fault === "") return { status: "ready", ...(privatePages && { private_pages: privatePages }) };
    throw new ApiError("unavailable", fault ?? "The database doesn't respond.", { headers: { "Retry-After": "5" } });
  });
};
