import { isIPv4, isIPv6 } from "node:net";

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;

/** More keys than this at once, and those whose minute began first are forgotten: a flood must not fill the memory. */
const MOST_KEYS = 10_000;

export interface Limit {
  /** Takes one more from `key`'s minute, which begins with its first and ends for good 60 s later. */
  take(key: string): Taken;
}

export interface Taken {
  exceeded: boolean;
  remaining: number;
  /** Seconds until the minute ends, from 1 to 60. */
  resetSeconds: number;
}

/** In milliseconds from any beginning; never set back, as the time of day is. */
export type Clock = () => number;

/** A limit of `quota` a minute for each key. Counts live in this process alone: two processes allow twice as much. */
export function limitPerMinute(quota: number, now: Clock): Limit {
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
    if (windows.size >= MOST_KEYS && oldest !== undefined) windows.delete(oldest);
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
