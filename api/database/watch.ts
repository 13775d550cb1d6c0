/**
 * Makes a reader that answers within `patienceMs`, whatever happens behind `look`: null when that fails or takes longer.
 * Callers share one look at a time, so that asking a hung database often does not use up its connections.
 */
export function watch<T>(look: () => Promise<T>, patienceMs: number): () => Promise<T | null> {
  let looking: Promise<T | null> | undefined;
  const share = () => {
    looking ??= look()
      .catch(() => null)
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  return async () => {
    const { promise, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(resolve, patienceMs, null);
    return Promise.race([share(), promise]).finally(() => clearTimeout(timer));
  };
}
