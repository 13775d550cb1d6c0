import { createHash } from "node:crypto";
import { promisify } from "node:util";
import bearerAuth from "@fastify/bearer-auth";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Metrics } from "./metrics.ts";
import { ApiError } from "./problem.ts";
import { addressKey, type Clock, countPerMinute, tooManyRequests } from "./rate-limits.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Tells the token that let this request in from others without being it; empty where none was needed. */
    partner: string;
  }
}

interface Dependencies {
  tokens: readonly string[];
  metrics: Metrics;
  now: Clock;
}

/** "More than 20 failures a minute" (design §6): 21 may be wrong, the next one meets the limit. */
const FAILURES_PER_MINUTE = 21;

/**
 * Lets only partners with one of `tokens` into this scope: `Authorization: Bearer T` or `X-Ecom-Api-Token: T`, and
 * every credential that is sent must be right. Without tokens nobody gets in. @fastify/bearer-auth compares, in
 * constant time. An address that keeps being wrong gets 429 in place of 401, until it is right.
 */
export function requireToken(scope: FastifyInstance, { tokens, metrics, now }: Dependencies): void {
  const failures = countPerMinute(FAILURES_PER_MINUTE, now);
  const refuse = ({ ip }: FastifyRequest) => {
    metrics.countAuthFailure();
    const taken = failures.take(addressKey(ip));
    const detail =
      "Too many wrong credentials came from your address. Wait as long as Retry-After says, or send a right one.";
    return taken.exceeded ? tooManyRequests("credentials", detail, taken, metrics) : unauthorized();
  };
  scope.decorateRequest("partner", "");
  // rfc6749: the scheme in any case (RFC 9110 §11.1). No hook of its own: that would see Authorization only.
  const keys = new Set(tokens);
  scope.register(bearerAuth, { keys, addHook: false, specCompliance: "rfc6749", verifyErrorLogLevel: "debug" });
  scope.addHook("onRequest", async (request, reply) => {
    const { verifyBearerAuth } = scope;
    if (!verifyBearerAuth) throw new Error("@fastify/bearer-auth is not registered.");
    const credentials = readCredentials(request);
    if (tokens.length === 0 && credentials.some((credential) => credential.trim() !== "")) throw notConfigured();
    if (credentials.length === 0) throw unauthorized();
    const verify = promisify(verifyBearerAuth);
    for (const credential of credentials) {
      request.raw.headers.authorization = credential;
      await verify(request, reply).catch(() => {
        throw refuse(request);
      });
    }
    request.partner = hashToken(credentials[0] ?? "");
  });
}

/** A short name of a token in a verified Authorization header. One-way: it may stand in a table or a dump. */
function hashToken(credential: string): string {
  const token = credential.replace(/^bearer /i, "").trim();
  return createHash("sha256").update(token).digest("hex").slice(0, 16);
}

/**
 * Every credential sent, as the Authorization header that bearer-auth reads; an empty header gives an empty one.
 * From the raw lines: of two Authorization lines Node's `headers` would quietly drop one.
 */
function readCredentials({ raw: { rawHeaders } }: FastifyRequest): string[] {
  return rawHeaders.flatMap((value, index) => {
    const name = index % 2 === 1 ? rawHeaders[index - 1]?.toLowerCase() : undefined;
    if (name === "authorization") return [value];
    return name === "x-ecom-api-token" ? [value && `Bearer ${value}`] : [];
  });
}

// One body for every reason: the answer must not help to tell a wrong token from a missing one.
const unauthorized = () =>
  new ApiError(
    "unauthorized",
    "Send the partner token as Authorization: Bearer <token> or as X-Ecom-Api-Token: <token>.",
    { headers: { "WWW-Authenticate": "Bearer" } },
  );

const notConfigured = () =>
  new ApiError("not-configured", "This shop has not set up a partner token, so none can be right.");
