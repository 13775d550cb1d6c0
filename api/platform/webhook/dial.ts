import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { buildConnector } from "undici";
import { type AllowList, isDialable } from "./addresses.ts";

/** All addresses of a name, as from `dns.promises.lookup(name, { all: true })`. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** The webhook's host has no allowed address. */
export class RefusedAddressError extends Error {
  override readonly name = "RefusedAddressError";
}

/** The name wasn't resolved in time. */
export class ResolveTimeoutError extends Error {
  override readonly name = "ResolveTimeoutError";
}

/** Of a start it takes 0.1 s and 30 MB, and few shops have a webhook. */
export const loadUndici = () => import("undici");

/**
 * Makes undici's connector for one attempt: it resolves the name once and gives only the allowed addresses to the
 * socket, so that DNS can't change between check and connection. IP literals are checked too. `connectMs` covers DNS,
 * TCP and TLS, since undici ignores an AbortSignal until it is connected.
 */
export function checkedConnector(resolve: Resolve, allow: AllowList, connectMs: number): buildConnector.connector {
  return (options, callback) => {
    const deadline = Date.now() + connectMs;
    permitted(resolve, allow, options.hostname, connectMs)
      .then(async (addresses) => {
        const { buildConnector } = await loadUndici();
        const timeout = Math.max(deadline - Date.now(), 1);
        const connect = buildConnector({ timeout, allowH2: false, lookup: pinned(addresses) });
        connect(options, callback);
      })
      .catch((error: Error) => callback(error, null));
  };
}

async function permitted(
  resolve: Resolve,
  allow: AllowList,
  hostname: string,
  timeoutMs: number,
): Promise<readonly LookupAddress[]> {
  const family = isIP(hostname);
  const ended = new AbortController();
  const late = sleep(timeoutMs, undefined, { signal: ended.signal }).then(() => {
    throw new ResolveTimeoutError("The webhook's host name wasn't resolved in time.");
  });
  late.catch(() => {}); // when it loses the race
  const found = family ? [{ address: hostname, family }] : await Promise.race([resolve(hostname), late]);
  ended.abort();
  const addresses = found.filter(({ address }) => isDialable(address, allow));
  if (addresses.length === 0)
    throw new RefusedAddressError("The webhook's host has no allowed address. See ERP_WEBHOOK_ALLOW.");
  return addresses;
}

/** A lookup with a fixed result. Node asks for all addresses, to try them in turn, or for one. */
const pinned =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all || !first) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
