import type { Plot } from "./plot.ts";

/** The limit for a row: for its ratio if it compares, otherwise for the figure itself. */
export type Bar = { atLeast: number } | { atMost: number };

/** One side of a row: one figure per round, in the row's unit. */
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
  /** Measured in the same rounds. A row without it has no ratio. */
  theirs?: Side;
  /** What we promise. A row without a bar is for comparison only. */
  bar?: Bar;
  /** How to read the figure. */
  note?: string;
}

/** A part's results. */
export interface Findings {
  rows: Row[];
  plots?: Plot[];
}

/** A row's figures, one per round: ours divided by theirs in that round, or ours alone. */
export function figuresOf({ ours, theirs }: Row): number[] {
  if (!theirs) return ours.values;
  return ours.values.map((value, round) => value / (theirs.values[round] ?? Number.NaN));
}

/** Whether the median meets the bar; undefined without a bar. */
export function meetsBar(row: Row): boolean | undefined {
  if (!row.bar) return undefined;
  const figure = median(figuresOf(row));
  return "atLeast" in row.bar ? figure >= row.bar.atLeast : figure <= row.bar.atMost;
}

/** The middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The value that a share of the values, from 0 to 1, doesn't exceed. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

/** Formats one part's rows as a table, with their notes below. */
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

/** Three significant digits, more above 1,000: 12,345; 123; 12.3; 1.23; 0.123. */
function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return "–";
  return value.toLocaleString("en-GB", value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
}
