import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from "fastify";

/**
 * JSON lines. A request is logged without its address (ids, parameters), headers and body: they are the partner's.
 * `secrets` never appear in them, wherever they come from.
 */
export const makeLoggerOptions = (secrets: Secrets) =>
  ({
    level: "info",
    redact: redactedPaths,
    serializers: { req: ({ method }: { method: string }) => ({ method }), err: describeError },
    hooks: {
      streamWrite: redactLine(secrets),
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

const PRIVATE_FIELDS = [
  ...["authorization", "cookie", "token", "secret", "password", "headers", "body", "url"],
  ...["email", "phone", "customer", "billing_address", "shipping_address"],
];

/** Paths for pino's `redact`: whatever is logged under these names, at the top or one level down. */
export const redactedPaths = PRIVATE_FIELDS.flatMap((name) => [name, `*.${name}`]);

/** What no line of the log may show. */
export interface Secrets {
  /** Long enough to be struck out wherever they stand: tokens, keys, a password, long parts of the webhook's address. */
  texts: readonly string[];
  /** The webhook's host and path, and short passwords: words that our own lines may use, so only where they stand alone. */
  patterns: readonly RegExp[];
}

/** Shorter, a text may be a word of ours (`erp`, `orders`), or be in one. */
const MIN_SECRET_LENGTH = 12;

interface SecretSettings {
  pullTokens?: readonly string[];
  webhook?: { url: URL; keys: readonly Buffer[] } | undefined;
  database?: { password: string };
}

/** The secrets among the settings: tokens, the webhook's address and what signs for it, the database's password. */
export function secretsOf({ pullTokens = [], webhook, database }: SecretSettings): Secrets {
  const texts = [...pullTokens, ...(webhook?.keys.map((key) => key.toString("base64")) ?? [])];
  const patterns: RegExp[] = [];
  if (webhook) {
    const { hostname, pathname, search, searchParams } = webhook.url;
    const parts = [...pathname.split("/"), ...searchParams.values(), search.slice(1)];
    texts.push(...parts.flatMap((part) => [part, decode(part)]).filter(({ length }) => length >= MIN_SECRET_LENGTH));
    // As a host, not as a part of a path or of another name, nor as the name of one of our fields.
    patterns.push(new RegExp(`(?<![\\w.-]|(?<!/)/)${inPattern(hostname)}(?![\\w-]|\\.\\w|":)`, "g"));
    // Not what may be a route of ours.
    for (const path of new Set([pathname + search, pathname]))
      if (path !== "/") patterns.push(new RegExp(`(?<![\\w.%/-]|"route":")${inPattern(path)}(?![\\w%/-])`, "g"));
    if (search !== "") patterns.push(new RegExp(`${inPattern(search)}(?![\\w%-])`, "g"));
  }
  for (const password of database?.password ? [database.password, encodeURIComponent(database.password)] : []) {
    if (password.length >= MIN_SECRET_LENGTH) texts.push(password);
    else patterns.push(new RegExp(`(?<=:)${inPattern(password)}(?=@)`, "g"));
  }
  return { texts, patterns };
}

const inPattern = (text: string) => inJson(text).replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Our packages' versions in stack traces, `fastify@5.12.8/node_modules`, are none: a top-level domain is letters.
const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}/gu;

/**
 * Makes the last look at each line: the secrets and every e-mail address in it are struck out, wherever they stand. What
 * a library puts into an error's message cannot be known beforehand (`getaddrinfo ENOTFOUND <host>`).
 */
export function redactLine({ texts, patterns }: Secrets): (line: string) => string {
  const secrets = [...patterns, ...texts.map(inJson)];
  return (line) => {
    const withoutSecrets = secrets.reduce<string>((text, secret) => text.replaceAll(secret, "[redacted]"), line);
    return withoutSecrets.replace(EMAIL, "[e-mail]");
  };
}

/** An error as a log may show it. A database's quotes values in its message, and carries the statement. */
export function describeError(error: Error & { code?: string; sqlState?: string }) {
  const ofDatabase = typeof error.sqlState === "string";
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    code: error.code,
    message: ofDatabase ? "The database refused a statement." : error.message,
    stack: frames.join("\n"),
  };
}
