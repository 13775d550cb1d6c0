import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import Type, { type Static } from "typebox";
import type { Db } from "../database/pool.ts";
import { idempotencyHeaders, withIdempotencyKey } from "../http/idempotency.ts";
import { oneOf } from "../http/schema-types.ts";
import type { OfBuild } from "../private-pages/builds.ts";
import { openConversation } from "./conversation.ts";
import { describeTools, FORMATS } from "./formats.ts";
import type { Speech } from "./speech.ts";
import type { Tool } from "./tool.ts";
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
  /** What Assistant-Identity is signed with: one secret, or two while it changes; none where nobody is identified. */
  identitySecrets: readonly string[];
}

/** Keeps every answer of this scope, refusals included, out of caches and indexes. Call it before requireToken. */
export function hideAnswers(scope: FastifyInstance): void {
  scope.addHook("onRequest", async (_request, reply) => {
    reply.headers({ "Cache-Control": "no-store", "X-Robots-Tag": "noindex" });
  });
}

/** The tools of the shop's assistant, which runs elsewhere. In no public document. */
export const assistantRoutes: FastifyPluginAsyncTypebox<Options> = async (scope, { db, speech, identitySecrets }) => {
  scope.get("/tools", { schema: { hide: true, querystring: ToolsQuery } }, async ({ query }) => ({
    tools: describeTools(tools, query.format),
  }));

  const answer = async (tool: Tool, { partner: token, headers, body }: Call) => {
    const { "idempotency-key": header, "assistant-identity": identity } = headers;
    const conversation = openConversation({ id: body.conversation, token, identity }, identitySecrets);
    const call = async () => {
      const context = { db, conversation, speech: await speech.current() };
      return { status: 200, body: await tool.call(context, body.arguments) };
    };
    if (header === undefined || !tool.writes) return { ...(await call()), replayed: false };
    const within = [token, "POST", tool.name, conversation.key];
    return withIdempotencyKey(db, { header, orderId: NO_ORDER, within, request: body }, call);
  };

  for (const tool of tools) {
    const body = Type.Object({ ...CallBody.properties, arguments: tool.arguments }, strict);
    const schema = { hide: true, headers: CallHeaders, body };
    scope.post(`/tools/${tool.name}`, { schema, bodyLimit: BODY_LIMIT }, async (request, reply) => {
      const { body, replayed } = await answer(tool, request as Call);
      if (replayed) reply.header("Idempotent-Replayed", "true");
      return body;
    });
  }
};

interface Call {
  partner: string;
  headers: Static<typeof CallHeaders>;
  body: Static<typeof CallBody>;
}

/** A key of a tool belongs to its conversation, and its answer has nothing of an order that would have to be erased. */
const NO_ORDER = 0;
