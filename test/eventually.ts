import { vi } from "vitest";

/** Polls until `check` no longer throws. The limit is long because CI machines are busy, and below a test's own. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 480_000, interval: 50 });
