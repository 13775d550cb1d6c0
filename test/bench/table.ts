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

/** A row's figuresOf numbers, one for each round: ours divided by theirs of the same round, or ours. */
export function figuresOf({ ours, theirs }: Row): number[] {
  if (!theirs) return ours.values;
  return ours.values.map((value, round) => value / (theirs.values[round] ?? Number.NaN));
}

/** Whether the median reaches the bar; undefined where there is none. */
export function meetsBar(row: Row): boolean | undefined {
  if (!row.bar) return undefined;
  const figure = median(figuresOf(row));
  return "atLeast" in row.bar ? figure >= row.bar.atLeast : figure <= row.bar.atMost;
}

/** The middle one; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The rows of one part as lines of a table, with their notes below. */
export function formatTable(rows: readonly Row[]): string {
  const head = ["", "What", "Ours", "Against", "", "Ratio", "Spread", "Bar"];
  const cells = rows.map(formatRow);
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd();
  const notes = rows.filter(({ note }) => note).map(({ what, note }) => `  ${what}: ${note}`);
  return [line(head), line(widths.map((width) => "─".repeat(width))), ...cells.map(line), "", ...notes].join("\n");
}

function formatRow(row: Row): string[] {
  const figures = figuresOf(row);
  const reached = meetsBar(row);
  return [
    reached === undefined ? " " : reached ? "✓" : "✗",
    row.what,
    `${formatNumber(median(row.ours.values))} ${row.unit}`,
    row.theirs?.name ?? "",
    row.theirs ? formatNumber(median(row.theirs.values)) : "",
    row.theirs ? formatNumber(median(figures)) : "",
    `${formatNumber(Math.min(...figures))} to ${formatNumber(Math.max(...figures))}`,
    row.bar ? formatBar(row.bar) : "",
  ];
}

const formatBar = (bar: Bar) => ("atLeast" in bar ? `≥ ${bar.atLeast}` : `≤ ${bar.atMost}`);

/** Three digits that say something: 12,345; 123; 12.3; 1.23; 0.123. */
function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return "–";
  return value.toLocaleString("en-GB", value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
}
