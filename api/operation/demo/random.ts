/** A repeatable random generator (mulberry32). */
export function seededRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number from `low` to `high`. */
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const chance = (probability: number) => next() < probability;
  const pick = <T>(values: readonly [T, ...T[]]): T => values[between(0, values.length - 1)] ?? values[0];
  return { between, chance, pick };
}

export type Random = ReturnType<typeof seededRandom>;
