import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import type { Db } from "../../platform/database/pool.ts";
import { answerOnce, idempotencyHeaders, replayedHeader } from "../../platform/http/idempotency.ts";
import { acceptOptionalJson } from "../../platform/http/input.ts";
import { partnerHeaders } from "../../platform/http/partner-headers.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { partnerProblems, problemResponse } from "../../platform/http/problem-schema.ts";
import { noParameters, reference, wholeNumber } from "../../platform/http/schema-types.ts";
import type { Outbox } from "../../platform/outbox/attempt.ts";
import { orderExists } from "../../selling/orders/queries.ts";
import { listDeliveries } from "./deliveries.ts";
import { previewOrder } from "./message.ts";
import { pushOrder } from "./push.ts";
import { Delivery, FailedPush, Preview } from "./schema.ts";

const params = Type.Object({ id: wholeNumber("The order's id.", 1001) });
const unknownOrder = { 404: problemResponse("No order has this id.") };

const previewSchema = {
  operationId: "previewOrder",
  tags: ["Partner"],
  summary: "Preview what a push would send",
  description:
    "The exact message that a push would send now. Nothing is sent or stored, and no webhook needs to be configured.",
  params,
  querystring: noParameters,
  response: {
    200: { ...reference("Preview", Preview), description: "The message.", headers: partnerHeaders },
    ...unknownOrder,
    ...partnerProblems,
  },
};

const deliveriesSchema = {
  operationId: "listDeliveries",
  tags: ["Partner"],
  summary: "List an order's deliveries",
  description:
    "What was sent to the webhook, when, and the result: up to 50 deliveries, newest first. Attempts and all but the last delivery are deleted after a time, by default 90 days.",
  params,
  querystring: noParameters,
  response: {
    200: Type.Object(
      { deliveries: Type.Array(reference("Delivery", Delivery), { description: "Newest first." }) },
      { description: "The deliveries.", headers: partnerHeaders },
    ),
    ...unknownOrder,
    ...partnerProblems,
  },
};

const answer = (description: string) =>
  Type.Object(
    { delivery: reference("Delivery", Delivery) },
    { description, headers: { ...partnerHeaders, ...replayedHeader } },
  );

const pushSchema = {
  operationId: "pushOrder",
  tags: ["Partner"],
  summary: "Push an order to the webhook",
  description:
    "Sends the order's current version to the shop's webhook and answers when that attempt has ended, usually within 15 s. A failed delivery is retried, ten times over three days. A version that was already delivered isn't sent again unless forced. A newer version supersedes pending deliveries of older ones. The body is optional.",
  params,
  querystring: noParameters,
  headers: idempotencyHeaders,
  body: Type.Object(
    {
      force: Type.Optional(
        Type.Boolean({
          description: "Send the version again even if it was already delivered; false by default.",
          default: false,
        }),
      ),
    },
    { additionalProperties: false, description: "Options." },
  ),
  response: {
    ...partnerProblems,
    200: answer("Delivered, now or earlier."),
    202: answer("Not delivered yet. `next_attempt_at` is the time of the next attempt."),
    ...unknownOrder,
    409: problemResponse("An attempt to deliver this order, or a request with this Idempotency-Key, is still running."),
    413: problemResponse("The body is larger than 1 KiB."),
    415: problemResponse("The body isn't application/json."),
    422: problemResponse("The Idempotency-Key was already used with another body."),
    502: {
      description: "Not delivered, and not retried: the webhook answered 410, or its address isn't allowed.",
      headers: { ...partnerHeaders, ...replayedHeader },
      content: { "application/problem+json": { schema: reference("FailedPush", FailedPush) } },
    },
  },
};

interface Dependencies {
  db: Db;
  /** Undefined when no webhook is configured. */
  outbox: Outbox | undefined;
}

/** 15 s for the attempt, and time for the database before and after it. */
const PUSH_TIMEOUT_MS = 25_000;
/** An attempt that begins by then ends before the request times out. */
const BEGIN_WITHIN_MS = 9_000;

/** Preview, push and deliveries of an order, below /api/erp/orders. */
export const deliveryRoutes: FastifyPluginAsyncTypebox<Dependencies> = async (app, { db, outbox }) => {
  app.get("/:id/preview", { schema: previewSchema }, async ({ params }) => {
    const preview = await previewOrder(db, params.id, outbox !== undefined);
    if (!preview) throw noOrder();
    return preview;
  });

  app.get("/:id/deliveries", { schema: deliveriesSchema }, async ({ params }) => {
    const deliveries = await listDeliveries(db, params.id);
    if (deliveries.length === 0 && !(await orderExists(db, params.id))) throw noOrder();
    return { deliveries };
  });

  app.register(async (pushes) => {
    acceptOptionalJson(pushes);
    pushes.register(pushRoute, { db, outbox });
  });
};

const pushRoute: FastifyPluginAsyncTypebox<Dependencies> = async (app, { db, outbox }) => {
  const settings = { schema: pushSchema, handlerTimeout: PUSH_TIMEOUT_MS, bodyLimit: 1_024 };
  app.post("/:id/push", settings, async (request, reply) => {
    if (!outbox) throw new ApiError("not-configured", "This shop hasn't configured a webhook to push orders to.");
    const { params, body: options, log } = request;
    const signal = AbortSignal.timeout(BEGIN_WITHIN_MS);
    const push = async () => {
      const delivery = await pushOrder(outbox, log, params.id, options.force ?? false, signal);
      return { status: PUSH_STATUS[delivery.state], body: delivery };
    };
    const path = `/api/erp/orders/${params.id}/push`;
    const { status, body: delivery } = await answerOnce(db, path, request, reply, push);
    if (status === 502) throw new ApiError("bad-gateway", FAILED, { members: { delivery } });
    return reply.code(status === 202 ? 202 : 200).send({ delivery });
  });
};

const PUSH_STATUS = { delivered: 200, pending: 202, failed: 502 } as const;
const FAILED =
  "The webhook didn't accept the order, and it won't be retried automatically. See `delivery` for the reason.";

const noOrder = () => new ApiError("not-found", "No order has this id.");
