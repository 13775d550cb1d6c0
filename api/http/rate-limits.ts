import { isIPv4, isIPv6 } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
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
  const requests = countPerMinute(perMinute, now);
  scope.addHook("onRequest", async (request, reply) => {
    const taken = requests.take(keyOf(request));
    const { exceeded, remaining, resetSeconds } = taken;
    reply.header("RateLimit-Policy", `"${name}";q=${perMinute};w=60`);
    reply.header("RateLimit", `"${name}";r=${remaining};t=${resetSeconds}`);
    if (exceeded) throw tooManyRequests(name, detail, taken, metrics);
  });
}

/** 429, counted, with the time after which asking again helps (RFC 6585 §4). */
export function tooManyRequests(name: LimitName, detail: string, { resetSeconds }: Quota, metrics: Metrics): ApiError {
  metrics.countRateLimited(name);
  return new ApiError("too-many-requests", detail, { headers: { "Retry-After": String(resetSeconds) } });
}

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;

/** More keys than this at once, and those whose minute began first are forgotten: a flood must not fill the memory. */
const MAX_KEYS = 10_000;

export interface Limit {
  /** Takes one more from `key`'s minute, which begins with its first and ends for good 60 s later. */
  take(key: string): Quota;
}

export interface Quota {
  exceeded: boolean;
  remaining: number;
  /** Seconds until the minute ends, from 1 to 60. */
  resetSeconds: number;
}

/** In milliseconds from any beginning; never set back, as the time of day is. */
export type Clock = () => number;

/** A limit of `quota` a minute for each key. Counts live in this process alone: two processes allow twice as much. */
export function countPerMinute(quota: number, now: Clock): Limit {
  const windows = new Map<string, { used: number; beganAt: number }>();

  // A Map keeps the order in which keys came, and all windows are equally long: the first ends first.
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
        // From the time that has passed: the sum of a float and 60,000, less that float, may be more than 60,000.
        resetSeconds: WINDOW_SECONDS - Math.floor((time - window.beganAt) / 1_000),
      };
    },
  };
}

/**
 * The address to count under: IPv4 whole, also when mapped into IPv6; IPv6 by its /64, the least that one customer has
 * to itself (RFC 6177 §2); one key for all that is no address.
 */
export function addressKey(address: string): string {
  const unmapped = address.replace(/^::ffff:(?=[0-9.]+$)/i, "");
  if (isIPv4(unmapped)) return unmapped;
  const [unscoped = ""] = address.split("%");
  if (!isIPv6(unscoped)) return "no address";
  // The URL parser's spelling is the canonical one of RFC 5952, without dots.
  const [head = "", tail] = new URL(`http://[${unscoped}]`).hostname.slice(1, -1).split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  return `${[...before, ...zeros, ...after].slice(0, 4).join(":")}::/64`;
}
