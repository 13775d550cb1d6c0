import { storeSchema } from "../content-schema/store.ts";
import { checkContent } from "./check.ts";
import { formatProblem } from "./problem.ts";

/** What a check found, one line each: what must be mended, and what may be right after all. */
export interface Findings {
  wrong: string[];
  doubts: string[];
}

/** Checks everything below `root`/content/, and the environment's BASE_URL. */
export async function findProblems(root: string): Promise<Findings> {
  const problems = await checkContent(root);
  const wrong = [...problems.filter(({ isDoubt }) => !isDoubt).map(formatProblem), ...baseUrlProblems()];
  return { wrong, doubts: problems.filter(({ isDoubt }) => isDoubt).map(formatProblem) };
}

/** Doubts with their number, as a terminal shows them; "" where there are none. */
export const listDoubts = (doubts: readonly string[]): string =>
  doubts.length === 0 ? "" : `\n${doubts.join("\n")}\n\nTo be looked at: ${doubts.length}.\n`;

/** Mistakes with their number, as a terminal shows them. */
export const listMistakes = (wrong: readonly string[]): string =>
  `\n${wrong.join("\n")}\n\nThe content is not right yet: ${wrong.length} to mend.\n`;

function baseUrlProblems(): string[] {
  const { error } = storeSchema.shape.base_url.optional().safeParse(process.env["BASE_URL"] || undefined);
  return (error?.issues ?? []).map(({ message }) => `BASE_URL: ${message}`);
}
