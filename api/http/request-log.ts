import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from "fastify";
import { describeError, privatePaths, type Secrets, strikeOut } from "./log-redaction.ts";

/**
 * JSON lines. A request is logged without its address (ids, parameters), headers and body: they are the partner's.
 * `secrets` never appear in them, wherever they come from.
 */
export const makeLoggerOptions = (secrets: Secrets) =>
  ({
    level: "info",
    redact: privatePaths,
    serializers: { req: ({ method }: { method: string }) => ({ method }), err: describeError },
    hooks: {
      streamWrite: strikeOut(secrets),
      // What a handler returns after its handlerTimeout: Fastify's message quotes the address with its query.
      logMethod(args, method) {
        const { err }: { err?: { code?: string } } = Object(args[0]);
        if (err?.code !== "FST_ERR_REP_ALREADY_SENT") return method.apply(this, args);
        return method.call(this, "An answer came too late: the request had been answered already.");
      },
    },
  }) satisfies FastifyServerOptions["logger"];

/** The id that nginx gave the request, or a new one. Anyone else could write what they like into our logs. */
export function requestId({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): string {
  const given = headers["x-request-id"];
  const trusted = /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "");
  return trusted && typeof given === "string" && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
}

/** One line for each answer, in place of Fastify's two, which name the address. */
class AnswerLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const { method, routeOptions, log } = request;
    const ms = Math.round(reply.elapsedTime);
    const partner = request.partner || undefined; // which of two tokens, without being it
    log.info({ method, route: routeOptions.url, status: reply.statusCode, ms, partner }, "answered");
  }
}

export const logController = new AnswerLog();
