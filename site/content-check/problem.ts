/** Something an editor must mend: `file` from the project's root on, `line` from 1, `message` a whole sentence. */
export interface Problem {
  file: string;
  line: number;
  message: string;
  /** True for what may be right after all: it is shown, and the shop is built. */
  isWarning?: true;
}

/** `content/pages/about.md:3: title is missing. …`, as editors and terminals make a link of it. */
export const formatProblem = ({ file, line, message }: Problem): string => `${file}:${line}: ${message}`;

/** By file, then by line: the order in which one works through them. */
export function compareProblems(a: Problem, b: Problem): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line;
}

/** What a check found, one line each: what must be mended, and what may be right after all. */
export interface Findings {
  errors: string[];
  warnings: string[];
}

/** Warnings with their number, as a terminal shows them; "" where there are none. */
export const listWarnings = (warnings: readonly string[]): string =>
  warnings.length === 0 ? "" : `\n${warnings.join("\n")}\n\n${count(warnings.length, "warning")} in content/.\n`;

/** Mistakes with their number, as a terminal shows them. */
export const listErrors = (errors: readonly string[]): string =>
  `\n${errors.join("\n")}\n\n${count(errors.length, "error")} in content/.\n`;

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
