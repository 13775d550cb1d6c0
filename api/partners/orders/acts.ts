import type { FastifyInstance } from "fastify";
import Type, { type Static, type TObject, type TProperties } from "typebox";
import { AMOUNT } from "../../contract/patterns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { answerOnce, idempotencyHeaders, replayedHeader } from "../../platform/http/idempotency.ts";
import { partnerHeaders } from "../../platform/http/partner-headers.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { partnerProblems, problemResponse } from "../../platform/http/problem-schema.ts";
import { noParameters, oneOf, reference, wholeNumber } from "../../platform/http/schema-types.ts";
import { ActRefused } from "../../selling/orders/act-refused.ts";
import { type Act, actOnOrder, partnerOf, REASON, type Seen } from "../../selling/orders/acts.ts";
import type { FollowUp } from "../../selling/orders/place-order.ts";
import { REFERENCE } from "../../selling/orders/record-payment.ts";
import { FULFILLMENT_STATUSES, ORDER_STATUSES, Order } from "../../selling/orders/schema.ts";

/** What the routes of a partner's acts need. */
export interface ActDependencies {
  db: Db;
  followUp: FollowUp;
}

type BodyOf<Body extends TProperties> = Static<TObject<Body>>;

/** A partner's act: a request about one order, whose answer is the order. */
interface PartnerAct<Body extends TProperties> {
  method?: "POST" | "PATCH";
  /** After `/api/orders/{id}`. */
  path: string;
  operationId: string;
  summary: string;
  description: string;
  /** The body's fields, besides `seen`. */
  body: Body;
  bodyDescription: string;
  /** When it is refused as the order stands (409), and for what was sent (422), in a sentence each. */
  refused: { state?: string; content?: string };
  bodyLimitKiB: number;
  /** Media types of the body; JSON alone, when left out. */
  consumes?: readonly string[];
  read: (body: BodyOf<Body>) => Act;
}

const seen = Type.Optional(
  Type.Object(
    {
      status: Type.Optional(oneOf(ORDER_STATUSES, { description: "Its status.", example: "processing" })),
      fulfillment_status: Type.Optional(
        oneOf(FULFILLMENT_STATUSES, { description: "What was shipped.", example: "unfulfilled" }),
      ),
      due: Type.Optional(
        Type.String({
          pattern: AMOUNT,
          title: 'Write a decimal in double quotes, such as "0.00".',
          description: "What was due.",
          example: "0.00",
        }),
      ),
    },
    {
      additionalProperties: false,
      description:
        "How the order was when you decided. If it has changed since, nothing is done and the answer is 409. Leave out what doesn't matter to you.",
    },
  ),
);

/** A reference of the partner's, which keeps the same thing from being recorded twice. */
export const referenceOf = (description: string, example: string) =>
  Type.String({
    pattern: REFERENCE,
    title: "Write one line of 1 to 255 characters, without blanks around it.",
    ...{ description, example },
  });

export const reasonOf = (description: string, example: string) =>
  Type.String({
    pattern: REASON,
    title: "Write one line of 1 to 500 characters, without blanks around it.",
    ...{ description, example },
  });

/** Pieces of lines, which may be left out. */
export const pieces = (ofLine: string, description: string) =>
  Type.Optional(
    Type.Array(
      Type.Object(
        {
          line_id: wholeNumber("The id of one of the order's lines.", 2301, 1),
          quantity: wholeNumber(ofLine, 2, 1),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 100, description },
    ),
  );

/** A time that was given, if it was. */
export const toDate = (given: string | undefined) => (given === undefined ? undefined : new Date(given));

/** Adds the route of an act to a scope that accepts JSON. */
export function addAct<Body extends TProperties>(
  app: FastifyInstance,
  { db, followUp }: ActDependencies,
  act: PartnerAct<Body>,
): void {
  const { method = "POST", path, operationId, summary, description, refused, bodyLimitKiB } = act;
  const schema = {
    ...{ operationId, tags: ["Partner"], summary, description, ...(act.consumes && { consumes: [...act.consumes] }) },
    params: Type.Object({ id: wholeNumber("The order's id.", 1001) }),
    querystring: noParameters,
    headers: idempotencyHeaders,
    body: Type.Object(
      { ...act.body, ...(method === "POST" && { seen }) },
      { additionalProperties: false, description: act.bodyDescription },
    ),
    response: {
      ...partnerProblems,
      200: {
        ...reference("Order", Order),
        description: "The order as it is now.",
        headers: { ...partnerHeaders, ...replayedHeader },
      },
      404: problemResponse("No order has this id."),
      409: problemResponse(
        join(
          refused.state,
          method === "POST" && "The order isn't as `seen` any more.",
          "A request with this Idempotency-Key is still running.",
        ),
      ),
      413: problemResponse(`The body is larger than ${bodyLimitKiB} KiB.`),
      415: problemResponse(`The body isn't ${(act.consumes ?? ["application/json"]).join(" or ")}.`),
      422: problemResponse(join(refused.content, "The Idempotency-Key was used with another body.")),
    },
  };
  app.route<{ Params: { id: number }; Headers: { "idempotency-key"?: string }; Body: { seen?: Seen } }>({
    ...{ method, url: `/:id${path}`, schema, bodyLimit: bodyLimitKiB * 1_024 },
    handler: async (request, reply) => {
      const { params, body, partner } = request;
      const work = async () => {
        const occasion = { by: partnerOf(partner), seen: body.seen, followUp };
        return { status: 200, body: await actAndRead(db, params.id, act.read(body as BodyOf<Body>), occasion) };
      };
      return (await answerOnce(db, `/api/orders/${params.id}${path}`, request, reply, work)).body;
    },
  });
}

const join = (...sentences: readonly (string | false | undefined)[]) => sentences.filter(Boolean).join(" ");

async function actAndRead(db: Db, id: number, act: Act, occasion: Parameters<typeof actOnOrder>[3]): Promise<Order> {
  const done = await actOnOrder(db, { id }, act, occasion).catch((error: unknown) => {
    if (!(error instanceof ActRefused)) throw error;
    throw new ApiError(error.reason === "state" ? "conflict" : "unprocessable", error.message);
  });
  if (!done) throw new ApiError("not-found", "No order has this id.");
  return done.after;
}
