import { findHtmlFaults } from "../html-faults.ts";
import type { Grade } from "./grades.ts";
import type { Page } from "./pages.ts";

/** Runs html-validate on every page. */
export async function gradeHtml(pages: Page[]): Promise<{ summary: string; value: Grade[] }> {
  const problems = [];
  for (const { url, html } of pages) {
    for (const { ruleId, message } of await findHtmlFaults(html, url)) {
      problems.push({ what: `${ruleId}: ${message}`, url });
    }
  }
  const figures = `${pages.length} pages, ${problems.length} errors`;
  const grade = { grader: "HTML", subject: "html-validate", figures, bar: "0 errors", problems, notes: [] };
  return { summary: figures, value: [grade] };
}
