import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Type, { type Static } from "typebox";
import type { AssistantFile } from "../contract/built-files/assistant.ts";
import type { SearchIndex } from "../people/search/search-index.ts";
import type { Db } from "../platform/database/pool.ts";
import { idempotencyHeaders, withIdempotencyKey } from "../platform/http/idempotency.ts";
import { type Clock, countPerMinute, tooManyRequests } from "../platform/http/rate-limits.ts";
import { oneOf } from "../platform/http/schema-types.ts";
import type { Metrics } from "../platform/monitoring/metrics.ts";
import type { OfBuild } from "../platform/private-pages/builds.ts";
import type { Speech } from "./answers/speech.ts";
import type { Tool } from "./answers/tool.ts";
import { recordCall } from "./conversation/audit.ts";
import { type Conversation, openConversation } from "./conversation/conversation.ts";
import { describeTools, FORMATS } from "./formats.ts";
import { tools } from "./tools.ts";

/** What a model writes is short; nginx allows more. */
const BODY_LIMIT = 16_384;

const strict = { additionalProperties: false };
const ToolsQuery = Type.Object(
  { format: oneOf(FORMATS, { description: "As which vendor takes them, or with their whole schemas." }) },
  strict,
);
const CallHeaders = Type.Object({
  ...idempotencyHeaders.properties,
  "assistant-identity": Type.Optional(Type.String()),
});
/** `arguments` is the tool's own schema. */
const CallBody = Type.Object(
  {
    conversation: Type.String({
      pattern: "^[!-~]{1,128}$",
      title: "Write your platform's id of the conversation: 1 to 128 visible ASCII characters.",
    }),
    arguments: Type.Record(Type.String(), Type.Unknown()),
  },
  strict,
);

interface Options {
  db: Db;
  speech: OfBuild<Speech>;
  search: OfBuild<SearchIndex>;
  facts: OfBuild<AssistantFile>;
  /** What Assistant-Identity is signed with: one secret, or two while it changes; none where nobody is identified. */
  identitySecrets: readonly string[];
  /** Whether calls of a conversation are limited. */
  isLimited: boolean;
  metrics: Metrics;
  now: Clock;
}

/** Of one conversation, in each process. */
const CALLS_PER_MINUTE = 30;
const TOO_MANY = `A conversation may make ${CALLS_PER_MINUTE} calls a minute. Wait for the time in Retry-After.`;

declare module "fastify" {
  interface FastifyRequest {
    /** Of a call of the assistant: whether it has a token that hasn't used up its limit. */
    isAdmitted?: boolean;
    /** Of a call of the assistant, once its body is valid. */
    conversation?: Conversation;
  }
}

/** Keeps every answer of this scope, refusals included, out of caches and indexes. Call it before requireToken. */
export function hideAnswers(scope: FastifyInstance): void {
  scope.addHook("onRequest", async (_request, reply) => {
    reply.headers({ "Cache-Control": "no-store", "X-Robots-Tag": "noindex" });
  });
}

/** The tools of the shop's assistant, which runs elsewhere. In no public document. */
export const assistantRoutes: FastifyPluginAsyncTypebox<Options> = async (
  scope,
  { db, speech, search, facts, identitySecrets, isLimited, metrics, now },
) => {
  scope.get("/tools", { schema: { hide: true, querystring: ToolsQuery } }, async ({ query }) => ({
    tools: describeTools(tools, query.format),
  }));

  scope.register(async (calls) => {
    calls.decorateRequest("isAdmitted");
    // After those of the door. What the door refuses leaves no row, or anybody could fill the table.
    calls.addHook("onRequest", async (request) => {
      request.isAdmitted = true;
    });
    calls.decorateRequest("conversation");
    const conversations = countPerMinute(CALLS_PER_MINUTE, now);
    calls.addHook<Call>("preHandler", async (request) => {
      const { partner: token, headers, body } = request;
      const opened = { id: body.conversation, token, identity: headers["assistant-identity"] };
      request.conversation = openConversation(opened, identitySecrets);
      const taken = conversations.take(request.conversation.key);
      if (taken.exceeded && isLimited) throw tooManyRequests("conversation", TOO_MANY, taken, metrics);
    });
    for (const tool of tools) {
      const body = Type.Object({ ...CallBody.properties, arguments: tool.arguments }, strict);
      const schema = { hide: true, headers: CallHeaders, body };
      // Before the answer leaves: no admitted call without its row, unless the database is away.
      const onSend = async (
        { partner: token, body, conversation, isAdmitted, log }: FastifyRequest,
        { statusCode }: FastifyReply,
      ) => {
        if (!isAdmitted) return;
        const { arguments: given }: { arguments?: unknown } = Object(body);
        const call = {
          conversationKey: conversation?.key,
          tool: tool.name,
          token,
          arguments: given,
          status: statusCode,
        };
        await recordCall(db, call).catch((err: unknown) => log.error({ err }, "A call wasn't recorded."));
      };
      const preValidation = async ({ body: sent }: FastifyRequest) => fillLeftOut(tool, sent);
      calls.post<Call>(
        `/tools/${tool.name}`,
        { schema, bodyLimit: BODY_LIMIT, preValidation, onSend },
        async (request, reply) => {
          const { body, replayed } = await answer(tool, request);
          if (replayed) reply.header("Idempotent-Replayed", "true");
          return body;
        },
      );
    }
  });

  /** Calls a tool, at most once with an Idempotency-Key if it writes. */
  async function answer(tool: Tool, { partner: token, headers, body, conversation }: FastifyRequest<Call>) {
    if (!conversation) throw new Error("The preHandler hook opens the conversation.");
    const call = async () => {
      const context = { db, conversation, speech: await speech.current(), search, facts };
      return { status: 200, body: await tool.call(context, body.arguments) };
    };
    const header = headers["idempotency-key"];
    if (header === undefined || !tool.writes) return { ...(await call()), replayed: false };
    const within = [token, "POST", tool.name, conversation.key];
    return withIdempotencyKey(db, { header, orderId: NO_ORDER, within, request: body }, call);
  }
};

/** Models leave out what they are told to give as null. */
function fillLeftOut({ arguments: schema }: Tool, body: unknown): void {
  const { arguments: given }: { arguments?: unknown } = Object(body);
  if (typeof given !== "object" || given === null || Array.isArray(given)) return;
  for (const [name, property] of Object.entries(schema.properties)) {
    const isNullable = Type.IsUnion(property) && property.anyOf.some(Type.IsNull);
    if (isNullable && !Object.hasOwn(given, name)) Object.assign(given, { [name]: null });
  }
}

interface Call {
  Headers: Static<typeof CallHeaders>;
  Body: Static<typeof CallBody>;
}

/** A key of a tool belongs to its conversation, and its answer has nothing of an order that would have to be erased. */
const NO_ORDER = 0;
