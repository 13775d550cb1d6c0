import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import type { FastifyServerOptions } from "fastify";

/** Whether the log ends in the middle of a line. */
let isCut = false;

/**
 * Standard output, for a log. A line that has no room on a full disk is left out or cut, as pino's own destination would
 * wait for room in the middle of a request, and answer nobody meanwhile.
 */
export const standardOutput = {
  write(line: string): void {
    for (let left = Buffer.from(isCut ? `\n${line}` : line); left.length > 0; ) {
      try {
        left = left.subarray(writeSync(1, left));
        isCut = left.length > 0;
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return;
        // A pipe whose reader is slower.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EAGAIN_MS);
      }
    }
  },
};
const EAGAIN_MS = 10;

/**
 * Options for a log of JSON lines. Requests are logged without URL, headers and body, which are the partner's;
 * `secrets` never appear.
 */
export const makeLoggerOptions = (secrets: Secrets) =>
  ({
    level: "info",
    redact: redactedPaths,
    serializers: { req: ({ method }: { method: string }) => ({ method }), err: describeError },
    hooks: {
      streamWrite: redactLine(secrets),
      // A response after handlerTimeout: Fastify's message quotes the URL with its query.
      logMethod(args, method) {
        const { err }: { err?: { code?: string } } = Object(args[0]);
        if (err?.code !== "FST_ERR_REP_ALREADY_SENT") return method.apply(this, args);
        return method.call(this, "An answer came too late: the request had already been answered.");
      },
    },
  }) satisfies FastifyServerOptions["logger"];

/** The id that nginx gave the request, or a new one; other clients could write anything into our logs. */
export function requestId({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): string {
  const given = headers["x-request-id"];
  const trusted = /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "");
  return trusted && typeof given === "string" && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
}

const PRIVATE_FIELDS = [
  ...["authorization", "cookie", "token", "secret", "password", "headers", "body", "url"],
  ...["email", "phone", "customer", "billing_address", "shipping_address"],
];

/** Paths for pino's `redact`: these names at the top level and one level down. */
const redactedPaths = PRIVATE_FIELDS.flatMap((name) => [name, `*.${name}`]);

/** What the log must never show. */
export interface Secrets {
  /** Redacted wherever they appear: tokens, keys, a long password, long parts of the webhook's URL. */
  texts: readonly string[];
  /**
   * Redacted only where they stand alone, since our own lines may contain them: the webhook's host, path and query, and
   * a short password.
   */
  patterns: readonly RegExp[];
}

/** A shorter text may be part of our own words (`erp`, `orders`). */
const MIN_SECRET_LENGTH = 12;

interface SecretSettings {
  pullTokens?: readonly string[];
  webhook?: { url: URL; keys: readonly Buffer[] } | undefined;
  stripe?: { secretKey: string; webhookSecrets: readonly string[] } | undefined;
  database?: { password: string };
  mail?: { transport: { smtp: { auth: { pass: string } | undefined } } | { folder: string } } | undefined;
  assistant?: { tokens: readonly string[]; identitySecrets: readonly string[] } | undefined;
}

/**
 * The secrets in the settings: tokens, the webhook's URL and keys, Stripe's, the assistant's, the passwords of database
 * and mail server.
 */
export function secretsOf({ pullTokens = [], webhook, stripe, database, mail, assistant }: SecretSettings): Secrets {
  const texts = [...pullTokens, ...(webhook?.keys.map((key) => key.toString("base64")) ?? [])];
  if (stripe) texts.push(stripe.secretKey, ...stripe.webhookSecrets);
  if (assistant) texts.push(...assistant.tokens, ...assistant.identitySecrets);
  const patterns: RegExp[] = [];
  if (webhook) {
    const { hostname, pathname, search, searchParams } = webhook.url;
    const parts = [...pathname.split("/"), ...searchParams.values(), search.slice(1)];
    texts.push(...parts.flatMap((part) => [part, decode(part)]).filter(({ length }) => length >= MIN_SECRET_LENGTH));
    // As a host, but not as part of a path or another name, or as the name of a field.
    patterns.push(new RegExp(`(?<![\\w.-]|(?<!/)/)${inPattern(hostname)}(?![\\w-]|\\.\\w|":)`, "g"));
    // But not where it may be our own route.
    for (const path of new Set([pathname + search, pathname]))
      if (path !== "/") patterns.push(new RegExp(`(?<![\\w.%/-]|"route":")${inPattern(path)}(?![\\w%/-])`, "g"));
    if (search !== "") patterns.push(new RegExp(`${inPattern(search)}(?![\\w%-])`, "g"));
  }
  const smtp = mail && "smtp" in mail.transport ? mail.transport.smtp : undefined;
  const passwords = [database?.password, smtp?.auth?.pass].flatMap((password) => password || []);
  for (const password of passwords.flatMap((each) => [each, encodeURIComponent(each)])) {
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

// The mailbox as email-address.ts takes it, and in other letters (RFC 6531), but without the letter of an escape
// (`\n`), which JSON needs. A top-level domain has letters only, or is one in ASCII (IDNA), so
// `fastify@5.12.8/node_modules` in a stack trace doesn't match.
const EMAIL =
  /(?<!\\)[\p{L}\p{N}\p{M}_!#$%&'*+\-/=?^`{|}~.]{1,64}@(?:[\p{L}\p{N}\p{M}-]{1,63}\.){1,8}(?:xn--[a-z0-9-]{1,59}|\p{L}{2,63})/giu;

/**
 * Redacts secrets and e-mail addresses anywhere in a line, since errors of libraries may quote them (`getaddrinfo
 * ENOTFOUND <host>`).
 */
export function redactLine({ texts, patterns }: Secrets): (line: string) => string {
  const secrets = [...patterns, ...texts.map(inJson)];
  return (line) => {
    const withoutSecrets = secrets.reduce<string>((text, secret) => text.replaceAll(secret, "[redacted]"), line);
    return withoutSecrets.replace(EMAIL, "[e-mail]");
  };
}

/** An error as the log shows it. A database error would quote values and the statement. */
function describeError(error: Error & { code?: string; sqlState?: string; type?: string; requestId?: string }) {
  const ofDatabase = typeof error.sqlState === "string";
  const ofStripe = error.type?.startsWith("Stripe") ?? false; // its messages may quote the customer's address
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type: (ofStripe && error.type) || error.name,
    code: error.code,
    message: ofDatabase
      ? "The database rejected a statement."
      : ofStripe
        ? `Stripe's request ${error.requestId ?? "without an answer"} failed.`
        : error.message,
    stack: frames.join("\n"),
  };
}
