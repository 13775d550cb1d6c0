import type { Plot } from "./plot.ts";

/** What a row must reach: a ratio where it compares, else the figure itself. */
export type Bar = { atLeast: number } | { atMost: number };

/** One side of a row: a figure for each round, all in the row's unit. */
interface Side {
  name: string;
  values: number[];
}

/** One line of the table, and one entry of the JSON. */
export interface Row {
  what: string;
  /** "requests/s", "s", "MB", "kB", "statements" … */
  unit: string;
  ours: Side;
  /** Whoever was measured in the same rounds; a row without it gives a figure and no ratio. */
  theirs?: Side;
  /** What we promise. A row without one is for comparison only. */
  bar?: Bar;
  /** What one has to know to read the figure. */
  note?: string;
}

/** What a part has measured. */
export interface Findings {
  rows: Row[];
  plots?: Plot[];
}

/** A row's judged numbers, one for each round: ours divided by theirs of the same round, or ours. */
export function judged({ ours, theirs }: Row): number[] {
  if (!theirs) return ours.values;
  return ours.values.map((value, round) => value / (theirs.values[round] ?? Number.NaN));
}

/** Whether the median reaches the bar; undefined where there is none. */
export function hasReached(row: Row): boolean | undefined {
  if (!row.bar) return undefined;
  const figure = median(judged(row));
  return "atLeast" in row.bar ? figure >= row.bar.atLeast : figure <= row.bar.atMost;
}

/** The middle one; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
