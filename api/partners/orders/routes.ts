import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import fastJsonStringify from "fast-json-stringify";
import Type from "typebox";
import type { Db } from "../../platform/database/pool.ts";
import { cursorAhead, describePage, pageFields, pageParameters, readKeyset } from "../../platform/http/paging.ts";
import {
  conditionalRequest,
  entityTagHeader,
  linkHeader,
  matchesEntityTag,
  notModified,
  partnerHeaders,
  schemaTag,
} from "../../platform/http/partner-headers.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { partnerProblems, problemResponse } from "../../platform/http/problem-schema.ts";
import { noParameters, reference, wholeNumber } from "../../platform/http/schema-types.ts";
import { EXTERNAL_ID } from "../../selling/orders/acts.ts";
import { findOrder, type ListedOrder, listOrders } from "../../selling/orders/queries.ts";
import { ORDER_STATUSES, Order, OrderHead, OrderTail } from "../../selling/orders/schema.ts";
import { toHead, toTail } from "../../selling/orders/to-order.ts";

const STATUS_ADVICE = `Write any, or one or more of ${ORDER_STATUSES.join(", ")}, separated by commas, each once.`;

const NUMBER = "^A-[1-9][0-9]{0,15}$";

const listSchema = {
  operationId: "listOrders",
  tags: ["Partner"],
  summary: "List orders",
  description:
    "Orders after `since_id`, ascending by id, or changed after `changed_after`, ascending by sequence. An order never appears below a number that was already visible, so a client that keeps the last number misses nothing. `status`, `number` and `external_id` narrow that to orders that fit each of those given; an unknown one is an empty page.",
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
      number: Type.Optional(
        Type.String({
          pattern: NUMBER,
          title: "Write the whole number of an order, such as A-1042.",
          description: "Only the order with this number.",
          example: "A-1042",
        }),
      ),
      external_id: Type.Optional(
        Type.String({
          pattern: EXTERNAL_ID,
          title: "Write one line of 1 to 191 characters, without blanks around it.",
          description: "Only the order that has this id in your system, as you have recorded it.",
          example: "SO-88120",
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
  description: "The order's current state.",
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
    404: problemResponse("No order has this id."),
    ...partnerProblems,
  },
};

const SCHEMA_TAG = schemaTag(Order);

/** GET /api/orders and /api/orders/{id}. */
export const orderRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get("", { schema: listSchema }, async ({ query }, reply) => {
    const { status, number, external_id: externalId } = query;
    const statuses = readStatuses(status);
    const keyset = await readKeyset(db, "orders", query);
    const { orders, hasMore } = await listOrders(db, keyset, { statuses, number, externalId });
    reply.type("application/json; charset=utf-8");
    return serializePage({
      orders,
      ...describePage(reply, query, keyset, { rows: orders.map(({ row }) => row), hasMore }),
    });
  });

  app.get("/:id", { schema: oneSchema }, async (request, reply) => {
    const order = await findOrder(db, request.params.id);
    if (!order) throw new ApiError("not-found", "No order has this id.");
    const etag = `"${order.id}-${order.version}-${SCHEMA_TAG}"`;
    reply.header("ETag", etag);
    return matchesEntityTag(request.headers["if-none-match"], etag) ? reply.code(304).send() : order;
  });
};

/** The requested statuses; undefined for all. Throws 400 when one is repeated. */
function readStatuses(status = "any") {
  if (status === "any") return undefined;
  const names = status.split(",");
  if (new Set(names).size < names.length) {
    const errors = [{ in: "query" as const, field: "status", detail: STATUS_ADVICE }];
    throw new ApiError("bad-request", "A status is repeated.", { errors });
  }
  return ORDER_STATUSES.filter((name) => names.includes(name));
}

// A copy, as in erp/message.ts.
const writeHead = fastJsonStringify(structuredClone({ ...OrderHead }));
const writeTail = fastJsonStringify(structuredClone({ ...OrderTail }));

/**
 * A page of orders as JSON bytes: each order is its three parts, joined. Each is encoded by itself, since one character
 * beyond Latin-1 would double the memory of the whole page's text.
 */
function serializePage({ orders, ...end }: { orders: readonly ListedOrder[] }): Buffer {
  const parts = orders.flatMap(({ row, placed }, index) => [
    Buffer.from(`${index > 0 ? "," : ""}${writeHead(toHead(row)).slice(0, -1)},`),
    placed.subarray(1, -1),
    Buffer.from(`,${writeTail(toTail(row)).slice(1)}`),
  ]);
  return Buffer.concat([Buffer.from('{"orders":['), ...parts, Buffer.from(`],${JSON.stringify(end).slice(1)}`)]);
}
