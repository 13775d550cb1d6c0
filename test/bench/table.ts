import { type Bar, hasReached, judged, median, type Row } from "./row.ts";

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
  const figures = judged(row);
  const reached = hasReached(row);
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
