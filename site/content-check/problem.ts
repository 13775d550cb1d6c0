/** A problem for an editor to fix: `file` from the project's root, `line` from 1 where it's known, `message` in whole sentences. */
export interface Problem {
  file: string;
  line?: number;
  message: string;
  /** A warning may be right, and doesn't stop a build. */
  isWarning?: true;
}

/** `content/pages/about.md:3: title is missing. …`, which editors and terminals turn into a link. */
export const formatProblem = ({ file, line, message }: Problem): string =>
  `${file}${line === undefined ? "" : `:${line}`}: ${message}`;

/** Sorts by file, then by line. */
export function compareProblems(a: Problem, b: Problem): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0);
}

/** The problems of a check, one line each. */
export interface Findings {
  errors: string[];
  warnings: string[];
}

/** Warnings and their number for the terminal; "" without warnings. */
export const listWarnings = (warnings: readonly string[]): string =>
  warnings.length === 0 ? "" : `\n${warnings.join("\n")}\n\n${count(warnings, "warning")}.\n`;

/** Errors and their number for the terminal. */
export const listErrors = (errors: readonly string[]): string =>
  `\n${errors.join("\n")}\n\n${count(errors, "error")}.\n`;

/** The errors that `listErrors` has listed in what a program printed; none if it printed no such list. */
export function errorsIn(printed: string): string[] {
  const lines = printed.split("\n").map((line) => line.trim());
  const end = lines.findLastIndex((line) => /^\d+ errors?(?: in content\/)?\.$/.test(line));
  return end === -1 ? [] : lines.slice(lines.lastIndexOf("", end - 2) + 1, end - 1);
}

function count(problems: readonly string[], noun: string): string {
  const number = `${problems.length} ${noun}${problems.length === 1 ? "" : "s"}`;
  // The shop's words and settings are checked too.
  return problems.every((problem) => problem.startsWith("content/")) ? `${number} in content/` : number;
}
