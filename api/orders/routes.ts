import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import type { Db } from "../database/database.ts";
import { matchesEntityTag, schemaTag } from "../http/entity-tag.ts";
import {
  cursorAhead,
  describePage,
  pageFields,
  pageParameters,
  readKeyset,
  refuseCursorAhead,
} from "../http/paging.ts";
import {
  conditionalRequest,
  entityTagHeader,
  linkHeader,
  notModified,
  partnerHeaders,
} from "../http/partner-headers.ts";
import { ApiError } from "../http/problem.ts";
import { partnerProblems, problemResponse } from "../http/problem-schema.ts";
import { noParameters, reference, wholeNumber } from "../http/schema-types.ts";
import { findOrder, listOrders } from "./queries.ts";
import { ORDER_STATUSES, Order } from "./schema.ts";
import { writePage } from "./write-page.ts";

const STATUS_ADVICE = `Write any, or one or more of ${ORDER_STATUSES.join(", ")}, separated by commas, each once.`;

const listSchema = {
  operationId: "listOrders",
  tags: ["Partner"],
  summary: "List orders",
  description:
    "Orders after `since_id`, ascending by id, or changed after `changed_after`, ascending by sequence. An order never appears below a number that was already visible, so a poller that keeps the last number misses nothing.",
  querystring: Type.Object(
    {
      ...pageParameters,
      status: Type.Optional(
        Type.String({
          pattern: `^(any|(${ORDER_STATUSES.join("|")})(,(${ORDER_STATUSES.join("|")})){0,${ORDER_STATUSES.length - 1}})$`,
          title: STATUS_ADVICE,
          description: `Only orders of these statuses: \`any\` (when left out), or one or more of ${ORDER_STATUSES.join(", ")}, separated by commas, each once.`,
          example: "pending,processing",
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: {
    200: Type.Unsafe<Buffer>(
      Type.Object(
        {
          orders: Type.Array(reference("Order", Order), { description: "The page." }),
          ...pageFields,
        },
        { description: "A page of orders.", headers: { ...partnerHeaders, ...linkHeader } },
      ),
    ),
    ...cursorAhead,
    ...partnerProblems,
  },
};

const oneSchema = {
  operationId: "getOrder",
  tags: ["Partner"],
  summary: "Get one order",
  description: "The order as it stands now.",
  params: Type.Object({ id: wholeNumber("The order's id.", 1001) }),
  querystring: noParameters,
  headers: conditionalRequest,
  response: {
    200: {
      ...reference("Order", Order),
      description: "The order.",
      headers: { ...partnerHeaders, ...entityTagHeader },
    },
    304: notModified,
    404: problemResponse("There is no order with this id."),
    ...partnerProblems,
  },
};

const SCHEMA_TAG = schemaTag(Order);

/** GET /api/orders and /api/orders/{id} (design §6). */
export const orderRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get("", { schema: listSchema }, async ({ query }, reply) => {
    const keyset = readKeyset(query);
    const { orders, hasMore } = await listOrders(db, keyset, readStatuses(query.status));
    if (orders.length === 0) await refuseCursorAhead(db, "orders", keyset);
    reply.type("application/json; charset=utf-8");
    return writePage({
      orders,
      ...describePage(reply, query, keyset, { rows: orders.map(({ row }) => row), hasMore }),
    });
  });

  app.get("/:id", { schema: oneSchema }, async (request, reply) => {
    const order = await findOrder(db, request.params.id);
    if (!order) throw new ApiError("not-found", "There is no order with this id.");
    const etag = `"${order.id}-${order.version}-${SCHEMA_TAG}"`;
    reply.header("ETag", etag);
    return matchesEntityTag(request.headers["if-none-match"], etag) ? reply.code(304).send() : order;
  });
};

/** The statuses that were asked for; undefined for all of them. Throws 400 when one is named twice. */
function readStatuses(status = "any") {
  if (status === "any") return undefined;
  const names = status.split(",");
  if (new Set(names).size < names.length) {
    const errors = [{ in: "query" as const, field: "status", detail: STATUS_ADVICE }];
    throw new ApiError("bad-request", "A status is named twice.", { errors });
  }
  return ORDER_STATUSES.filter((name) => names.includes(name));
}
