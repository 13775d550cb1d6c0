/** A grader's finding and its page. */
export interface Finding {
  what: string;
  /** Address of the page. */
  url?: string;
}

/** One row of the table. A row without problems meets its bar. */
export interface Grade {
  grader: string;
  subject: string;
  figures: string;
  bar: string;
  problems: Finding[];
  /** Findings that don't miss the bar. */
  notes: Finding[];
}

const PAGES_NAMED = 4;

export const hasMissed = ({ problems }: Grade) => problems.length > 0;

/** Formats the table, followed by missed bars and notes. */
export function formatGrades(grades: readonly Grade[]): string {
  const missed = grades.filter(hasMissed);
  const noted = grades.filter(({ notes }) => notes.length > 0);
  return [
    "",
    ...formatTable(grades),
    ...(missed.length > 0 ? ["", "Missed", "", ...formatFindings(missed, "problems")] : []),
    ...(noted.length > 0 ? ["", "Worth knowing", "", ...formatFindings(noted, "notes")] : []),
    "",
    `${grades.length - missed.length} reached, ${missed.length} missed`,
    "",
  ].join("\n");
}

function formatTable(grades: readonly Grade[]): string[] {
  const head = ["", "Grader", "What", "Figures", "Bar"];
  const rows = grades.map((grade) => {
    return [hasMissed(grade) ? "✗" : "✓", grade.grader, grade.subject, grade.figures, grade.bar];
  });
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? "").length)));
  const line = (row: string[]) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd();
  return [line(head), line(widths.map((width) => "─".repeat(width))), ...rows.map(line)];
}

/** Lists the same finding on several pages as one line. */
function formatFindings(grades: readonly Grade[], which: "problems" | "notes"): string[] {
  return grades.flatMap((grade) => {
    const pages = Map.groupBy(grade[which], ({ what }) => what);
    const lines = [...pages].map(([what, findings]) => {
      const urls = [...new Set(findings.flatMap(({ url }) => url ?? []))];
      return `    ${what.replaceAll("\n", "\n      ")}${formatUrls(urls)}`;
    });
    return [`  ${grade.grader} ${grade.subject}`.trimEnd(), ...lines];
  });
}

function formatUrls(urls: readonly string[]): string {
  if (urls.length === 0) return "";
  const more = urls.length > PAGES_NAMED ? `, and ${urls.length - PAGES_NAMED} more` : "";
  return ` (${urls
    .slice(0, PAGES_NAMED)
    .map((url) => new URL(url).pathname)
    .join(", ")}${more})`;
}
