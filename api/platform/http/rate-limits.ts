import { isIPv4, isIPv6 } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { LimitName, Metrics } from "../monitoring/metrics.ts";
import { ApiError } from "./problem.ts";

interface Counting {
  metrics: Metrics;
  now: Clock;
}

/**
 * Limits the requests of each token in this scope, from whatever address; 0 means no limit. Call it after requireToken,
 * which counts failed credentials itself.
 */
export function limitTokens(scope: FastifyInstance, perMinute: number, counting: Counting): void {
  if (perMinute === 0) return;
  const detail = `This token may make ${perMinute} requests a minute. Wait for the time in Retry-After.`;
  limit(scope, { name: "token", perMinute, detail, keyOf: ({ partner }) => partner }, counting);
}

/** Limits status requests of each address. */
export function limitStatus(scope: FastifyInstance, counting: Counting): void {
  const perMinute = 60;
  const detail = `The status may be requested ${perMinute} times a minute. Wait for the time in Retry-After.`;
  limit(scope, { name: "status", perMinute, detail, keyOf: ({ ip }) => addressKey(ip) }, counting);
}

/** Limits the forms that each address sends in this scope; 0 means no limit. Reading is free, and writes nothing. */
export function limitForms(scope: FastifyInstance, perMinute: number, { metrics, now }: Counting): void {
  if (perMinute === 0) return;
  const forms = countPerMinute(perMinute, now);
  scope.addHook("onRequest", async ({ method, ip }) => {
    if (method !== "POST") return;
    const taken = forms.take(addressKey(ip));
    if (taken.exceeded) throw tooManyRequests("forms", "Too many forms.", taken, metrics);
  });
}

/** Limits the searches of each address in this scope; 0 means no limit. */
export function limitSearches(scope: FastifyInstance, perMinute: number, { metrics, now }: Counting): void {
  if (perMinute === 0) return;
  const searches = countPerMinute(perMinute, now);
  scope.addHook("onRequest", async ({ ip }) => {
    const taken = searches.take(addressKey(ip));
    if (taken.exceeded) throw tooManyRequests("searches", "Too many searches.", taken, metrics);
  });
}

interface Rule {
  name: LimitName;
  perMinute: number;
  detail: string;
  keyOf: (request: FastifyRequest) => string;
}

/** Every answer has the headers of draft-ietf-httpapi-ratelimit-headers-10. */
function limit(scope: FastifyInstance, { name, perMinute, detail, keyOf }: Rule, { metrics, now }: Counting): void {
  const requests = countPerMinute(perMinute, now);
  scope.addHook("onRequest", async (request, reply) => {
    const taken = requests.take(keyOf(request));
    const { exceeded, remaining, resetSeconds } = taken;
    reply.header("RateLimit-Policy", `"${name}";q=${perMinute};w=60`);
    reply.header("RateLimit", `"${name}";r=${remaining};t=${resetSeconds}`);
    if (exceeded) throw tooManyRequests(name, detail, taken, metrics);
  });
}

/** 429 with Retry-After (RFC 6585 §4); counts it in the metrics. */
export function tooManyRequests(name: LimitName, detail: string, { resetSeconds }: Quota, metrics: Metrics): ApiError {
  metrics.countRateLimited(name);
  return new ApiError("too-many-requests", detail, { headers: { "Retry-After": String(resetSeconds) } });
}

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;

/** Beyond this number of keys the oldest are dropped, to bound the memory. */
const MAX_KEYS = 10_000;

export interface Limit {
  /** Counts a request of `key`, whose minute begins with its first request and ends 60 s later. */
  take(key: string): Quota;
}

export interface Quota {
  exceeded: boolean;
  remaining: number;
  /** Seconds until the minute ends, from 1 to 60. */
  resetSeconds: number;
}

/** Milliseconds of a monotonic clock. */
export type Clock = () => number;

/** A limit of `quota` a minute per key, counted in this process alone: two processes allow twice as much. */
export function countPerMinute(quota: number, now: Clock): Limit {
  const windows = new Map<string, { used: number; beganAt: number }>();

  // A Map keeps insertion order, and all windows have the same length: the first ends first.
  const forgetEnded = (time: number) => {
    for (const [key, { beganAt }] of windows) {
      if (time - beganAt < WINDOW_MS) return;
      windows.delete(key);
    }
  };

  const open = (key: string, time: number) => {
    const [oldest] = windows.keys();
    if (windows.size >= MAX_KEYS && oldest !== undefined) windows.delete(oldest);
    const window = { used: 0, beganAt: time };
    windows.set(key, window);
    return window;
  };

  return {
    take(key) {
      const time = now();
      forgetEnded(time);
      const window = windows.get(key) ?? open(key, time);
      window.used += 1;
      return {
        exceeded: window.used > quota,
        remaining: Math.max(0, quota - window.used),
        // From the elapsed time: a float plus 60,000 minus that float can exceed 60,000.
        resetSeconds: WINDOW_SECONDS - Math.floor((time - window.beganAt) / 1_000),
      };
    },
  };
}

/**
 * The key to count an address under: an IPv4 address itself, also when mapped into IPv6; an IPv6 address's /64, the
 * smallest network of one customer (RFC 6177 §2); one key for everything else.
 */
export function addressKey(address: string): string {
  const unmapped = address.replace(/^::ffff:(?=[0-9.]+$)/i, "");
  if (isIPv4(unmapped)) return unmapped;
  const [unscoped = ""] = address.split("%");
  if (!isIPv6(unscoped)) return "no address";
  // The URL parser writes the canonical form of RFC 5952.
  const [head = "", tail] = new URL(`http://[${unscoped}]`).hostname.slice(1, -1).split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  return `${[...before, ...zeros, ...after].slice(0, 4).join(":")}::/64`;
}
