import { createHash } from "node:crypto";
import { promisify } from "node:util";
import bearerAuth from "@fastify/bearer-auth";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Metrics } from "../monitoring/metrics.ts";
import { ApiError } from "./problem.ts";
import { type Clock, countAddresses, tooManyRequests } from "./rate-limits.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** A hash that identifies the request's token in the log; empty on public routes. */
    partner: string;
  }
}

interface Dependencies {
  tokens: readonly string[];
  /** Whose tokens they are, for the detail of a 401. */
  owner: "partner" | "assistant";
  metrics: Metrics;
  now: Clock;
}

/** Design §6: more than 20 failures a minute, so the 22nd is refused. */
const FAILURES_PER_MINUTE = 21;

/**
 * Requires one of `tokens` in this scope, as `Authorization: Bearer T` or `X-Ecom-Api-Token: T`; every credential sent
 * must be valid. Without tokens every request is refused. @fastify/bearer-auth compares in constant time. An address
 * with too many failures gets 429 instead of 401, until it sends a valid token.
 */
export function requireToken(scope: FastifyInstance, { tokens, owner, metrics, now }: Dependencies): void {
  const failures = countAddresses(FAILURES_PER_MINUTE, now);
  const refuse = ({ ip }: FastifyRequest) => {
    metrics.countAuthFailure();
    const taken = failures.take(ip);
    const detail =
      "Too many invalid credentials from your address. Wait for the time in Retry-After, or send a valid token.";
    return taken.exceeded ? tooManyRequests("credentials", detail, taken, metrics) : unauthorized(owner);
  };
  scope.decorateRequest("partner", "");
  // rfc6749: the scheme in any case (RFC 9110 §11.1). Without its own hook, which reads Authorization only.
  const keys = new Set(tokens);
  scope.register(bearerAuth, { keys, addHook: false, specCompliance: "rfc6749", verifyErrorLogLevel: "debug" });
  scope.addHook("onRequest", async (request, reply) => {
    const { verifyBearerAuth } = scope;
    if (!verifyBearerAuth) throw new Error("@fastify/bearer-auth is not registered.");
    const credentials = readCredentials(request);
    if (tokens.length === 0 && credentials.some((credential) => credential.trim() !== "")) throw notConfigured();
    if (credentials.length === 0) throw unauthorized(owner);
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

/** A short one-way hash of the token in a verified Authorization header, safe to log. */
export function hashToken(credential: string): string {
  const token = credential.replace(/^bearer /i, "").trim();
  return createHash("sha256").update(token).digest("hex").slice(0, 16);
}

/**
 * Every credential sent, as the Authorization header that bearer-auth reads. From the raw headers, since Node's
 * `headers` drops a second Authorization.
 */
function readCredentials({ raw: { rawHeaders } }: FastifyRequest): string[] {
  return rawHeaders.flatMap((value, index) => {
    const name = index % 2 === 1 ? rawHeaders[index - 1]?.toLowerCase() : undefined;
    if (name === "authorization") return [value];
    return name === "x-ecom-api-token" ? [value && `Bearer ${value}`] : [];
  });
}

// One body for every reason, so that a wrong token looks like a missing one.
const unauthorized = (owner: Dependencies["owner"]) =>
  new ApiError(
    "unauthorized",
    `Send the ${owner} token as Authorization: Bearer <token> or as X-Ecom-Api-Token: <token>.`,
    { headers: { "WWW-Authenticate": "Bearer" } },
  );

const notConfigured = () =>
  new ApiError("not-configured", "This shop hasn't configured a partner token. Ask the shop for one.");
