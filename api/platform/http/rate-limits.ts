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
  limit(scope, { name: "token", perMinute, detail, of: countPerMinute, keyOf: ({ partner }) => partner }, counting);
}

/** Limits status requests of each address. */
export function limitStatus(scope: FastifyInstance, counting: Counting): void {
  const perMinute = 60;
  const detail = `The status may be requested ${perMinute} times a minute. Wait for the time in Retry-After.`;
  limit(scope, { name: "status", perMinute, detail, of: countAddresses, keyOf: ({ ip }) => ip }, counting);
}

/** Limits the forms that each address sends in this scope; 0 means no limit. */
export const limitForms = (scope: FastifyInstance, perMinute: number, counting: Counting) =>
  limitPeople(scope, { name: "forms", perMinute, detail: "Too many forms.", isOf: isForm }, counting);

/** An order takes some ten pages and four forms; many people may share an address, and agents read many links. */
const PAGES_FACTOR = 5;

/**
 * Limits the pages that each address reads in this scope, each of which asks the database, to five times `formsPerMinute`;
 * 0 means no limit.
 */
export const limitPages = (scope: FastifyInstance, formsPerMinute: number, counting: Counting) => {
  const perMinute = PAGES_FACTOR * formsPerMinute;
  limitPeople(scope, { name: "pages", perMinute, detail: "Too many pages.", isOf: isReading }, counting);
};

/** Limits the searches of each address in this scope; 0 means no limit. */
export const limitSearches = (scope: FastifyInstance, perMinute: number, counting: Counting) =>
  limitPeople(scope, { name: "searches", perMinute, detail: "Too many searches.", isOf: () => true }, counting);

const isForm = ({ method }: FastifyRequest) => method === "POST";
const isReading = ({ method }: FastifyRequest) => method === "GET" || method === "HEAD";

interface PeopleRule {
  name: LimitName;
  perMinute: number;
  detail: string;
  /** Whether the rule is about a request. */
  isOf: (request: FastifyRequest) => boolean;
}

function limitPeople(
  scope: FastifyInstance,
  { name, perMinute, detail, isOf }: PeopleRule,
  { metrics, now }: Counting,
): void {
  if (perMinute === 0) return;
  const requests = countAddresses(perMinute, now);
  scope.addHook("onRequest", async (request) => {
    if (!isOf(request)) return;
    const taken = requests.take(request.ip);
    if (taken.exceeded) throw tooManyRequests(name, detail, taken, metrics);
  });
}

interface Rule {
  name: LimitName;
  perMinute: number;
  detail: string;
  /** What counts them. */
  of: typeof countPerMinute;
  keyOf: (request: FastifyRequest) => string;
}

/** Every answer has the headers of draft-ietf-httpapi-ratelimit-headers-10. */
function limit(scope: FastifyInstance, { name, perMinute, detail, of, keyOf }: Rule, { metrics, now }: Counting): void {
  const requests = of(perMinute, now);
  scope.addHook("onRequest", async (request, reply) => {
    const taken = requests.take(keyOf(request));
    const { exceeded, remaining, resetSeconds } = taken;
    reply.header("RateLimit-Policy", `"${name}";q=${perMinute};w=60`);
    reply.header("RateLimit", `"${name}";r=${remaining};t=${resetSeconds}`);
    if (exceeded) throw tooManyRequests(name, detail, taken, metrics);
  });
}

/** 429 with Retry-After (RFC 6585 §4); counts it in the metrics. */
export function tooManyRequests(
  name: LimitName,
  detail: string,
  { resetSeconds }: Pick<Quota, "resetSeconds">,
  metrics: Metrics,
): ApiError {
  metrics.countRateLimited(name);
  return new ApiError("too-many-requests", detail, { headers: { "Retry-After": String(resetSeconds) } });
}

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;

/** Of as many keys below their limit, and of as many at it, the oldest is dropped, to bound the memory. */
const MAX_KEYS = 10_000;

export interface Limit {
  /** Counts a request of `key`, whose minute begins with its first request and ends 60 s later. */
  take(key: string): Quota;
  /** Whether the next one would exceed it. */
  isUsedUp(key: string): boolean;
}

export interface Quota {
  exceeded: boolean;
  remaining: number;
  /** Seconds until the minute ends, from 1 to 60. */
  resetSeconds: number;
}

/** Milliseconds of a monotonic clock. */
export type Clock = () => number;

interface Window {
  used: number;
  beganAt: number;
}

/**
 * A limit of `quota` a minute per key, counted in this process alone: two processes allow twice as much. Keys that have
 * used it up are kept apart, so that whoever sends from many keys can't have them forgotten: each that pushes one out
 * has to use up a limit too.
 */
export function countPerMinute(quota: number, now: Clock): Limit {
  const [below, usedUp] = [new Map<string, Window>(), new Map<string, Window>()];
  const isOver = ({ beganAt }: Window, time: number) => time - beganAt >= WINDOW_MS;

  // A Map keeps insertion order, which is nearly that in which windows end; what is left is over when it's looked up.
  const forgetOver = (windows: Map<string, Window>, time: number) => {
    for (const [key, window] of windows) {
      if (!isOver(window, time)) return;
      windows.delete(key);
    }
  };

  const keep = (windows: Map<string, Window>, key: string, window: Window) => {
    const [oldest] = windows.keys();
    if (windows.size >= MAX_KEYS && oldest !== undefined) windows.delete(oldest);
    windows.set(key, window);
  };

  return {
    take(key) {
      const time = now();
      for (const windows of [below, usedUp]) forgetOver(windows, time);
      const known = usedUp.get(key) ?? below.get(key);
      const isKnown = known !== undefined && !isOver(known, time);
      const window = isKnown ? known : { used: 0, beganAt: time };
      window.used += 1;
      if (!isKnown) usedUp.delete(key);
      if (window.used === quota) {
        below.delete(key);
        keep(usedUp, key, window);
      } else if (!isKnown) keep(below, key, window);
      return {
        exceeded: window.used > quota,
        remaining: Math.max(0, quota - window.used),
        // From the elapsed time: a float plus 60,000 minus that float can exceed 60,000.
        resetSeconds: WINDOW_SECONDS - Math.floor((time - window.beganAt) / 1_000),
      };
    },
    isUsedUp(key) {
      const window = usedUp.get(key);
      return window !== undefined && !isOver(window, now());
    },
  };
}

/** How many times the limit of a /64 the /56 around it has. Providers give customers either (RFC 6177 §2). */
export const SITE_FACTOR = 8;

/** The same for addresses: `take` gets one as it is, and counts it as its network, then as its site. */
export function countAddresses(quota: number, now: Clock): Limit {
  const [networks, sites] = [countPerMinute(quota, now), countPerMinute(SITE_FACTOR * quota, now)];
  return {
    take(address) {
      const taken = networks.take(addressKey(address));
      const site = siteKey(address);
      // What a network isn't granted takes nothing from its neighbours.
      if (taken.exceeded || site === undefined) return taken;
      const ofSite = sites.take(site);
      return ofSite.exceeded ? ofSite : taken;
    },
    isUsedUp(address) {
      const site = siteKey(address);
      return networks.isUsedUp(addressKey(address)) || (site !== undefined && sites.isUsedUp(site));
    },
  };
}

/**
 * The key to count an address under: an IPv4 address itself, also when mapped into IPv6 (RFC 4291 §2.5.5.2); an IPv6
 * address's /64, the smallest network of one customer (RFC 6177 §2); one key for everything else.
 */
export function addressKey(address: string): string {
  if (isIPv4(address)) return address;
  const groups = groupsOf(address);
  if (!groups) return "no address";
  if (/^(?:0:){5}ffff:/.test(groups.join(":"))) return groups.slice(6).flatMap(octetsOf).join(".");
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/** The /56 of an IPv6 address, which may be one customer's; undefined for everything else. */
export function siteKey(address: string): string | undefined {
  const network = addressKey(address);
  const [, site] = /^(.+:)[^:]+::\/64$/.exec(network) ?? [];
  if (site === undefined) return undefined;
  const [, , , last = "0"] = network.split(":");
  return `${site}${(Number.parseInt(last, 16) & 0xff00).toString(16)}::/56`;
}

/** The eight groups of an IPv6 address, without leading zeros; undefined if it isn't one. */
function groupsOf(address: string): string[] | undefined {
  const [unscoped = ""] = address.split("%");
  if (!isIPv6(unscoped)) return undefined;
  // The URL parser writes the canonical form of RFC 5952.
  const [head = "", tail] = new URL(`http://[${unscoped}]`).hostname.slice(1, -1).split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  return [...before, ...Array<string>(8 - before.length - after.length).fill("0"), ...after];
}

function octetsOf(group: string): number[] {
  const number = Number.parseInt(group, 16);
  return [number >> 8, number & 0xff];
}
