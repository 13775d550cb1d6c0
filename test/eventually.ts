import { vi } from "vitest";

/**
 * Asks until `check` no longer throws, which on a machine that has other work may take long: only what never comes
 * to pass fails, before the test's own time is over.
 */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 180_000, interval: 50 });
