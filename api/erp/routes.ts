import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Db } from "../database/database.ts";
import { withIdempotencyKey } from "../http/idempotency.ts";
import { takeOptionalJson } from "../http/optional-body.ts";
import { ApiError } from "../http/problem.ts";
import { orderExists } from "../orders/queries.ts";
import type { Courier } from "../outbox/attempt.ts";
import { listDeliveries } from "./deliveries.ts";
import { previewOrder } from "./preview.ts";
import { pushOrder } from "./push.ts";
import { deliveriesSchema, previewSchema, pushSchema } from "./route-schemas.ts";

interface Dependencies {
  db: Db;
  /** Undefined while no webhook is set up. */
  courier: Courier | undefined;
}

/** An attempt takes 15 s, and the database before and after it some more; design §6. */
const PUSH_TIMEOUT_MS = 25_000;
/** An attempt that begins by then ends before its answer is given up. */
const BEGIN_WITHIN_MS = 9_000;

/** Preview, push and deliveries of an order (design §6), below /api/erp/orders. */
export const deliveryRoutes: FastifyPluginAsyncTypebox<Dependencies> = async (app, { db, courier }) => {
  app.get("/:id/preview", { schema: previewSchema }, async ({ params }) => {
    const preview = await previewOrder(db, params.id, courier !== undefined);
    if (!preview) throw noOrder();
    return preview;
  });

  app.get("/:id/deliveries", { schema: deliveriesSchema }, async ({ params }) => {
    const deliveries = await listDeliveries(db, params.id);
    if (deliveries.length === 0 && !(await orderExists(db, params.id))) throw noOrder();
    return { deliveries };
  });

  app.register(async (pushes) => {
    takeOptionalJson(pushes);
    pushes.register(pushRoute, { db, courier });
  });
};

const pushRoute: FastifyPluginAsyncTypebox<Dependencies> = async (app, { db, courier }) => {
  const settings = { schema: pushSchema, handlerTimeout: PUSH_TIMEOUT_MS, bodyLimit: 1_024 };
  app.post("/:id/push", settings, async ({ params, body: options, headers, log }, reply) => {
    if (!courier) throw new ApiError("not-configured", "This shop has not set up a webhook to push orders to.");
    const signal = AbortSignal.timeout(BEGIN_WITHIN_MS);
    const push = async () => {
      const delivery = await pushOrder(courier, log, params.id, options.force ?? false, signal);
      return { status: STATUS_OF[delivery.state], body: delivery };
    };
    const header = headers["idempotency-key"];
    const answer =
      header === undefined ? await push() : await withIdempotencyKey(db, { header, scope: params.id }, push);
    if ("replayed" in answer && answer.replayed) reply.header("Idempotent-Replayed", "true");
    const { status, body: delivery } = answer;
    if (status === 502) throw new ApiError("bad-gateway", FAILED, { members: { delivery } });
    return reply.code(status === 202 ? 202 : 200).send({ delivery });
  });
};

const STATUS_OF = { delivered: 200, pending: 202, failed: 502 } as const;
const FAILED = "The webhook did not take the order, and it will not be tried again by itself; `delivery` says why.";

const noOrder = () => new ApiError("not-found", "There is no order with this id.");
