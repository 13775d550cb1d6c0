import type { FastifyInstance, FastifyRequest } from "fastify";
import { addressKey, type Clock, limitPerMinute, type Taken } from "./limits.ts";
import type { LimitName, Metrics } from "./metrics.ts";
import { ApiError } from "./problem.ts";

interface Counting {
  metrics: Metrics;
  now: Clock;
}

/**
 * Limits what each token may ask for in this scope, whatever address it comes from; 0 lifts it. Call after requireToken:
 * who is not let in has not used up anything, and is counted there.
 */
export function limitTokens(scope: FastifyInstance, perMinute: number, counting: Counting): void {
  if (perMinute === 0) return;
  const detail = `This token may make ${perMinute} requests a minute. Wait as long as Retry-After says.`;
  limit(scope, { name: "token", perMinute, detail, keyOf: ({ partner }) => partner }, counting);
}

/** Limits how often an address may ask for the status (design §6). */
export function limitStatus(scope: FastifyInstance, counting: Counting): void {
  const perMinute = 60;
  const detail = `The status may be asked for ${perMinute} times a minute. Wait as long as Retry-After says.`;
  limit(scope, { name: "status", perMinute, detail, keyOf: ({ ip }) => addressKey(ip) }, counting);
}

interface Rule {
  name: LimitName;
  perMinute: number;
  detail: string;
  keyOf: (request: FastifyRequest) => string;
}

/** Every answer says what is left, in the words of draft-ietf-httpapi-ratelimit-headers-10. */
function limit(scope: FastifyInstance, { name, perMinute, detail, keyOf }: Rule, { metrics, now }: Counting): void {
  const requests = limitPerMinute(perMinute, now);
  scope.addHook("onRequest", async (request, reply) => {
    const taken = requests.take(keyOf(request));
    const { exceeded, remaining, resetSeconds } = taken;
    reply.header("RateLimit-Policy", `"${name}";q=${perMinute};w=60`);
    reply.header("RateLimit", `"${name}";r=${remaining};t=${resetSeconds}`);
    if (exceeded) throw tooManyRequests(name, detail, taken, metrics);
  });
}

/** 429, counted, with the time after which asking again helps (RFC 6585 §4). */
export function tooManyRequests(name: LimitName, detail: string, { resetSeconds }: Taken, metrics: Metrics): ApiError {
  metrics.countRateLimited(name);
  return new ApiError("too-many-requests", detail, { headers: { "Retry-After": String(resetSeconds) } });
}
