import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import type { Db } from "../database/pool.ts";
import { KEY_PATTERN, withIdempotencyKey } from "../http/idempotency.ts";
import { acceptOptionalJson } from "../http/input.ts";
import { partnerHeaders } from "../http/partner-headers.ts";
import { ApiError } from "../http/problem.ts";
import { partnerProblems, problemResponse } from "../http/problem-schema.ts";
import { noParameters, reference, wholeNumber } from "../http/schema-types.ts";
import { orderExists } from "../orders/queries.ts";
import type { Outbox } from "../outbox/attempt.ts";
import { listDeliveries } from "./deliveries.ts";
import { previewOrder } from "./message.ts";
import { pushOrder } from "./push.ts";
import { Delivery, FailedPush, Preview } from "./schema.ts";

/** The route schemas of preview, push and deliveries. */

const params = Type.Object({ id: wholeNumber("The order's id.", 1001) });
const unknownOrder = { 404: problemResponse("There is no order with this id.") };

export const previewSchema = {
  operationId: "previewOrder",
  tags: ["Partner"],
  summary: "Preview what a push would send",
  description:
    "The very message that a push would send now. Sends and stores nothing, and works before a webhook is set up.",
  params,
  querystring: noParameters,
  response: {
    200: { ...reference("Preview", Preview), description: "The message.", headers: partnerHeaders },
    ...unknownOrder,
    ...partnerProblems,
  },
};

export const deliveriesSchema = {
  operationId: "listDeliveries",
  tags: ["Partner"],
  summary: "List an order's deliveries",
  description:
    "What was sent to the webhook, when, and with what result: the newest 50 deliveries, newest first. Attempts, and deliveries before the last, are forgotten in time: 90 days after they were made or arrived, where the shop has set nothing else.",
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

const replayed = {
  "Idempotent-Replayed": {
    type: "string",
    enum: ["true"],
    description: "Only there when this is the kept answer to an earlier request with the same Idempotency-Key.",
  },
};
const answer = (description: string) =>
  Type.Object(
    { delivery: reference("Delivery", Delivery) },
    { description, headers: { ...partnerHeaders, ...replayed } },
  );

export const pushSchema = {
  operationId: "pushOrder",
  tags: ["Partner"],
  summary: "Push an order to the webhook",
  description:
    "Sends the order as it stands now to the shop's webhook at once; the answer comes when that attempt has ended, after 15 s at the latest. What fails is tried again, ten times over three days. A version that is delivered already is not sent again unless forced. A newer version takes the place of what is still pending of an older one. The body may be left out.",
  params,
  querystring: noParameters,
  headers: Type.Object({
    "idempotency-key": Type.Optional(
      Type.String({
        pattern: KEY_PATTERN,
        title: "Write 1 to 255 visible ASCII characters, in double quotes or without.",
        description:
          "A name of your choice for this request, of 1 to 255 characters: for 24 hours, the same key gets the same answer and sends nothing more.",
        example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
      }),
    ),
  }),
  body: Type.Object(
    {
      force: Type.Optional(
        Type.Boolean({
          description: "Send a version again that is delivered already; false when left out.",
          default: false,
        }),
      ),
    },
    { additionalProperties: false, description: "Options; may be left out." },
  ),
  response: {
    ...partnerProblems,
    200: answer("Delivered, now or earlier."),
    202: answer("Not delivered yet; `next_attempt_at` says when it is tried again."),
    ...unknownOrder,
    409: problemResponse("An attempt to deliver this order, or a request with this idempotency key, is under way."),
    413: problemResponse("The body is larger than 1 KiB."),
    415: problemResponse("The body is not application/json."),
    422: problemResponse("The idempotency key was used for another order."),
    502: {
      description: "Not delivered and given up: the webhook answered 410, or stands where it may not be dialled.",
      headers: { ...partnerHeaders, ...replayed },
      content: { "application/problem+json": { schema: reference("FailedPush", FailedPush) } },
    },
  },
};

interface Dependencies {
  db: Db;
  /** Undefined while no webhook is set up. */
  outbox: Outbox | undefined;
}

/** An attempt takes 15 s, and the database before and after it some more; design §6. */
const PUSH_TIMEOUT_MS = 25_000;
/** An attempt that begins by then ends before its answer is given up. */
const BEGIN_WITHIN_MS = 9_000;

/** Preview, push and deliveries of an order (design §6), below /api/erp/orders. */
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
  app.post("/:id/push", settings, async ({ params, body: options, headers, log }, reply) => {
    if (!outbox) throw new ApiError("not-configured", "This shop has not set up a webhook to push orders to.");
    const signal = AbortSignal.timeout(BEGIN_WITHIN_MS);
    const push = async () => {
      const delivery = await pushOrder(outbox, log, params.id, options.force ?? false, signal);
      return { status: PUSH_STATUS[delivery.state], body: delivery };
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

const PUSH_STATUS = { delivered: 200, pending: 202, failed: 502 } as const;
const FAILED = "The webhook did not take the order, and it will not be tried again by itself; `delivery` says why.";

const noOrder = () => new ApiError("not-found", "There is no order with this id.");
